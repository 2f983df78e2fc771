/** What a code that is typed says about its language. */
import type { Schemas } from "../api/client.ts";

function readLocale(code: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(code);
  } catch {
    return undefined;
  }
}

const nameIn = (locale: string, code: string): string | undefined =>
  new Intl.DisplayNames(locale, { type: "language", fallback: "none" }).of(code);

/** Whether a text is written as a code; other words are names. */
export const isCode = (text: string): boolean =>
  /^[a-z]{2,3}(?:-|$)/i.test(text) && readLocale(text) !== undefined;

/** The name of the language of a code in that of the console, where the browser knows it. */
export function nameCode(code: string, language: string): string | undefined {
  const { baseName } = readLocale(code) ?? {};
  return baseName && (nameIn(language, baseName) ?? nameIn("en", baseName));
}

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\s]/gu, "")
    .toLowerCase();

/** Whether a text is the very name of the language, in itself, in English or in that of the console. */
export const isNameOf = (text: string, code: string, language: string): boolean =>
  [code, "en", language].some((locale) => fold(nameIn(locale, code) ?? "") === fold(text));

type Parent = Pick<Schemas["ListedLanguage"], "id" | "code" | "name" | "parentId">;

/** The nearest language of which one with this code can be a sub-language, as the service suggests it afterwards. */
export function findParent<Language extends Parent>(
  code: string,
  languages: readonly Language[],
): Language | undefined {
  const locale = readLocale(code);
  const subtags = locale?.toString().split("-") ?? [];
  if (locale === undefined || subtags.length < 2) return undefined;
  const { language, script } = locale.maximize();
  const codes = new Set(subtags.map((_, index) => subtags.slice(0, index).join("-")));
  codes.add(`${language}-${script}`).delete(locale.toString());
  return languages
    .filter((each) => each.parentId === null && codes.has(each.code))
    .sort((a, b) => b.code.length - a.code.length)[0];
}
