/** The database: a handle that reads, the one that writes (in groups), and one for reports in a worker thread. */
import { Kysely } from "kysely";
import { openReader, openWriter } from "./connection.ts";
import { GroupCommit } from "./group-commit.ts";
import { type Db, kyselyOver } from "./kysely.ts";
import { type MigrationReport, migrate } from "./migrator.ts";
import { reportDialect } from "./report-dialect.ts";
import type { Schema } from "./schema.ts";

export interface Database {
  /** Reads what has been committed; can't write. */
  readonly read: Db;
  /** Bound to the writing connection: to be used inside `commit` only. */
  readonly writer: Db;
  /** Like `read`, in a worker thread: for what may take longer than a few milliseconds. */
  readonly report: Db;
  readonly migration: MigrationReport;
  /** Runs `work` in the next group's transaction; see GroupCommit. */
  commit<T>(work: () => Promise<T>): Promise<T>;
  /** Finishes what is under way, moves the WAL into the file and closes all handles. */
  close(): Promise<void>;
}

/** Opens a database file, creating and migrating it as needed. */
export async function openDatabase(file: string, backupDirectory: string): Promise<Database> {
  const connection = openWriter(file);
  const migration = await migrate(connection, backupDirectory).catch((error: unknown) => {
    connection.close();
    throw error;
  });
  const writer = kyselyOver(connection);
  const read = kyselyOver(openReader(file));
  const report = new Kysely<Schema>({ dialect: reportDialect(file) });
  const group = new GroupCommit(connection);
  return {
    read,
    writer,
    report,
    migration,
    commit: (work) => group.submit(work),
    async close() {
      await group.close();
      // Readers go first: as long as they look at the WAL it can't be truncated.
      await Promise.all([read.destroy(), report.destroy()]);
      connection.pragma("wal_checkpoint(TRUNCATE)");
      await writer.destroy();
      connection.close();
    },
  };
}
