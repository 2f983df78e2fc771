/** The database: handles for reading, here and in worker threads, and the writing connection with group commit. */
import { stat } from "node:fs/promises";
import { Kysely } from "kysely";
import { type Connection, openReader, openWriter } from "./connection.ts";
import { GroupCommit } from "./group-commit.ts";
import { type Db, kyselyOver } from "./kysely.ts";
import { type MigrationReport, migrate } from "./migrator.ts";
import type { Schema } from "./schema.ts";
import {
  type DatabaseState,
  foreignData,
  foreignPrograms,
  rejectForeignPrograms,
  type SchemaObject,
} from "./soundness.ts";
import { withStatementCache } from "./statement-cache.ts";
import type { ErrorCounts } from "./storage-error.ts";
import { Checkpoints } from "./workers/checkpoints.ts";
import { Examination } from "./workers/examination.ts";
import { CsvReader, reportDialect, reportThread } from "./workers/report-thread.ts";

/** An index scan reads each page once, so a larger cache wouldn't help. */
const PAGE_ENDS_CACHE_KIBIBYTES = 500;

export interface Database {
  /** Reads committed data. Can't write, and must not be used inside `commit`, whose changes it doesn't see. */
  readonly read: Db;
  /** Bound to the writing connection: usable only inside `commit`. */
  readonly writer: Db;
  /** Like `read`, on a worker thread: for queries that can take more than a few milliseconds. */
  readonly report: Db;
  /** Checks the database in a separate process, which delays no other work and ends immediately with `close`. */
  examine(limit: number): Promise<DatabaseState>;
  /** For exports: runs a query compiled by `report` and returns CSV. */
  readonly csv: CsvReader;
  /**
   * Like `read`, for finding the page ends of exports: this scans whole indexes, and would fill the cache of `read`.
   */
  readonly places: Db;
  readonly migration: MigrationReport;
  /** The first tables and indexes that this service didn't create: harmless, but the operator should know of them. */
  readonly foreignData: readonly SchemaObject[];
  /** Runs `work` in the next group's transaction; see GroupCommit. */
  commit<T>(work: () => Promise<T>): Promise<T>;
  /** Counts writes that failed because of the disk. */
  readonly errors: ErrorCounts;
  /** The size of the write-ahead log. */
  walBytes(): Promise<number>;
  /** Finishes pending work, moves the WAL into the file and closes all handles. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Opens a database file, creating and migrating it as needed.
 * @param report receives the error of a failed checkpoint; no write fails, and the checkpoint is repeated soon
 * @throws OperatorError if it has triggers or views that this service didn't create
 * @throws NewerDatabaseError if a newer version of this service created it
 */
export async function openDatabase(
  file: string,
  backupDirectory: string,
  report: (error: unknown) => void = () => {},
): Promise<Database> {
  const connection = openWriter(file);
  try {
    rejectForeignPrograms(`The database ${file}`, foreignPrograms(connection));
    const migration = await migrate(connection, backupDirectory);
    const checkpoints = new Checkpoints(connection, { file, report });
    return join({ file, writing: connection, checkpoints, migration, foreignData: foreignData(connection) });
  } catch (error) {
    connection.close();
    throw error;
  }
}

interface Opened {
  file: string;
  writing: Connection;
  checkpoints: Checkpoints;
  migration: MigrationReport;
  foreignData: readonly SchemaObject[];
}

function join({ file, writing, checkpoints, migration, foreignData }: Opened): Database {
  const [reading, walking] = [openReader(file), openReader(file, PAGE_ENDS_CACHE_KIBIBYTES)];
  const group = new GroupCommit(writing, checkpoints);
  // An export alternates between both: a single thread would be slower than csv-stringify without database reads.
  const [thread, another] = [reportThread(file), reportThread(file)];
  const report = new Kysely<Schema>({ dialect: reportDialect(thread) });
  const examination = new Examination(file);
  const csv = new CsvReader([another, thread]);
  return {
    read: kyselyOver(withStatementCache(reading), () => group.rejectInsiders()),
    writer: kyselyOver(withStatementCache(writing), () => group.rejectOutsiders()),
    report,
    csv,
    places: kyselyOver(withStatementCache(walking)),
    examine: (limit) => examination.examine(limit),
    migration,
    foreignData,
    commit: (work) => group.submit(work),
    get errors() {
      return group.errors.counts;
    },
    walBytes: () => sizeOf(`${file}-wal`),
    async close() {
      examination.close();
      await group.close();
      await checkpoints.close();
      await report.destroy();
      await csv.close();
      // Readers are closed first: while they use the WAL, it can't be truncated.
      reading.close();
      walking.close();
      try {
        if (writing.open) writing.pragma("wal_checkpoint(TRUNCATE)");
      } finally {
        writing.close();
      }
    },
  };
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
