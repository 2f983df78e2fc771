/** What the thread of an import asks the service to write, as messages between the two. */
import { z } from "zod";
import type { BulkItem } from "../../../schemas/bulk.schemas.ts";
import type { FileType } from "../../../schemas/file-types.ts";
import type { DeclaredLanguage } from "../library.ts";

/** Bytes that the service has, and what their metadata says. */
export interface StoredContent {
  sha256: string;
  fileName: string;
  languageCode: string;
  fileType: FileType;
  said: {
    title?: string | undefined;
    languageCode?: string | undefined;
    isbn?: string | undefined;
    unreadable?: string | undefined;
    coverIsMissing?: boolean | undefined;
  };
}

export type ImportWrite =
  | { kind: "language"; language: DeclaredLanguage }
  | { kind: "upsert"; item: BulkItem }
  | { kind: "addFile"; bookId: string; content: StoredContent }
  | { kind: "replaceFile"; bookId: string; fileId: string; content: StoredContent }
  | { kind: "putCover"; bookId: string; code: string; sha256: string };

/** How far an import is. */
export interface ImportProgress {
  files: number;
  books: number;
}

export type MessageOfThread =
  | { kind: "write"; number: number; write: ImportWrite }
  | { kind: "progress"; progress: ImportProgress };

/** The outcome of a write. An error without a status ends the import, which the service knows already. */
export const writeOutcome = z.object({
  number: z.number(),
  result: z.unknown(),
  error: z.object({ status: z.number(), message: z.string(), code: z.string().optional() }).optional(),
});
export type WriteOutcome = z.infer<typeof writeOutcome>;
