/** Maps languages, and the books of sub-languages, to API objects. */
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { BookInLanguageRow } from "../../repositories/visibility.repository.ts";
import { CONFIRMATION_RULES } from "../../schemas/confirmations.schemas.ts";
import { type Language, language, type SubLanguageBook } from "../../schemas/languages.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { parseWord, timesOf } from "../shared/stored-values.ts";

export const presentLanguage = (row: LanguageRow): Language =>
  language.encode({
    ...row,
    ...timesOf(row),
    emailConfirmation:
      row.emailConfirmation === null ? null : parseWord(CONFIRMATION_RULES, row.emailConfirmation),
    version: languageVersion(row),
  });

const languageVersion = (row: LanguageRow): string =>
  versionOf(
    row.code,
    row.name,
    row.nativeName,
    row.direction,
    row.parentId,
    row.customDomain,
    row.legacyDownloadCount,
    row.isActive,
    // Without a rule of its own, the version is that of earlier releases.
    ...(row.emailConfirmation === null ? [] : [row.emailConfirmation]),
  );

export const presentSubLanguageBook = (row: BookInLanguageRow): SubLanguageBook => ({
  bookId: row.bookId,
  slug: row.slug,
  titleEn: row.titleEn,
  isVisible: Boolean(row.isVisible),
  override: row.override === null ? null : row.override === 1,
  inherited: row.override === null,
});
