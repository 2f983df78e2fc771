/** Maps published books to the objects of the public API. */
import { isoTime } from "../../lib/time.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import {
  type PublicBook,
  type PublicBookDetails,
  type PublicLanguageName,
  publicLanguageName,
} from "../../schemas/public.schemas.ts";
import { publicCoverPath } from "../shared/cover-paths.ts";
import { readBookCredits } from "../shared/credits.ts";
import { fileTypeOf } from "../shared/stored-values.ts";
import {
  chooseCredits,
  chooseFiles,
  findTexts,
  type PublicationParts,
  selectLanguages,
} from "./publication-parts.ts";

export const presentLanguageName = (row: LanguageRow): PublicLanguageName => publicLanguageName.encode(row);

/** A book in one language, or without a language with the files of all languages in which it is published. */
export function presentPublicBook(
  row: BookRow,
  parts: PublicationParts,
  active: readonly LanguageRow[],
  language: LanguageRow | undefined,
): PublicBook {
  const languages = selectLanguages(parts, active);
  const { title, description } = chooseTexts(row, parts, language);
  const { authors, tags, series } = readBookCredits(row);
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
    ...(language ? chooseCredits(parts.translations, language, row) : { authors, ...NO_EDITION }),
    publishedAt: isoTime(findPublicationTime(row, parts, language ? [language] : languages)),
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
    translations: selectLanguages(parts, active).map((language) => ({
      languageCode: language.code,
      ...chooseTexts(row, parts, language),
      direction: language.direction,
      ...chooseCredits(parts.translations, language, row),
    })),
  };
}

/** Its date, or else when it got the first of the files that readers of these languages get. */
function findPublicationTime(
  { publishAt, createdAt }: BookRow,
  { files }: PublicationParts,
  languages: readonly LanguageRow[],
): number {
  if (publishAt !== null) return publishAt;
  const ids = new Set(languages.flatMap(scopeIds));
  const times = files.filter(({ languageId }) => ids.has(languageId)).map((file) => file.createdAt);
  return times.length === 0 ? createdAt : Math.min(...times);
}

const NO_EDITION = { contributors: [], publisher: null, license: null, isbn: null };

/** Missing translations fall back to the English texts. */
function chooseTexts(row: BookRow, { translations }: PublicationParts, language: LanguageRow | undefined) {
  const translated = language && findTexts(translations, language);
  return {
    title: translated?.title ?? row.titleEn,
    description: translated?.description ?? row.description,
  };
}

/** Files are listed under the requested language, even if they are inherited from another. */
const presentFilesIn = ({ files }: PublicationParts, language: LanguageRow): PublicBook["files"] =>
  chooseFiles(files, language).map((file) => ({
    id: file.id,
    languageCode: language.code,
    fileType: fileTypeOf(file),
    fileName: file.fileName,
    fileSizeBytes: file.fileSizeBytes,
  }));
