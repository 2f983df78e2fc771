/** The end of books: what hangs on one, and its removal. */
import { sql } from "kysely";
import type { Db } from "../db/kysely.ts";

export interface DeletionImpact {
  translations: number;
  files: number;
  localFiles: number;
  fileBytes: number;
  covers: number;
  publications: number;
  visibilityOverrides: number;
  downloadEvents: number;
}

const countAll = sql<number>`count(*)`.as("n");

export class BookLifecycleRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** How much hangs on a book. The bytes are those of local files that nothing else refers to, each content once. */
  deletionImpact(id: string): Promise<DeletionImpact> {
    const rowsOf = (table: "translations" | "book_files" | "covers" | "publications" | "book_visibility") =>
      this.#db.selectFrom(table).where("bookId", "=", id);
    const archives = this.#db.selectFrom("archive_books").select("archiveId").where("bookId", "=", id);
    const events = this.#db
      .selectFrom("download_events")
      .where((eb) => eb.or([eb("bookId", "=", id), eb("archiveId", "in", archives)]));
    const localFiles = rowsOf("book_files").where("sha256", "is not", null);
    return this.#db
      .selectNoFrom([
        rowsOf("translations").select(countAll).$asScalar().$notNull().as("translations"),
        rowsOf("book_files").select(countAll).$asScalar().$notNull().as("files"),
        localFiles.select(countAll).$asScalar().$notNull().as("localFiles"),
        this.#bytesOfItsOwn(id).$asScalar().$notNull().as("fileBytes"),
        rowsOf("covers").select(countAll).$asScalar().$notNull().as("covers"),
        rowsOf("publications").select(countAll).$asScalar().$notNull().as("publications"),
        rowsOf("book_visibility").select(countAll).$asScalar().$notNull().as("visibilityOverrides"),
        events.select(countAll).$asScalar().$notNull().as("downloadEvents"),
      ])
      .executeTakeFirstOrThrow();
  }

  /** With all that hangs on it but the events, which name their book by no foreign key. */
  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("books").where("id", "=", id).execute();
  }

  #bytesOfItsOwn(id: string) {
    const contents = this.#db
      .selectFrom("book_files")
      .select((eb) => ["sha256", eb.fn.max("fileSizeBytes").as("sizeBytes")])
      .where("bookId", "=", id)
      .where("sha256", "is not", null)
      .where(({ not, exists, selectFrom }) => {
        const inFiles = selectFrom("book_files as other")
          .select("other.id")
          .whereRef("other.sha256", "=", "book_files.sha256")
          .where("other.bookId", "<>", id);
        const inCovers = selectFrom("covers as other")
          .select("other.id")
          .whereRef("other.sha256", "=", "book_files.sha256")
          .where("other.bookId", "<>", id);
        return not(exists(inFiles.unionAll(inCovers)));
      })
      .groupBy("sha256");
    return this.#db
      .selectFrom(contents.as("contents"))
      .select(sql<number>`coalesce(sum(${sql.ref("sizeBytes")}), 0)`.as("n"));
  }
}
