/** What a source of a library works with, and where it puts what the report mentions. */
import type { ImportNotice } from "../../schemas/import-notices.schemas.ts";
import type { Languages } from "./language-codes.ts";
import type { Failure } from "./library.ts";
import type { MetadataReader } from "./metadata/metadata-reader.ts";
import type { Remark } from "./remarks.ts";

/** Reads files of a library. */
export type LibraryReader = Pick<MetadataReader, "recognise" | "findBooksInside" | "read" | "readSheet">;

export interface SourceDeps {
  languages: Languages;
  reader: LibraryReader;
  failures: Failure[];
  /** What isn't read in a catalogue. */
  notices: ImportNotice[];
  /** What is said of files and folders, with headings by kind. */
  remarks: Remark[];
  progress: { begin(doing: string, total: number, done: () => number): void };
}
