/** Where the files of a book say another language, title or ISBN than the place that they get. */
import type { Remark } from "../../schemas/remarks.schemas.ts";
import { findRemarks } from "../../services/files/find-remarks.ts";
import { saidOf } from "../../services/files/said.ts";
import type { BookFile } from "./library.ts";
import type { StoredBook } from "./target.ts";
import type { WantedBook } from "./wanted.ts";

export function findFileRemarks(
  { fields, translations }: WantedBook,
  { file, fileType, languageCode, metadata }: BookFile,
  stored: StoredBook | undefined,
): Remark[] {
  const editions = [...(stored?.translations ?? []), ...translations];
  const own = editions.find((each) => each.languageCode === languageCode);
  const titleOf = (edition: { title: string | undefined }) => edition.title ?? [];
  return findRemarks(saidOf(metadata), {
    fileName: file.name,
    fileType,
    languageCode,
    relatedCodes: [],
    title: own?.title ?? null,
    isbn: own?.isbn ?? null,
    titleEn: stored?.book.titleEn ?? fields.titleEn,
    otherNames: fields.series ? [fields.series.name] : [],
    otherTitles: editions.filter((each) => each.languageCode !== languageCode).flatMap(titleOf),
  });
}

/** `its language is ru, its title is “…”`. */
export const describeRemarks = (remarks: readonly Remark[]): string =>
  remarks.map(({ code, found }) => `its ${nameValue(code, found)}`).join(", ");

/** As a sentence. */
export const describeDifference = ({ code, found, expected }: Remark): string =>
  `It says that its ${nameValue(code, found)}; that of its place is ${quote(code, expected)}.`;

function nameValue(code: Remark["code"], value: string | null): string {
  const what = code === "language_differs" ? "language" : code === "isbn_differs" ? "ISBN" : "title";
  return `${what} is ${quote(code, value)}`;
}

const quote = (code: Remark["code"], value: string | null): string =>
  code === "title_differs" ? `“${value}”` : `${value}`;
