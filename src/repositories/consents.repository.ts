/** What readers have agreed to, as often as they said it. */
import type { Insertable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { ConsentsTable } from "../db/schema.ts";

export type ConsentRow = ConsentsTable;

export class ConsentsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** When a contact has last said something; undefined when never. */
  async lastGivenAt(contactId: number): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom("consents")
      .select((eb) => eb.fn.max<number | null>("givenAt").as("last"))
      .where("contactId", "=", contactId)
      .executeTakeFirst();
    return row?.last ?? undefined;
  }

  /** The newest first: those before a time, or the newest of all. */
  listBefore(contactId: number, givenAt: number | undefined, limit: number): Promise<ConsentRow[]> {
    let query = this.#db.selectFrom("consents").selectAll().where("contactId", "=", contactId);
    if (givenAt !== undefined) query = query.where("givenAt", "<", givenAt);
    return query.orderBy("givenAt", "desc").limit(limit).execute();
  }

  async insert(row: Insertable<ConsentsTable>): Promise<void> {
    await this.#db.insertInto("consents").values(row).execute();
  }
}
