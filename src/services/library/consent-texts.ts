/** Which text a reader saw who made a statement: that of the library with its version. */
import type { ConsentRow } from "../../repositories/consents.repository.ts";
import type { LanguageRow, LanguagesRepository } from "../../repositories/languages.repository.ts";
import type { ConsentTextsRepository, LibraryConsentRow } from "../../repositories/library.repository.ts";
import { listTextLanguages } from "./library-texts.ts";

type Statement = Pick<ConsentRow, "languageCode" | "textVersion" | "givenAt">;

interface ConsentTextsDeps {
  consentTexts: ConsentTextsRepository;
  languages: LanguagesRepository;
}

/** @returns a function with the text of each of the statements; undefined for one that isn't the library's */
export async function readConsentTexts(
  { consentTexts, languages }: ConsentTextsDeps,
  statements: readonly Statement[],
): Promise<(statement: Statement) => string | undefined> {
  const versions = [...new Set(statements.map(({ textVersion }) => textVersion))];
  const texts = await consentTexts.listByVersion(versions);
  if (texts.length === 0) return () => undefined;
  const all = await languages.list();
  return (statement) => findConsentText(texts, all, statement);
}

/**
 * The language of a page can have taken the text from another one: that of its own language counts if it existed when
 * the statement was made, then those that stand in. A text that was entered later is the last choice.
 */
function findConsentText(
  texts: readonly LibraryConsentRow[],
  languages: readonly LanguageRow[],
  { languageCode, textVersion, givenAt }: Statement,
): string | undefined {
  const ofVersion = texts.filter(({ version }) => version === textVersion);
  const byCode = ofVersion.filter((text) => text.languageCode === languageCode);
  const asked = listTextLanguages(languages, languageCode);
  const inOrder = [
    ...byCode,
    ...asked.flatMap(({ id, code }) =>
      ofVersion.filter((text) => text.languageId === id || text.languageCode === code),
    ),
  ];
  return (inOrder.find(({ createdAt }) => createdAt <= givenAt) ?? inOrder[0])?.text;
}
