/** Which language codes can mean one language: a region, a script, and a macro-language say more or less of the same. */

/**
 * The languages of macro-languages (ISO 639-3) whose code is usual by itself. Codes that CLDR replaces by the
 * macro-language, such as `cmn`, aren't needed.
 */
const MACRO_LANGUAGES: Readonly<Record<string, string>> = {
  ak: "fat tw",
  ar: "aao abh abv acm acq acw acx acy adf aeb aec afb ajp apc apd arq ars ary arz auz avl ayh ayl ayn ayp shu ssh",
  ay: "ayc ayr",
  az: "azb azj",
  bal: "bcc bgn bgp",
  bik: "bcl bln bto cts fbl lbl rbl ubl",
  cr: "crj crk crl crm csw cwd",
  din: "dib dik dip diw dks",
  doi: "dgo xnr",
  et: "ekk vro",
  fa: "pes prs",
  ff: "ffm fub fuc fue fuf fuh fui fuq fuv",
  gn: "gug gui gun gnw nhd",
  hmn: "cqd hea hma hmc hmd hmj hml hmm hms hmw hmz hnj huj mmr mww sfm",
  // No macro-language, but the code that most programs have for both.
  hy: "hyw",
  ik: "esi esk",
  iu: "ike ikt",
  kln: "enb eyo niq oki pko sgc spy tec tuy",
  kok: "gom knn",
  kr: "kby knc krt",
  ku: "ckb kmr sdh",
  kv: "koi kpv",
  lah: "hnd hno jat phr pnb skr",
  luy: "bxk ida lkb lko lks lri lrm lsm lto lts lwg nle nyd rag",
  lv: "ltg lvs",
  man: "emk mku mlq mnk msc mwk",
  mg: "bhr bmm bzc msh plt skg tdx tkg txy xmv xmw",
  mn: "khk mvf",
  ms: "bjn bve bvu coa id jax kvb kvr kxd lce lcf liw max meo mfa mfb min mqg msi mui orn ors pel pse tmw urk vkk vkt xmm zlm zmi zsm",
  mwr: "dhd mtr mve rwr swv wry",
  ne: "dty npi",
  no: "nb nn",
  oj: "ciw ojb ojc ojg ojs ojw otw",
  om: "gax gaz hae orc",
  or: "ory spv",
  ps: "pbt pbu pst",
  qu: "qub quc qud quf qug quh quk qul qup qur qus quw qux quy quz qva qvc qve qvh qvi qvj qvl qvm qvn qvo qvp qvs qvw qvz qwa qwc qwh qws qxa qxc qxh qxl qxn qxo qxp qxr qxt qxu qxw",
  raj: "bgq gda gju hoj mup wbr",
  rom: "rmc rmf rml rmn rmo rmw rmy",
  sc: "sdc sdn src sro",
  sq: "aae aat aln als",
  sw: "swc swh",
  syr: "aii cld",
  tmh: "taq thv thz ttq",
  uz: "uzn uzs",
  yi: "ydd yih",
  za: "ccx ccy zch zeh zgb zgm zgn zhd zhn zlj zln zlq zqe zyb zyg zyj zyn zzj",
  zap: "zaa zab zad zai zaw zpc zpi zpl zpo zpq",
  zh: "cdo cjy cpx czh czo gan hak hsn lzh mnp nan wuu yue",
};

const MACRO_OF = new Map(
  Object.entries(MACRO_LANGUAGES).flatMap(([macro, codes]) =>
    codes.split(" ").map((code) => [code, macro] as const),
  ),
);

const primaryOf = (code: string): string => code.toLowerCase().split("-")[0] ?? "";

/** Whether two codes can mean the same language: `zh-TW` and `zh-Hans`, `arz` and `ar`, but not `nb` and `nn`. */
export function areRelatedLanguages(one: string, other: string): boolean {
  const [first, second] = [primaryOf(one), primaryOf(other)];
  return first === second || MACRO_OF.get(first) === second || MACRO_OF.get(second) === first;
}
