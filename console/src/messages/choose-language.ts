// A copy of src/lib/choose-language.ts, written by `npm run languages`.

/** Chooses the language that a reader means among those that there are. */
/*
 * The console has a copy of this file, which `npm run languages` writes, and the script of `<book-library>` contains it; it
 * uses nothing but what browsers have.
 */

/**
 * Languages by the macro-language to which they belong (ISO 639-3). The most usual one of each is missing: Intl takes
 * `arb` for `ar`, and `cmn` for `zh`.
 */
const MACRO_LANGUAGES: Readonly<Record<string, string>> = {
  ak: "tw",
  ar: "aao abh abv acm acq acw acx acy adf aeb aec afb apc apd arq ars ary arz auz avl ayh ayl ayn ayp pga shu ssh",
  ay: "ayc",
  az: "azb",
  bua: "bxm bxu",
  chm: "mrj",
  cr: "crj crk crl crm csw cwd",
  et: "vro",
  ff: "ffm fub fue fuf fuh fui fuq fuv",
  gn: "gnw gui gun nhd",
  hmn: "hea hnj mmr mww sfm",
  iu: "ikt",
  kr: "kby krt",
  ku: "ckb sdh",
  kv: "koi",
  lah: "hnd hno phr skr",
  lv: "ltg",
  mg: "bhr bmm bzc msh skg tdx tkg txy xmv xmw",
  mn: "mvf",
  ms: "max meo mfa zlm",
  mwr: "dhd mtr rwr wry",
  ne: "dty",
  no: "nb nn",
  oj: "ciw ojb ojc ojg ojs ojw otw",
  om: "gax hae orc",
  or: "spv",
  ps: "pbu pst",
  qu: "qub qud quf qug quh quk qul qup qur qus quw qux quy qva qvc qve qvh qvi qvj qvl qvm qvn qvo qvp qvs qvw qvz qwa qwc qwh qws qxa qxc qxh qxl qxn qxo qxp qxr qxt qxu qxw",
  raj: "hoj mup wbr",
  sc: "sdc sdn sro",
  sq: "aae aat aln",
  syr: "aii cld",
  tmh: "taq thv thz",
  uz: "uzs",
  yi: "yih",
  zh: "cdo cjy cpx csp czh czo gan hak hsn lzh mnp nan wuu yue",
};

const macroLanguages = new Map(
  Object.entries(MACRO_LANGUAGES).flatMap(([macro, codes]) => codes.split(" ").map((code) => [code, macro])),
);

/** Regions whose readers know one form of a language better than that of its main region (CLDR, parent locales). */
const REGIONAL_FORMS: readonly (readonly [language: string, forms: readonly string[], regions: string])[] = [
  ["es", ["es-419"], "AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE"],
  ["pt", ["pt-pt"], "AO CH CV FR GQ GW LU MO MZ ST TL"],
  [
    "en",
    ["en-001", "en-gb"],
    "AU BD BW CA FJ GB GH HK IE IN JM KE LK MT MY NA NG NZ PG PK RW SG SS TZ UG ZA ZM ZW",
  ],
  ["zh", ["zh-hant-hk"], "MO"],
];

/** What is compared of a code. Script and region are the most likely ones where the code has none. */
interface Parts {
  /** Canonical, in lower case. */
  code: string;
  language: string;
  script: string | undefined;
  region: string | undefined;
}

const EXACT = 1000;
const SAME_LANGUAGE = 300;
/** One belongs to the other: Egyptian Arabic to Arabic. */
const RELATED = 100;
const SAME_SCRIPT = 100;
const REGIONAL_FORM = 30;
const SAME_REGION = 25;
/** `es` of `es-MX`. */
const PREFIX = 20;

/**
 * For the first wanted language of which there is anything: the very code, otherwise the same language in the same script,
 * otherwise the same language, otherwise its macro-language or a part of it. Codes are compared in their canonical form:
 * `in` is `id`, `tl` is `fil`.
 * @param wanted language codes by preference; what isn't a code is ignored
 * @returns one of `codes` as it is there; undefined if there is none: another language is never taken
 */
