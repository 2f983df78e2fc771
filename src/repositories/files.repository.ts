/** Files of books: rows that refer to stored bytes or a cloud link. */
import { type Selectable, sql } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { ROWS_PER_STATEMENT, repositoryOf } from "./repository.ts";

export interface FileRow extends Selectable<Schema["book_files"]> {
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

  /** The files with these bytes. */
  listByHashes(hashes: readonly string[]): Promise<FileRow[]> {
    return this.#withLanguage()
      .where("sha256", "in", hashes)
      .orderBy("sha256")
      .orderBy("bookId")
      .orderBy("book_files.id")
      .execute();
  }

  /** Like `listByHashes`: the active files, at most so many with the same bytes. */
  async listActiveByHashes(hashes: readonly string[], limitEach: number): Promise<FileRow[]> {
    const rows: FileRow[] = [];
    for (const batch of splitIntoBatches(hashes, ROWS_PER_STATEMENT))
      rows.push(...(await this.#listActiveOf(batch, limitEach)));
    return rows;
  }

  #listActiveOf(hashes: readonly string[], limitEach: number): Promise<FileRow[]> {
    const numbered = this.db
      .selectFrom("book_files")
      .select([
        "id",
        sql<number>`row_number() over (partition by "sha256" order by "bookId", "id")`.as("place"),
      ])
      .where("sha256", "in", hashes)
      .where("isActive", "=", 1);
    const first = this.db.selectFrom(numbered.as("numbered")).select("id").where("place", "<=", limitEach);
    return this.#withLanguage()
      .where("book_files.id", "in", first)
      .orderBy("sha256")
      .orderBy("bookId")
      .orderBy("book_files.id")
      .execute();
  }
}
