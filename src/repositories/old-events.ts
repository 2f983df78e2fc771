/** Old events that still contain data about their reader. */
import type { Db } from "../db/kysely.ts";
import type { EventCursor } from "./exports/download-log.ts";

export class OldEventsQuery {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Oldest first, after a position.
   * @param before epoch milliseconds, exclusive
   */
  list(before: number, { downloadedAt, id }: EventCursor, limit: number): Promise<EventCursor[]> {
    return (
      this.#db
        .selectFrom("download_events")
        .select(["downloadedAt", "id"])
        .where("downloadedAt", "<", before)
        // The bound on the time lets the index scan begin at the position.
        .where("downloadedAt", ">=", downloadedAt)
        .where((eb) => eb(eb.refTuple("downloadedAt", "id"), ">", eb.tuple(downloadedAt, id)))
        .where((eb) => eb.or([eb("contactId", "is not", null), eb("ipAddress", "is not", null)]))
        .orderBy("downloadedAt")
        .orderBy("id")
        .limit(limit)
        .execute()
    );
  }
}
