/** Writes events as the service does, with the fewest columns that matter, for tests of what is counted. */
import type { Db } from "../../src/db/kysely.ts";
import { createInsert, type InsertRows } from "../../src/db/rows.ts";
import type { Schema } from "../../src/db/schema.ts";
import type { Origin } from "../../src/repositories/event-counts/origins.ts";
import { idOf } from "./ids.ts";
import type { TestApp } from "./service.ts";

export interface GivenEvent extends Partial<Origin> {
  downloadedAt: number;
  redeemedAt: number | null;
  contactId: number | null;
  booksCount: number;
  /** Alone, unless there is an archive. */
  bookId: string | null;
  archiveId: string | null;
  languageId: number;
  countryCode: string | null;
  deviceType: string;
  isBot: 0 | 1;
}

type StoredEvent = Pick<Schema["download_events"], "contactId" | "languageId" | "archiveId"> & { id: number };

interface WritableDatabase {
  reader: Db;
  writer: Db;
  /** Runs the statements of one method on the writer. */
  write(work: () => Promise<void>): Promise<void>;
}

/** The events of a migrated database. */
export class EventRows {
  readonly #database: WritableDatabase;
  readonly #addEvent: InsertRows<"download_events">;
  readonly #addContact: InsertRows<"contacts">;
  readonly #addChange: InsertRows<"event_changes">;
  #archives = 0;

  constructor(database: WritableDatabase) {
    this.#database = database;
    const { writer } = database;
    this.#addEvent = createInsert(writer, "download_events");
    this.#addContact = createInsert(writer, "contacts");
    this.#addChange = createInsert(writer, "event_changes");
  }

  insert({ contactId, archiveId, bookId, ...event }: GivenEvent): Promise<void> {
    return this.#database.write(async () => {
      if (contactId !== null) await this.#needContact(contactId);
      const isDownloadAll = archiveId === null ? 0 : 1;
      const delivered = {
        contactId,
        archiveId,
        isDownloadAll,
        bookId: archiveId === null ? bookId : null,
      } as const;
      await this.#addEvent({ ...USUAL, ...event, ...delivered });
    });
  }

  /** An archive that isn't there yet, later than all others. */
  insertArchive(id: string, bookIds: readonly string[]): Promise<void> {
    const createdAt = ++this.#archives;
    return this.#database.write(async () => {
      const counts = { booksCount: bookIds.length, filesCount: 0, totalBytes: 0 };
      await this.#database.writer
        .insertInto("archives")
        .values({ id, languageId: 1, ...counts, createdAt })
        .execute();
      for (const bookId of bookIds)
        await this.#database.writer.insertInto("archive_books").values({ archiveId: id, bookId }).execute();
    });
  }

  async hasArchive(id: string): Promise<boolean> {
    const found = await this.#database.reader
      .selectFrom("archives")
      .select("id")
      .where("id", "=", id)
      .execute();
    return found.length > 0;
  }

  /** Of the events that match, in their order. */
  async findIds(matches: (event: StoredEvent) => boolean = () => true): Promise<number[]> {
    const columns = ["id", "contactId", "languageId", "archiveId"] as const;
    const events = await this.#database.reader
      .selectFrom("download_events")
      .select(columns)
      .orderBy("id")
      .execute();
    return events.filter(matches).map(({ id }) => id);
  }

  change(ids: readonly number[], values: Partial<GivenEvent>): Promise<void> {
    return this.#database.write(async () => {
      await this.#database.writer.updateTable("download_events").set(values).where("id", "in", ids).execute();
      for (const eventId of ids) await this.#addChange({ eventId });
    });
  }

  /** And the archives that none is left of. */
  remove(ids: readonly number[]): Promise<void> {
    return this.#database.write(async () => {
      await this.#database.writer.deleteFrom("download_events").where("id", "in", ids).execute();
      for (const eventId of ids) await this.#addChange({ eventId });
      await this.#database.writer
        .deleteFrom("archives")
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("download_events").select("id").whereRef("archiveId", "=", "archives.id"))),
        )
        .execute();
    });
  }

  /** Forgets which events changed, but for the newest change. */
  pruneChanges(): Promise<void> {
    return this.#database.write(async () => {
      const newest = this.#database.writer
        .selectFrom("event_changes")
        .select(({ fn }) => fn.max("revision").as("newest"));
      await this.#database.writer.deleteFrom("event_changes").where("revision", "<", newest).execute();
    });
  }

  async #needContact(id: number): Promise<void> {
    const known = await this.#database.writer
      .selectFrom("contacts")
      .select("id")
      .where("id", "=", id)
      .execute();
    if (known.length > 0) return;
    const times = { firstDownloadAt: 0, lastDownloadAt: 0, totalDownloads: 0 };
    const texts = { firstName: "", lastName: "", phone: "", country: "", searchText: "" };
    await this.#addContact({ id, publicId: idOf(id), email: String(id), ...texts, ...times });
  }
}

const USUAL = {
  bookTitle: "",
  fileType: "",
  fileName: "",
  languageName: "",
  languageCode: "",
  browserName: "",
  browserVersion: "",
  osName: "",
  osVersion: "",
  referrer: "",
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
};

/** The events of an application. */
export function openRows({ container: { database } }: TestApp): EventRows {
  const { read: reader, writer } = database;
  return new EventRows({ reader, writer, write: (work) => database.commit(work) });
}

/** A book that somebody asked for by themselves, with what matters to a test. */
export const givenEvent = (time: string, more: Partial<GivenEvent> = {}): GivenEvent => ({
  downloadedAt: Date.parse(time),
  redeemedAt: null,
  contactId: null,
  booksCount: 1,
  bookId: idOf(1),
  archiveId: null,
  languageId: 1,
  countryCode: null,
  deviceType: "desktop",
  isBot: 0,
  ...more,
});
