/** Contacts: readers who requested downloads. */
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { ContactsTable } from "../db/schema.ts";

export type ContactRow = Selectable<ContactsTable>;

export class ContactsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  find(id: number): Promise<ContactRow | undefined> {
    return this.#db.selectFrom("contacts").selectAll().where("id", "=", id).executeTakeFirst();
  }

  findByPublicId(publicId: string): Promise<ContactRow | undefined> {
    return this.#db.selectFrom("contacts").selectAll().where("publicId", "=", publicId).executeTakeFirst();
  }

  findByEmail(email: string): Promise<ContactRow | undefined> {
    return this.#db.selectFrom("contacts").selectAll().where("email", "=", email).executeTakeFirst();
  }

  async insert(row: Insertable<ContactsTable>): Promise<number> {
    const { id } = await this.#db
      .insertInto("contacts")
      .values(row)
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  async update(id: number, change: Updateable<ContactsTable>): Promise<void> {
    await this.#db.updateTable("contacts").set(change).where("id", "=", id).execute();
  }

  /** Also deletes the contact's consents. */
  async delete(id: number): Promise<void> {
    await this.#db.deleteFrom("contacts").where("id", "=", id).execute();
  }

  /**
   * Deletes contacts without downloads since a time and without remaining events. @returns the number of deleted
   * contacts
   */
  async deleteIdle(since: number, limit: number): Promise<number> {
    const idle = this.#db
      .selectFrom("contacts")
      .select("contacts.id")
      .where("contacts.lastDownloadAt", "<", since)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("download_events")
              .select("download_events.id")
              .whereRef("download_events.contactId", "=", "contacts.id"),
          ),
        ),
      )
      .orderBy("contacts.lastDownloadAt")
      .limit(limit);
    const result = await this.#db.deleteFrom("contacts").where("id", "in", idle).executeTakeFirst();
    return Number(result.numDeletedRows);
  }
}