export function chooseLanguage(wanted: readonly string[], codes: readonly string[]): string | undefined {
  const candidates = codes.map((code) => ({ code, parts: parseCode(code) }));
  for (const parts of wanted.map(parseCode)) {
    let best: { code: string; rate: number } | undefined;
    for (const candidate of candidates) {
      const rate = rateLanguage(parts, candidate.parts);
      if (rate > (best?.rate ?? 0)) best = { code: candidate.code, rate };
    }
    if (best) return best.code;
  }
  return undefined;
}

/** 0: another language. */
function rateLanguage(wanted: Parts | undefined, candidate: Parts | undefined): number {
  if (!wanted || !candidate) return 0;
  if (wanted.code === candidate.code) return EXACT;
  const language = rateRelation(wanted.language, candidate.language);
  if (language === 0) return 0;
  return language + (wanted.script === candidate.script ? SAME_SCRIPT : 0) + rateRegion(wanted, candidate);
}

function rateRelation(wanted: string, candidate: string): number {
  if (wanted === candidate) return SAME_LANGUAGE;
  const [one, other] = [macroLanguages.get(wanted), macroLanguages.get(candidate)];
  // The two forms of Norwegian are read by the same people.
  const isRelated = one === candidate || other === wanted || (one === "no" && other === "no");
  return isRelated ? RELATED : 0;
}

function rateRegion(wanted: Parts, candidate: Parts): number {
  const isFormOfRegion = REGIONAL_FORMS.some(
    ([language, forms, regions]) =>
      language === wanted.language &&
      forms.includes(candidate.code) &&
      regions.split(" ").includes(wanted.region ?? ""),
  );
  return (
    (isFormOfRegion ? REGIONAL_FORM : 0) +
    (wanted.region === candidate.region ? SAME_REGION : 0) +
    (wanted.code.startsWith(`${candidate.code}-`) ? PREFIX : 0)
  );
}

/** Longer than any language code. */
const MAX_LENGTH = 35;

/** Whole codes of before 2006 (RFC 5646, 2.2.8), which Intl rejects, and those of older Windows and .NET. */
const FORMER_CODES: ReadonlyMap<string, string> = new Map([
  ["no-bok", "nb"],
  ["no-nyn", "nn"],
  ["zh-chs", "zh-Hans"],
  ["zh-cht", "zh-Hant"],
  ["zh-guoyu", "zh"],
  ["zh-hakka", "hak"],
  ["zh-min-nan", "nan"],
  ["zh-xiang", "hsn"],
]);

/** A language may stand behind its macro-language, as in `zh-yue` (RFC 5646, 2.2.2), which Intl takes for no code. */
const BEFORE_EXTENDED_LANGUAGE = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-(?=[a-z]{3}(?:-|$))/i;

/** A code as Intl knows it. */
export const toCurrentCode = (code: string): string =>
  FORMER_CODES.get(code.toLowerCase()) ?? code.replace(BEFORE_EXTENDED_LANGUAGE, "");

/** By code. Visitors can send any: it begins anew when it is full. */
const parsed = new Map<string, Parts | undefined>();
const MAX_PARSED = 500;

/** Undefined for what isn't a language code. */
function parseCode(code: string): Parts | undefined {
  if (code === "" || code.length > MAX_LENGTH) return undefined;
  if (parsed.has(code)) return parsed.get(code);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const parts = readParts(toCurrentCode(code.replaceAll("_", "-")));
  parsed.set(code, parts);
  return parts;
}

function readParts(code: string): Parts | undefined {
  try {
    const locale = new Intl.Locale(code);
    const { language, script, region } = locale.maximize();
    if (locale.language === "und") return undefined;
    // Who says Norwegian without a form means the one that most people write.
    return {
      code: locale.toString().toLowerCase(),
      language: language === "no" ? "nb" : language,
      script,
      region,
    };
  } catch {
    return undefined; // RangeError: not well-formed
  }
}
