/** What has a contact downloaded? */
import type { Db } from "../../db/kysely.ts";
import type { EventRow } from "../events.repository.ts";

export class ContactEventsQuery {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The newest first. */
  latest(contactId: number, limit: number): Promise<EventRow[]> {
    return this.#ofContact(contactId)
      .orderBy("downloadedAt", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  /** In the order in which they came, the last first: those before an event, or the last of all. */
  listBefore(contactId: number, id: number | undefined, limit: number): Promise<EventRow[]> {
    let query = this.#ofContact(contactId);
    if (id !== undefined) query = query.where("id", "<", id);
    return query.orderBy("id", "desc").limit(limit).execute();
  }

  #ofContact(contactId: number) {
    return this.#db.selectFrom("download_events").selectAll().where("contactId", "=", contactId);
  }
}
