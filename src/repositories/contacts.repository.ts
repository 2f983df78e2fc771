/** Readers who asked for downloads. */
import type { Insertable, Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { ContactsTable } from "../db/schema.ts";

export type ContactRow = ContactsTable;

export class ContactsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  findByEmail(email: string): Promise<ContactRow | undefined> {
    return this.#db.selectFrom("contacts").selectAll().where("email", "=", email).executeTakeFirst();
  }

  async insert(row: Insertable<ContactsTable>): Promise<void> {
    await this.#db.insertInto("contacts").values(row).execute();
  }

  async update(id: string, change: Updateable<ContactsTable>): Promise<void> {
    await this.#db.updateTable("contacts").set(change).where("id", "=", id).execute();
  }
}
