/** Files of books: rows that refer to stored bytes or a cloud link. */
import type { Selectable } from "kysely";
import { allOf } from "../db/columns.ts";
import type { BookFilesTable } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { ROWS_PER_STATEMENT, repositoryOf } from "./repository.ts";

export interface FileRow extends Selectable<BookFilesTable> {
  languageCode: string;
}

export interface FilePlace {
  bookId: string;
  languageId: number;
  fileType: string;
}

export class FilesRepository extends repositoryOf("book_files") {
  #withLanguage() {
    return this.db
      .selectFrom("book_files")
      .innerJoin("languages", "languages.id", "book_files.languageId")
      .select(allOf("book_files"))
      .select("languages.code as languageCode");
  }

  listOfBook(bookId: string): Promise<FileRow[]> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .orderBy("languages.code")
      .orderBy("book_files.fileType")
      .orderBy("book_files.createdAt", "desc")
      .orderBy("book_files.id", "desc")
      .execute();
  }

  /** The file if it belongs to this book. */
  findOfBook(bookId: string, fileId: string): Promise<FileRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("book_files.id", "=", fileId)
      .executeTakeFirst();
  }

  /** The active file of this type for readers of the language. */
  findActiveAt({ bookId, languageId, fileType }: FilePlace): Promise<FileRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .where("fileType", "=", fileType)
      .where("book_files.isActive", "=", 1)
      .executeTakeFirst();
  }

  /** Deactivates the active file of this type, so that another one can be activated. */
  async deactivateAt({ bookId, languageId, fileType }: FilePlace, now: number): Promise<void> {
    await this.db
      .updateTable("book_files")
      .set({ isActive: 0, updatedAt: now })
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .where("fileType", "=", fileType)
      .where("isActive", "=", 1)
      .execute();
  }

  async activate(ids: readonly string[], now: number): Promise<void> {
    for (const batch of splitIntoBatches(ids, ROWS_PER_STATEMENT)) {
      await this.db
        .updateTable("book_files")
        .set({ isActive: 1, updatedAt: now })
        .where("id", "in", batch)
        .execute();
    }
  }

  /** The content addresses of the local files and covers of a book or a language. */
  async listHashes(column: "bookId" | "languageId", id: string | number): Promise<string[]> {
    const ofCovers = this.db.selectFrom("covers").select("sha256").where(column, "=", id);
    const rows = await this.db
      .selectFrom("book_files")
      .select("sha256")
      .where(column, "=", id)
      .where("sha256", "is not", null)
      .$narrowType<{ sha256: string }>()
      .union(ofCovers)
      .execute();
    return rows.map((row) => row.sha256);
  }

  /** The size in bytes of files with this content; undefined if there is none. */
  async findSize(sha256: string): Promise<number | undefined> {
    const row = await this.db
      .selectFrom("book_files")
      .select("fileSizeBytes")
      .where("sha256", "=", sha256)
      .limit(1)
      .executeTakeFirst();
    return row?.fileSizeBytes;
  }

  /** The files with these bytes. */
  listByHashes(hashes: readonly string[]): Promise<FileRow[]> {
    return this.#withLanguage()
      .where("sha256", "in", hashes)
      .orderBy("sha256")
      .orderBy("bookId")
      .orderBy("book_files.id")
      .execute();
  }

  /** Those of the hashes to whose bytes a file or cover refers. Call it with some hundred hashes at most. */
  async findReferred(hashes: readonly string[]): Promise<ReadonlySet<string | null>> {
    if (hashes.length === 0) return new Set();
    const covers = this.db.selectFrom("covers").select("sha256").where("sha256", "in", hashes);
    const files = this.db.selectFrom("book_files").select("sha256").where("sha256", "in", hashes);
    const rows = await files.union(covers).execute();
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /** Whether any file or cover refers to these bytes. */
  async isReferred(sha256: string): Promise<boolean> {
    const covers = this.db.selectFrom("covers").select("id").where("sha256", "=", sha256);
    const files = this.db.selectFrom("book_files").select("id").where("sha256", "=", sha256);
    return (await files.unionAll(covers).limit(1).executeTakeFirst()) !== undefined;
  }
}
