/** Download events, their archives, and the download counts. */

import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { createAdd } from "../db/rows.ts";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import type { EventCursor } from "./exports/download-log.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

export type EventRow = Selectable<Schema["download_events"]>;

/** An event whose contact is given by the e-mail address. */
type RequestedEvent = Omit<Insertable<Schema["download_events"]>, "contactId"> & { email: string };

export class EventsRepository extends Repository {
  readonly #insertRequest = createAdd(this.db, {
    table: "download_events",
    derived: { contactId: (email) => sql`(select "id" from "contacts" where "email" = ${email})` },
    end: sql<Pick<EventRow, "id" | "contactId">>`returning "id", "contactId"`,
  });
  readonly #byId = this.compile<EventRow, [id: number]>(
    this.db.selectFrom("download_events").select(allOf("download_events")).where("id", "=", 0).compile(),
  );

  async find(id: number): Promise<EventRow | undefined> {
    const [row] = await this.#byId(id);
    return row;
  }

  /** Adds an event of the contact with the e-mail address. */
  insertRequest({ email, ...row }: RequestedEvent): Promise<Pick<EventRow, "id" | "contactId">> {
    return this.#insertRequest({ ...row, contactId: email });
  }

  /** Completes the event unless it is already redeemed. @returns whether this was the first redemption */
  async redeem(
    id: number,
    change: Updateable<Schema["download_events"]> & { redeemedAt: number },
  ): Promise<boolean> {
    const result = await this.db
      .updateTable("download_events")
      .set(change)
      .where("id", "=", id)
      .where("redeemedAt", "is", null)
      .executeTakeFirst();
    const isFirst = result.numUpdatedRows > 0n;
    if (isFirst) await this.#noteChanges([id]);
    return isFirst;
  }

  /** Delivers what waits for the address of a contact: a request, and all since a time. */
  async confirm(contactId: number, { eventId, since }: { eventId: number; since: number }): Promise<void> {
    await this.db
      .updateTable("download_events")
      .set({ isUnconfirmed: 0 })
      .where("contactId", "=", contactId)
      .where("isUnconfirmed", "=", 1)
      .where((eb) => eb.or([eb("id", "=", eventId), eb("downloadedAt", ">=", since)]))
      .execute();
  }

  /** The id of the newest event; 0 if there is none. */
  async findNewestId(): Promise<number> {
    const { newest } = await this.db
      .selectFrom("download_events")
      .select((eb) => eb.fn.max<number | null>("id").as("newest"))
      .executeTakeFirstOrThrow();
    return newest ?? 0;
  }

  /** Changes a bounded number of events. */
  async update(ids: readonly number[], change: Updateable<Schema["download_events"]>): Promise<void> {
    if (ids.length === 0) return;
    await this.db.updateTable("download_events").set(change).where("id", "in", ids).execute();
    await this.#noteChanges(ids);
  }

  async listIdsOfContact(contactId: number, limit: number): Promise<number[]> {
    const rows = await this.db
      .selectFrom("download_events")
      .select("id")
      .where("contactId", "=", contactId)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  async countDelivery(fileIds: readonly string[]): Promise<void> {
    for (const some of splitIntoBatches(fileIds, ROWS_PER_STATEMENT)) {
      await this.db
        .updateTable("book_files")
        .set((eb) => ({ downloadCount: eb("downloadCount", "+", 1) }))
        .where("id", "in", some)
        .execute();
    }
  }

  findArchive(id: string): Promise<Schema["archives"] | undefined> {
    return this.db.selectFrom("archives").select(allOf("archives")).where("id", "=", id).executeTakeFirst();
  }

  async insertArchive(row: Insertable<Schema["archives"]>, bookIds: readonly string[]): Promise<void> {
    await this.db.insertInto("archives").values(row).execute();
    for (const some of splitIntoBatches(bookIds, ROWS_PER_STATEMENT)) {
      const members = some.map((bookId) => ({ archiveId: row.id, bookId }));
      await this.db.insertInto("archive_books").values(members).execute();
    }
  }

  /** The oldest events, at most `limit`. */
  listOldestOfLanguage(
    languageId: number,
    limit: number,
  ): Promise<Pick<EventRow, "id" | "contactId" | "downloadedAt">[]> {
    return this.db
      .selectFrom("download_events")
      .select(["id", "contactId", "downloadedAt"])
      .where("languageId", "=", languageId)
      .orderBy("downloadedAt")
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  /** Deletes a bounded number of events. */
  async delete(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const deleted = this.db.deleteFrom("download_events").where("id", "in", ids).execute();
    await Promise.all([deleted, this.#noteChanges(ids)]);
  }

  /** Deletes the archives of a language that no event refers to any more. */
  async deleteUnusedArchives(languageId: number): Promise<void> {
    await this.db
      .deleteFrom("archives")
      .where("languageId", "=", languageId)
      .where((eb) => {
        const events = eb.selectFrom("download_events").select("download_events.id");
        return eb.not(eb.exists(events.whereRef("download_events.archiveId", "=", "archives.id")));
      })
      .execute();
  }

  /** Of the last events; fewer if some have none. */
  async listRecentAddresses(limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom("download_events")
      .select("ipAddress")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.flatMap(({ ipAddress }) => ipAddress ?? []);
  }

  /**
   * Events that still have data about their reader: oldest first, after a position.
   * @param before epoch milliseconds, exclusive
   */
  listWithReader(before: number, { downloadedAt, id }: EventCursor, limit: number): Promise<EventCursor[]> {
    return (
      this.db
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

  /**
   * Deletes the oldest changes, at most `limit`, but none of the latest `kept`. @returns the number of deleted changes
   */
  async pruneChanges(kept: number, limit: number): Promise<number> {
    const newest = this.db.selectFrom("event_changes").select((eb) => eb.fn.max("revision").as("newest"));
    const oldest = this.db
      .selectFrom("event_changes")
      .select("revision")
      .where("revision", "<=", (eb) => eb(newest, "-", kept))
      .orderBy("revision")
      .limit(limit);
    const result = await this.db
      .deleteFrom("event_changes")
      .where("revision", "in", oldest)
      .executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  /** Records the changes for consumers that keep counts. They find new events by id. */
  async #noteChanges(ids: readonly number[]): Promise<void> {
    const rows = ids.map((eventId) => ({ eventId }));
    await this.db.insertInto("event_changes").values(rows).execute();
  }
}
