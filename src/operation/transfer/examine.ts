/** Examines the files of a library: content and metadata. */
import { posix } from "node:path";
import pLimit from "p-limit";
import { identifyFile, recogniseContent } from "../../adapters/file-types/recognise.ts";
import { readZip } from "../../adapters/file-types/zip.ts";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import { refusalOf } from "../../lib/node-errors.ts";
import { type FileType, findFileType } from "../../schemas/file-types.ts";
import type { Failure } from "./library.ts";
import { isHidden, type LocalFile, UnusableFileError } from "./local-files.ts";
import type { Metadata } from "./metadata/metadata.ts";
import type { MetadataReader } from "./metadata/metadata-reader.ts";
import { formatCount } from "./remarks.ts";

/** While the metadata of one is read, the content of the next ones is. */
const FILES_AT_ONCE = 4;

export interface Candidate {
  file: LocalFile;
  fileType: FileType | undefined;
  /** Found in a folder: an archive of books isn't a book, unless a catalogue names it. */
  isFound?: boolean;
}

/** @returns undefined in the place of each file that is added to `failures` */
export async function examineAll(
  candidates: readonly Candidate[],
  { reader, failures }: { reader: MetadataReader; failures: Failure[] },
  onFile: () => void,
): Promise<(Examined | undefined)[]> {
  const limit = pLimit(FILES_AT_ONCE);
  return limit.map(candidates, async ({ file, fileType, isFound }) => {
    try {
      const inside = isFound && findFileType(file.name) === "zip" ? await findBooksInside(file) : undefined;
      if (inside !== undefined) throw new UnusableFileError(inside);
      return await examineFile(file, fileType, reader);
    } catch (error) {
      const reason = error instanceof UnusableFileError ? error.message : explainSystemError(error);
      if (reason === undefined) throw error;
      failures.push({ subject: file.place, reason });
      return undefined;
    } finally {
      onFile();
    }
  });
}

export interface Examined {
  fileType: FileType;
  metadata: Metadata;
}

/**
 * @param claimed the type that a catalogue names; without it, the name says it, or else the content
 * @throws UnusableFileError
 */
export async function examineFile(
  file: LocalFile,
  claimed: FileType | undefined,
  reader: MetadataReader,
): Promise<Examined> {
  const content = await recogniseContent(file);
  const identified = identifyFile(content, file.name, claimed);
  if (identified.objection !== undefined) throw new UnusableFileError(identified.objection);
  const { fileType } = identified;
  return { fileType, metadata: await reader.read(file, fileType) };
}

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

function explainSystemError(error: unknown): string | undefined {
  const reason = refusalOf(error);
  return reason && `The file can't be read: ${reason}.`;
}
