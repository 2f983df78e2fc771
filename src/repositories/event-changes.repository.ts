/** Which events have changed since they were written. */
import type { Db } from "../db/kysely.ts";

export class EventChangesRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Removes the oldest, at most `limit`, but never one of the latest `kept`. @returns how many */
  async prune(kept: number, limit: number): Promise<number> {
    const newest = this.#db.selectFrom("event_changes").select((eb) => eb.fn.max("revision").as("newest"));
    const oldest = this.#db
      .selectFrom("event_changes")
      .select("revision")
      .where("revision", "<=", (eb) => eb(newest, "-", kept))
      .orderBy("revision")
      .limit(limit);
    const result = await this.#db
      .deleteFrom("event_changes")
      .where("revision", "in", oldest)
      .executeTakeFirst();
    return Number(result.numDeletedRows);
  }
}
