/** A database of events without a service. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { createSqliteKysely } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { EventRows } from "./event-rows.ts";
import { createTempFolder } from "./temp-folder.ts";

/** A migrated SQLite database without a service, with a connection for writes and one for reads; both end with the test. */
export async function createEventsDatabase() {
  const folder = createTempFolder();
  const file = join(folder, "database.sqlite");
  await (await openSqlite(file, folder)).close();
  const [writer, reader] = [openWriter(file), openReader(file)];
  // No power cut is tried here.
  writer.pragma("synchronous = off");
  onTestFinished(() => {
    writer.close();
    reader.close();
  });
  const written = createSqliteKysely(withStatementCache(writer));
  return {
    file,
    writer,
    rows: new EventRows({ reader: written, writer: written, write: (work) => work() }),
    db: createSqliteKysely(withStatementCache(reader)),
    async inTransaction(work: () => Promise<void>): Promise<void> {
      writer.exec("begin");
      await work();
      writer.exec("commit");
    },
    /** All gone, and numbers begin again: a gap in those of changes would say that some were forgotten. */
    clear(): void {
      const tables = ["download_events", "archive_books", "archives", "contacts", "event_changes"];
      for (const table of [...tables, "sqlite_sequence"]) writer.exec(`delete from ${table}`);
    },
  };
}
