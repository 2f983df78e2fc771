/** Writes events as the service does, with the fewest columns that matter, for tests of what is counted. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { type Connection, openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { kyselyOver } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { idOf } from "./ids.ts";
import { tempFolder } from "./temp-folder.ts";

type Statement = ReturnType<Connection["prepare"]>;

export interface GivenEvent {
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

/** Statements on the writing connection of a migrated database. */
export class EventRows {
  readonly #connection: Connection;
  readonly #addEvent: Statement;
  readonly #addContact: Statement;
  #archives = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#addEvent = connection.prepare(
      `insert into download_events (downloadedAt, redeemedAt, contactId, isDownloadAll, booksCount, bookId,
         archiveId, languageId, bookTitle, fileType, fileName, languageName, languageCode, countryCode,
         deviceType, browserName, browserVersion, osName, osVersion, referrer, isBot)
       values (:downloadedAt, :redeemedAt, :contactId, :archiveId is not null, :booksCount, :bookId,
         :archiveId, :languageId, '', '', '', '', '', :countryCode, :deviceType, '', '', '', '', '', :isBot)`,
    );
    this.#addContact = connection.prepare(
      `insert or ignore into contacts (id, publicId, email, firstName, lastName, phone, country, searchText,
         firstDownloadAt, lastDownloadAt, totalDownloads)
       values (:id, :id, :id, '', '', '', '', '', 0, 0, 0)`,
    );
  }

  inTransaction(work: () => void): void {
    this.#connection.transaction(work)();
  }

  /** All gone, and numbers begin again: a gap in those of changes would say that some were forgotten. */
  clear(): void {
    const tables = ["download_events", "archive_books", "archives", "contacts", "event_changes"];
    for (const table of [...tables, "sqlite_sequence"]) this.#connection.exec(`delete from ${table}`);
  }

  insert(event: GivenEvent): void {
    if (event.contactId !== null) this.#addContact.run({ id: event.contactId });
    this.#addEvent.run({ ...event, bookId: event.archiveId === null ? event.bookId : null });
  }

  /** An archive that isn't there yet, later than all others. */
  insertArchive(id: string, bookIds: readonly string[]): void {
    this.#connection
      .prepare("insert into archives values (?, 1, ?, 0, 0, ?)")
      .run(id, bookIds.length, ++this.#archives);
    const add = this.#connection.prepare("insert into archive_books values (?, ?)");
    for (const bookId of bookIds) add.run(id, bookId);
  }

  hasArchive(id: string): boolean {
    return this.#connection.prepare("select 1 from archives where id = ?").get(id) !== undefined;
  }

  /** Of the events that a condition names, in their order. */
  idsWhere(condition: string, ...parameters: unknown[]): number[] {
    const query = `select id from download_events where ${condition} order by id`;
    return z.array(z.int()).parse(
      this.#connection
        .prepare(query)
        .pluck()
        .all(...parameters),
    );
  }

  change(ids: readonly number[], values: Partial<GivenEvent>): void {
    const assignments = Object.keys(values).map((column) => `${column} = :${column}`);
    const update = this.#connection.prepare(
      `update download_events set ${assignments.join()} where id = :id`,
    );
    for (const id of ids) update.run({ ...values, id });
    this.#note(ids);
  }

  /** And the archives that none is left of. */
  remove(ids: readonly number[]): void {
    const remove = this.#connection.prepare("delete from download_events where id = ?");
    for (const id of ids) remove.run(id);
    this.#note(ids);
    this.#connection.exec(
      "delete from archives where id not in (select archiveId from download_events where archiveId is not null)",
    );
  }

  /** Forgets which events changed, but for the newest change. */
  pruneChanges(): void {
    this.#connection.exec(
      "delete from event_changes where revision < (select max(revision) from event_changes)",
    );
  }

  #note(ids: readonly number[]): void {
    const add = this.#connection.prepare("insert into event_changes (eventId) values (?)");
    for (const id of ids) add.run(id);
  }
}

/** A migrated database without a service, with a connection for writes and one for reads; both end with the test. */
export async function eventsDatabase() {
  const folder = tempFolder();
  const file = join(folder, "database.sqlite");
  await (await openSqlite(file, folder)).close();
  const [writer, reader] = [openWriter(file), openReader(file)];
  // No power cut is tried here.
  writer.pragma("synchronous = off");
  onTestFinished(() => {
    writer.close();
    reader.close();
  });
  return { file, writer, rows: new EventRows(writer), db: kyselyOver(withStatementCache(reader)) };
}

/** The events of an application, on a connection that ends with the test. */
export function rowsIn({ dataDir }: { dataDir: string }): EventRows {
  const writer = openWriter(join(dataDir, "database.sqlite"));
  onTestFinished(() => {
    writer.close();
  });
  return new EventRows(writer);
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
