/** Maps published books to the objects of the public API. */
import { isoTime } from "../../lib/time.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import {
  type PublicBook,
  type PublicBookDetails,
  type PublicLanguageName,
  publicLanguageName,
} from "../../schemas/public.schemas.ts";
import { publicCoverPath } from "../shared/cover-paths.ts";
import { bookCreditsOf } from "../shared/credits.ts";
import { fileTypeOf } from "../shared/stored-values.ts";
import { creditsIn, filesIn, languagesOf, type PublicationParts, textsIn } from "./publication-parts.ts";

export const presentLanguageName = (row: LanguageRow): PublicLanguageName => publicLanguageName.encode(row);

/** A book in one language, or without a language with the files of all languages in which it is published. */
export function presentPublicBook(
  row: BookRow,
  parts: PublicationParts,
  active: readonly LanguageRow[],
  language: LanguageRow | undefined,
): PublicBook {
  const languages = languagesOf(parts, active);
  const { title, description } = textsOf(row, parts, language);
  const { authors, tags, series } = bookCreditsOf(row);
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
    tags,
    series,
    ...(language ? creditsIn(parts.translations, language, row) : { authors, ...NO_EDITION }),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** A book with its texts in every language in which it is published, and additionally in the requested one. */
export function presentPublicDetails(
  row: BookRow,
  parts: PublicationParts,
  active: readonly LanguageRow[],
  language: LanguageRow | undefined,
): PublicBookDetails {
  const { files } = presentPublicBook(row, parts, active, undefined);
  return {
    ...presentPublicBook(row, parts, active, language),
    files,
    translations: languagesOf(parts, active).map((language) => ({
      languageCode: language.code,
      ...textsOf(row, parts, language),
      direction: language.direction,
      ...creditsIn(parts.translations, language, row),
    })),
  };
}

const NO_EDITION = { contributors: [], publisher: null, license: null, isbn: null };

/** Missing translations fall back to the English texts. */
function textsOf(row: BookRow, { translations }: PublicationParts, language: LanguageRow | undefined) {
  const translated = language && textsIn(translations, language);
  return {
    title: translated?.title ?? row.titleEn,
    description: translated?.description ?? row.description,
  };
}

/** Files are listed under the requested language, even if they are inherited from another. */
const presentFilesIn = ({ files }: PublicationParts, language: LanguageRow): PublicBook["files"] =>
  filesIn(files, language).map((file) => ({
    id: file.id,
    languageCode: language.code,
    fileType: fileTypeOf(file),
    fileName: file.fileName,
    fileSizeBytes: file.fileSizeBytes,
  }));
