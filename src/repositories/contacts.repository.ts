/** Contacts: readers who requested downloads. */
import { type Insertable, type Selectable, sql } from "kysely";
import { createAdd } from "../db/rows.ts";
import type { Schema } from "../db/schema.ts";
import { repositoryOf } from "./repository.ts";

export type ContactRow = Selectable<Schema["contacts"]>;

/** A range of contact ids; a missing bound is open. */
export interface ContactRange {
  /** Included. */
  first?: number | undefined;
  /** Not included. */
  end?: number | undefined;
  /** Only these contacts. */
  ids?: readonly number[] | undefined;
}

/** What a form can fill in, and what identifies the contact. */
type CountedContact = Pick<
  ContactRow,
  "id" | "publicId" | "email" | "firstName" | "lastName" | "phone" | "country" | "mailState"
>;

type ContactWithSpan = Pick<ContactRow, "id" | "totalDownloads" | "firstDownloadAt" | "lastDownloadAt"> & {
  first: number | null;
  last: number | null;
};

/** The first and the last download are also right if the clock was set back. */
const COUNT_KNOWN = sql<CountedContact>`on conflict ("email") do update set
  "firstDownloadAt" = case when "contacts"."firstDownloadAt" < excluded."firstDownloadAt"
    then "contacts"."firstDownloadAt" else excluded."firstDownloadAt" end,
  "lastDownloadAt" = case when "contacts"."lastDownloadAt" > excluded."lastDownloadAt"
    then "contacts"."lastDownloadAt" else excluded."lastDownloadAt" end,
  "totalDownloads" = "contacts"."totalDownloads" + excluded."totalDownloads"
  returning "id", "publicId", "email", "firstName", "lastName", "phone", "country", "mailState"`;

export class ContactsRepository extends repositoryOf<"contacts", number>("contacts") {
  readonly #countDownload = createAdd(this.db, { table: "contacts", end: COUNT_KNOWN });

  findByPublicId(publicId: string): Promise<ContactRow | undefined> {
    return this.findBy("publicId", publicId);
  }

  findByEmail(email: string): Promise<ContactRow | undefined> {
    return this.findBy("email", email);
  }

  /** Adds the contact, or adds the download to the one with the same e-mail address. @returns that contact */
  countDownload(row: Insertable<Schema["contacts"]>): Promise<CountedContact> {
    return this.#countDownload(row);
  }

  findByMailKey(mailKey: string): Promise<ContactRow | undefined> {
    return this.findBy("mailKey", mailKey);
  }

  /** A server has taken a letter. */
  async noteTaken(id: number): Promise<void> {
    await this.db
      .updateTable("contacts")
      .set({ mailFailures: 0 })
      .where("id", "=", id)
      .where("mailFailures", ">", 0)
      .execute();
  }

  /** A server doesn't deliver to the address: after some letters in a row it is `failing`. */
  async noteRefused(id: number, failingAfter: number): Promise<void> {
    await this.db
      .updateTable("contacts")
      .set((eb) => ({
        mailFailures: eb("mailFailures", "+", 1),
        mailState: eb
          .case()
          .when(eb.and([eb("mailState", "=", "ok"), eb("mailFailures", ">=", failingAfter - 1)]))
          .then("failing")
          .else(eb.ref("mailState"))
          .end(),
      }))
      .where("id", "=", id)
      .execute();
  }

  /** Gives a contact its key, unless it has one. @returns the one that it has */
  async keepMailKey(id: number, mailKey: string): Promise<string | undefined> {
    const row = await this.db
      .updateTable("contacts")
      .set((eb) => ({ mailKey: eb.fn.coalesce("mailKey", eb.val(mailKey)) }))
      .where("id", "=", id)
      .returning("mailKey")
      .executeTakeFirst();
    return row?.mailKey ?? undefined;
  }

  /**
   * A bounded number of contacts with the times of their first and last event, which are at the ends of an index; null if
   * there is none.
   */
  async withSpans(ids: readonly number[]): Promise<ContactWithSpan[]> {
    if (ids.length === 0) return [];
    return this.db
      .selectFrom("contacts")
      .select(["id", "totalDownloads", "firstDownloadAt", "lastDownloadAt"])
      .select((eb) => {
        const times = eb
          .selectFrom("download_events")
          .select("downloadedAt")
          .whereRef("download_events.contactId", "=", "contacts.id")
          .limit(1);
        return [times.orderBy("downloadedAt").as("first"), times.orderBy("downloadedAt", "desc").as("last")];
      })
      .where("id", "in", ids)
      .execute();
  }

  /** Deletes a bounded number of contacts with their consents. @returns their ids in the API */
  async deleteAll(ids: readonly number[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.db.deleteFrom("contacts").where("id", "in", ids).returning("publicId").execute();
    return rows.map(({ publicId }) => publicId);
  }

  /**
   * Deletes contacts without downloads since a time and without remaining events. @returns their ids in the API
   */
  async deleteIdle(since: number, limit: number): Promise<string[]> {
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
    const rows = await this.db.deleteFrom("contacts").where("id", "in", idle).returning("publicId").execute();
    return rows.map(({ publicId }) => publicId);
  }
}
