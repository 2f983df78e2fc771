/** A service into which books are imported: reached over HTTP, or opened on its database and file store. */
import { z } from "zod";
import type { BulkItem } from "../../schemas/bulk.schemas.ts";
import type { LanguageDirectory } from "./language-codes.ts";
import type { BookFile, DeclaredLanguage } from "./library.ts";

export interface Target extends LanguageDirectory {
  /** False for an API key, which can't create languages. */
  readonly createsLanguages: boolean;
  createLanguage(language: DeclaredLanguage): Promise<void>;
  upsert(item: BulkItem): Promise<UpsertResult>;
  /** The ids of the books that have these slugs, by slug. */
  findIds(slugs: readonly string[]): Promise<Map<string, string>>;
  /** The places of bytes that the service has. */
  findPlaces(hashes: readonly string[]): Promise<StoredPlace[]>;
  readDetails(bookId: string): Promise<StoredBook>;
  /** The codes of the languages whose covers the book has, and `default`. */
  listCovers(bookId: string): Promise<string[]>;
  addFile(bookId: string, file: BookFile): Promise<void>;
  replaceFile(bookId: string, fileId: string, file: BookFile): Promise<void>;
  /** @param code of a language, or `default` */
  putCover(bookId: string, code: string, cover: CoverContent): Promise<void>;
}

export interface CoverContent {
  read(): Promise<Buffer>;
  /** Of the image, or of the file that contains it; undefined if it isn't known. */
  sha256: string | undefined;
}

/** A file of a book. */
const storedPlace = z.object({
  sha256: z.string(),
  bookId: z.string(),
  fileId: z.string(),
  languageCode: z.string(),
});
export type StoredPlace = z.infer<typeof storedPlace>;

/** The result of an item of a bulk upsert. */
export const upsertResult = z.object({
  status: z.string(),
  /** Empty if the item failed. */
  bookId: z.string(),
  error: z.string().optional(),
  code: z.string().optional(),
  errors: z.array(z.object({ code: z.string() })).optional(),
});
export type UpsertResult = z.infer<typeof upsertResult>;

/** A book of the service; the other fields are compared by name. */
const storedBook = z.object({
  book: z.looseObject({
    id: z.string(),
    slug: z.string(),
    titleEn: z.string(),
    authors: z.array(z.string()),
    isActive: z.number(),
  }),
  translations: z.array(
    z.looseObject({
      languageCode: z.string(),
      title: z.string(),
      authors: z.array(z.string()),
      isbn: z.string().nullable(),
    }),
  ),
  files: z.array(
    z.object({
      id: z.string(),
      languageCode: z.string(),
      fileType: z.string(),
      fileName: z.string(),
      fileSizeBytes: z.number(),
      isActive: z.number(),
      sha256: z.string().nullable(),
    }),
  ),
});
export type StoredBook = z.infer<typeof storedBook>;
