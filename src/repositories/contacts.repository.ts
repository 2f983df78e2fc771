/** Contacts: readers who requested downloads. */
import type { Selectable } from "kysely";
import type { Db } from "../db/kysely.ts";
import { addsTo } from "../db/rows.ts";
import type { ContactsTable } from "../db/schema.ts";
import { TableRepository } from "./repository.ts";

export type ContactRow = Selectable<ContactsTable>;

export class ContactsRepository extends TableRepository<"contacts", number> {
  /** Inserts a contact and returns its id. */
  readonly add = addsTo(this.db, "contacts");
  readonly #byEmail = this.compiled<ContactRow, [email: string]>(
    this.db.selectFrom("contacts").selectAll().where("email", "=", ""),
  );

  constructor(db: Db) {
    super(db, "contacts");
  }

  findByPublicId(publicId: string): Promise<ContactRow | undefined> {
    return this.db.selectFrom("contacts").selectAll().where("publicId", "=", publicId).executeTakeFirst();
  }

  async findByEmail(email: string): Promise<ContactRow | undefined> {
    const [row] = await this.#byEmail(email);
    return row;
  }

  /**
   * Deletes contacts without downloads since a time and without remaining events. @returns the number of deleted
   * contacts
   */
  async deleteIdle(since: number, limit: number): Promise<number> {
    const idle = this.db
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
    const result = await this.db.deleteFrom("contacts").where("id", "in", idle).executeTakeFirst();
    return Number(result.numDeletedRows);
  }
}
