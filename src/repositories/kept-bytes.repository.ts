/** How much the rows of files and covers say is kept. */
import type { Db } from "../db/kysely.ts";

export class KeptBytesRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Rows that name bytes: of files, and of covers. */
  async countRows(): Promise<number> {
    const files = this.#db.selectFrom("book_files").where("sha256", "is not", null);
    const covers = this.#db.selectFrom("covers");
    const { ofFiles, ofCovers } = await this.#db
      .selectNoFrom([
        files.select((eb) => eb.fn.countAll<number>().as("count")).as("ofFiles"),
        covers.select((eb) => eb.fn.countAll<number>().as("count")).as("ofCovers"),
      ])
      .executeTakeFirstOrThrow();
    return (ofFiles ?? 0) + (ofCovers ?? 0);
  }
}
