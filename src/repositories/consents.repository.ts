/** The ledger of consents: all that readers have stated and administrators have decided. */
import type { Insertable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { ConsentsTable } from "../db/schema.ts";

export type ConsentRow = ConsentsTable;

export class ConsentsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All statements of a contact, the oldest first. */
  listOf(contactId: number): Promise<ConsentRow[]> {
    return this.#db
      .selectFrom("consents")
      .selectAll()
      .where("contactId", "=", contactId)
      .orderBy("givenAt")
      .execute();
  }

  async insert(row: Insertable<ConsentsTable>): Promise<void> {
    await this.#db.insertInto("consents").values(row).execute();
  }

  async setRepeatedAt(id: string, repeatedAt: number): Promise<void> {
    await this.#db.updateTable("consents").set({ repeatedAt }).where("id", "=", id).execute();
  }

  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("consents").where("id", "=", id).execute();
  }

  /** The statements stay, but not through which downloads and from which addresses they came. */
  async detachFrom(eventIds: readonly number[]): Promise<void> {
    if (eventIds.length === 0) return;
    const change = { eventId: null, ipAddress: null };
    await this.#db.updateTable("consents").set(change).where("eventId", "in", eventIds).execute();
  }
}
