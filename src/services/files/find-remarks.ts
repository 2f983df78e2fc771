/** Compares what a file says of itself with its place in the catalogue. */
import { areRelatedLanguages } from "../../lib/related-languages.ts";
import { findScript, isLikeTitle, isNoTitle } from "../../lib/titles.ts";
import type { Remark } from "../../schemas/remarks.schemas.ts";
import type { Said } from "./said.ts";

/** Where a file is. */
export interface RemarkedPlace {
  fileName: string;
  fileType: string;
  languageCode: string;
  /** The codes of the parent and the sub-languages: a file can be in any of them. */
  relatedCodes: readonly string[];
  /** Of the edition in the language, or in its parent. */
  title: string | null;
  isbn: string | null;
  titleEn: string;
  /** What else the file can be called: the series. */
  otherNames: readonly string[];
  /** Of the editions in other languages. */
  otherTitles: readonly string[];
  /** Whether the title and the ISBN that the file says are those of another book: for a place that has none. */
  areOfAnotherBook?: { title: boolean; isbn: boolean };
}

/** The codes of the parent and of the sub-languages of each language, by its id. */
export function relateLanguages(
  languages: readonly { id: number; code: string; parentId: number | null }[],
): ReadonlyMap<number, readonly string[]> {
  const related = new Map(languages.map(({ id }): [number, string[]] => [id, []]));
  const codes = new Map(languages.map(({ id, code }) => [id, code]));
  for (const { id, code, parentId } of languages) {
    const parentCode = parentId === null ? undefined : codes.get(parentId);
    if (parentId === null || parentCode === undefined) continue;
    related.get(id)?.push(parentCode);
    related.get(parentId)?.push(code);
  }
  return related;
}

export function findRemarks(said: Said, place: RemarkedPlace): Remark[] {
  const isOther = isOfAnotherLanguage(said, place);
  const title = findOtherTitle(said, place, isOther);
  const isSaid = isOther && (title !== undefined || isReliable(said, place));
  return [
    ...(isSaid ? [remarkOn("language_differs", said.languageCode, place.languageCode)] : []),
    // An edition of the same book in the language that was said: nothing else is wrong.
    ...(title === undefined || (isSaid && isTitleOf(place.otherTitles, said.title))
      ? []
      : [remarkOn("title_differs", said.title, title)]),
    ...(isOtherIsbn(said, place) ? [remarkOn("isbn_differs", said.isbn, place.isbn)] : []),
  ];
}

const remarkOn = (code: Remark["code"], found: string | null, expected: string | null): Remark => ({
  code,
  found,
  expected,
});

function isOfAnotherLanguage(
  { languageCode: said }: Said,
  { languageCode, relatedCodes }: RemarkedPlace,
): boolean {
  return said !== null && ![languageCode, ...relatedCodes].some((code) => areRelatedLanguages(said, code));
}

/** Word processors and audio programs write English into files in any language, unless somebody has chosen another. */
const isReliable = ({ languageCode }: Said, { fileType }: RemarkedPlace): boolean =>
  ["epub", "kepub", "fb2", "mobi", "azw3"].includes(fileType) || !/^en\b/.test(languageCode ?? "");

/** The title that was expected, if the file says one that can't be it. */
function findOtherTitle(
  { title: said, languageCode: saidCode }: Said,
  { fileName, title, titleEn, languageCode, otherNames, areOfAnotherBook }: RemarkedPlace,
  isOfAnotherLanguage: boolean,
): string | undefined {
  if (said === null || isNoTitle(said, fileName)) return undefined;
  const isOwnLanguage = saidCode !== null && !isOfAnotherLanguage;
  // The same words look different in another script: a transliteration, or traditional characters.
  if (isOwnLanguage && title !== null && areInOtherScripts({ said, saidCode }, { title, languageCode }))
    return undefined;
  // The English title says nothing about that of another language.
  const isComparable = title !== null || /^en\b/.test(languageCode) || isOfAnotherLanguage;
  const isKnown = isComparable || areOfAnotherBook?.title === true;
  const names = [...(title === null ? [] : [title]), titleEn, ...otherNames];
  return isKnown && !isTitleOf(names, said) ? (title ?? titleEn) : undefined;
}

const areInOtherScripts = (
  { said, saidCode }: { said: string; saidCode: string },
  { title, languageCode }: { title: string; languageCode: string },
): boolean =>
  findScript(said) !== findScript(title) ||
  (saidCode.includes("-") && findCodeScript(saidCode) !== findCodeScript(languageCode));

const findCodeScript = (code: string): string | undefined => new Intl.Locale(code).maximize().script;

const isOtherIsbn = ({ isbn: said }: Said, { isbn, areOfAnotherBook }: RemarkedPlace): boolean =>
  said !== null && (isbn === null ? areOfAnotherBook?.isbn === true : said !== isbn);

const isTitleOf = (titles: readonly string[], said: string | null): boolean =>
  said !== null && titles.some((each) => isLikeTitle(said, each));
