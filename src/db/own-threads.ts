/** Handles that read in threads of their own, each there for one piece of work. */
import { Kysely } from "kysely";
import type { Db } from "./kysely.ts";
import { reportDialect, reportWorker } from "./report-dialect.ts";
import type { Schema } from "./schema.ts";

export class OwnThreads {
  readonly #file: string;
  readonly #lent = new Set<Db>();
  #isClosed = false;

  /** @param file of the database */
  constructor(file: string) {
    this.#file = file;
  }

  async lend<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error("The database is closed");
    const db = new Kysely<Schema>({ dialect: reportDialect(reportWorker(this.#file)) });
    this.#lent.add(db);
    try {
      return await work(db);
    } finally {
      this.#lent.delete(db);
      await db.destroy();
    }
  }

  /** Work that is under way is told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lent].map((db) => db.destroy()));
  }
}
