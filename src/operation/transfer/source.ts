/** What a source of a library works with, and where it puts what the report mentions. */
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
  /** What is left out or chosen in a catalogue, as sentences. */
  notices: string[];
  /** What is said of files and folders, with headings by kind. */
  remarks: Remark[];
  progress: { begin(doing: string, total: number, done: () => number): void };
}
