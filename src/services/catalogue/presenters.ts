/** What the public site sees, field by field. */
import { isoTime } from "../../lib/time.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { PublicBook, PublicBookDetails, PublicLanguageName } from "../../schemas/public.schemas.ts";
import { fileTypeOf, publicCoverPath } from "../books/presenters.ts";
import { filesIn, languagesOf, type PublicationParts, textsIn } from "./publication-parts.ts";

export const presentLanguageName = (row: LanguageRow): PublicLanguageName => ({
  id: row.id,
  code: row.code,
  name: row.name,
  nativeName: row.nativeName,
  direction: row.direction,
});

/** A book in one language or, without one, with the files of all languages in which it is published. */
export function presentPublicBook(
  row: BookRow,
  parts: PublicationParts,
  active: readonly LanguageRow[],
  language: LanguageRow | undefined,
): PublicBook {
  const languages = languagesOf(parts, active);
  const { title, description } = textsOf(row, parts, language);
  return {
    id: row.id,
    slug: row.slug,
    titleEn: row.titleEn,
    title,
    description,
    languageCode: language?.code ?? null,
    coverUrl: `${publicCoverPath(row.slug)}${language ? `?languageCode=${language.code}` : ""}`,
    sortOrder: row.sortOrder,
    languages: languages.map(({ code }) => code),
    files: (language ? [language] : languages).flatMap((scope) => presentFilesIn(parts, scope)),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** A book with its texts in every language in which it is published, and once more in the one that is asked for. */
export function presentPublicDetails(
  row: BookRow,
  parts: PublicationParts,
  active: readonly LanguageRow[],
  language: LanguageRow | undefined,
): PublicBookDetails {
  const { title, description, languageCode, coverUrl } = presentPublicBook(row, parts, active, language);
  return {
    ...presentPublicBook(row, parts, active, undefined),
    title,
    description,
    languageCode,
    coverUrl,
    translations: languagesOf(parts, active).map((language) => ({
      languageCode: language.code,
      ...textsOf(row, parts, language),
      direction: language.direction,
    })),
  };
}

/** The English texts stand in for what isn't translated. */
function textsOf(row: BookRow, { translations }: PublicationParts, language: LanguageRow | undefined) {
  const translated = language && textsIn(translations, language);
  return {
    title: translated?.title ?? row.titleEn,
    description: translated?.description ?? row.description,
  };
}

/** Under the code by which a reader asks for them, also where they are inherited. */
const presentFilesIn = ({ files }: PublicationParts, language: LanguageRow): PublicBook["files"] =>
  filesIn(files, language).map((file) => ({
    id: file.id,
    languageCode: language.code,
    fileType: fileTypeOf(file),
    fileName: file.fileName,
    fileSizeBytes: file.fileSizeBytes,
  }));
