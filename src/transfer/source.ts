/** What a source of a library works with, and where it puts what the report mentions. */
import type { Languages } from "./language-codes.ts";
import type { Failure } from "./library.ts";
import type { MetadataReader } from "./metadata/metadata-reader.ts";
import type { Remark } from "./remarks.ts";

export interface SourceDeps {
  languages: Languages;
  reader: MetadataReader;
  failures: Failure[];
  /** Receives what is left out, as sentences. */
  notices: string[];
  remarks: Remark[];
  progress: { begin(doing: string, total: number, done: () => number): void };
}
