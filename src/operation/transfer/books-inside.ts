/** Whether a ZIP is a book, or contains books. */
import { posix } from "node:path";
import { readZip } from "../../adapters/file-types/zip.ts";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import { isHidden } from "../../lib/hidden-names.ts";
import { type FileType, findFileType } from "../../schemas/file-types.ts";
import { formatCount } from "./remarks.ts";

/** Why an archive of books isn't a book; undefined for one of recordings or pages. */
export async function findBooksInside(file: Inspectable): Promise<string | undefined> {
  await using handle = await file.open();
  const { names } = (await readZip(handle, file.sizeBytes)) ?? { names: [] };
  const types = names.filter((name) => !isHidden(posix.basename(name))).map(findFileType);
  const books = types.filter((fileType) => fileType !== undefined && !NO_BOOK.has(fileType)).length;
  const isBook = types.some((fileType) => fileType !== undefined && IN_PARTS.has(fileType));
  return books === 0 || isBook
    ? undefined
    : `It contains ${formatCount(books, "book")}; unpack it first, or name it in a catalogue.`;
}

/** Types of which a book can have many files. */
const IN_PARTS: ReadonlySet<FileType> = new Set(["mp3", "m4b", "html"]);
/** Types that are often parts of something else, or beside it. */
const NO_BOOK: ReadonlySet<FileType> = new Set([...IN_PARTS, "txt", "cbz", "zip"]);
