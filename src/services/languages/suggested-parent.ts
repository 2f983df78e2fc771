/** The language that could be the parent of another one, by their codes. */
import { listParentCodes } from "../../lib/bcp47.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";

/** A function that suggests parents among the languages. The hierarchy has two levels. */
export function createParentSuggestion(
  languages: readonly LanguageRow[],
): (row: LanguageRow) => number | null {
  const parents = new Set(languages.map(({ parentId }) => parentId));
  const idByCode = new Map(
    languages.filter(({ parentId }) => parentId === null).map(({ codeKey, id }) => [codeKey, id]),
  );
  return ({ id, code, parentId }) => {
    if (parentId !== null || parents.has(id)) return null;
    const found = listParentCodes(code).map((each) => idByCode.get(each.toLowerCase()));
    return found.find((each) => each !== undefined) ?? null;
  };
}
