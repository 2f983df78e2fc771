/** Language codes: BCP 47 (RFC 5646) in canonical form, their names and text direction. */
import { LRUCache } from "lru-cache";
import { toCurrentCode } from "./choose-language.ts";

/** RFC 5646, 4.4.1: room for language, script, region and variants. */
const MAX_LENGTH = 35;

/**
 * Language, script, region, variants, and a private part (`en-x-simple`). Extensions (`u-ca-...`) don't describe the
 * language of a book, and no registered language has more than three letters: `english` is a mistake.
 */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*(?:-x(?:-[a-z0-9]{1,8})+)?$/;

/** The canonical form of a code (`EN-us` is `en-US`, `iw` is `he`), or undefined if it isn't a language code. */
export function canonicalizeLanguageCode(code: string): string | undefined {
  return code.length > MAX_LENGTH ? undefined : canonicalCodes.memo(code) || undefined;
}

/** By code, its canonical form; empty if it isn't a language code. */
const canonicalCodes = new LRUCache<string, string>({
  max: 1000,
  memoMethod(code) {
    const canonical = canonicalizeLocale(code) ?? "";
    return canonical.length <= MAX_LENGTH && LANGUAGE_TAG.test(canonical) ? canonical : "";
  },
});

/** The text direction of a language's usual script. `code` is a valid language code. */
export function findDirection(code: string): "ltr" | "rtl" {
  return new Intl.Locale(code).getTextInfo().direction === "rtl" ? "rtl" : "ltr";
}

/**
 * The name of a language in English and in the language itself, from CLDR, with a capital letter. A private part is added
 * in parentheses; for a language that CLDR doesn't know, the name is the code. `code` is a valid language code.
 */
export function findLanguageNames(code: string): { name: string; nativeName: string } {
  const [known = "", privatePart] = code.split("-x-");
  const name = findDisplayName(known, "en") ?? known;
  // For an unknown locale, Intl would use that of the process.
  const isKnown = Intl.DisplayNames.supportedLocalesOf(known).length > 0;
  const own = isKnown ? findDisplayName(known, known) : undefined;
  const nativeName = own ? capitalize(own, known) : name;
  const withPart = (text: string) => (privatePart === undefined ? text : `${text} (${privatePart})`);
  return { name: withPart(name), nativeName: withPart(nativeName) };
}

/**
 * As in a list: CLDR writes many names as in a sentence, `español`. Capitals inside stay (`isiZulu`), and those of Georgian
 * are for headlines.
 */
function capitalize(name: string, locale: string): string {
  if (/^(?:\p{Script=Georgian}|\p{Ll}+\p{Lu})/u.test(name)) return name;
  const [first = ""] = name;
  return first.toLocaleUpperCase(locale) + name.slice(first.length);
}

/** The code and its prefixes, the longest first (RFC 4647, 3.4): `zh-hant-tw`, `zh-hant`, `zh`. */
function listPrefixes(code: string): string[] {
  const subtags = code.split("-");
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}

/**
 * The codes that the parent of a sub-language can have, the nearest first: `zh-Hant` and `zh` for `zh-TW`, `es` for
 * `es-MX`, none for `es`. `code` is a valid language code.
 */
export function listParentCodes(code: string): string[] {
  const [, ...prefixes] = listPrefixes(code);
  if (prefixes.length === 0) return [];
  const { language, script } = new Intl.Locale(code).maximize();
  const withScript = script === undefined ? [] : [`${language}-${script}`];
  const codes = new Set(
    [...prefixes, ...withScript].filter(
      (each) => each !== code && canonicalizeLanguageCode(each) !== undefined,
    ),
  );
  return [...codes].sort((a, b) => b.length - a.length);
}

const findDisplayName = (code: string, locale: string): string | undefined =>
  new Intl.DisplayNames([locale], { type: "language", fallback: "none" }).of(code);

function canonicalizeLocale(given: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(toCurrentCode(given))[0];
  } catch {
    return undefined; // RangeError: not well-formed
  }
}
