/** The database in a SQLite file: the default. */
import { stat } from "node:fs/promises";
import { Kysely } from "kysely";
import { assertInstallation } from "../assert-installation.ts";
import type { Database } from "../database.ts";
import { GroupCommit } from "../group-commit.ts";
import type { Schema } from "../schema.ts";
import { CsvReader } from "../workers/csv-reader.ts";
import { BookTrigrams } from "./book-trigrams.ts";
import { Checkpoints } from "./checkpoints.ts";
import { BUSY_TIMEOUT_MS, type Connection, openReader, openWriter } from "./connection.ts";
import { Examination } from "./examination.ts";
import { findForeignSchema } from "./examine.ts";
import { createSqliteKysely } from "./kysely.ts";
import { migrate } from "./migrator.ts";
import { type ReportThread, reportDialect, reportThread } from "./report-thread.ts";
import { findMissingInSqlite } from "./schema-parts.ts";
import { withStatementCache } from "./statement-cache.ts";
import { SqliteWriter } from "./writer.ts";

/** An index scan reads each page once, so a larger cache wouldn't help. */
const PAGE_ENDS_CACHE_KIBIBYTES = 500;

/**
 * Opens a database file, creating and migrating it as needed.
 * @param report receives the error of a failed checkpoint; no write fails, and the checkpoint is repeated soon
 * @throws OperatorError if it has triggers or views that this service didn't create
 * @throws InstallationError if a newer version of this service created it
 */
export async function openSqlite(
  file: string,
  backupDirectory: string,
  report: (error: unknown) => void = () => {},
): Promise<Database> {
  const writing = openWriter(file);
  try {
    const { programs, data } = findForeignSchema(writing);
    assertInstallation({
      foreign_programs: programs.length > 0 && { what: `The database ${file}`, programs, client: "sqlite3" },
    });
    const migration = await migrate(writing, backupDirectory);
    const trigrams = new BookTrigrams(writing);
    return { migration, foreignData: data, ...createHandles({ file, writing, trigrams }, report) };
  } catch (error) {
    writing.close();
    throw error;
  }
}

const NEVER = new AbortController().signal;

/** The lock of the data folder admits no other. */
const SINGLE_INSTANCE: Pick<
  Database,
  | "runWhileNoneMigrates"
  | "runAtOneInstance"
  | "isCutOff"
  | "join"
  | "createSharedCounter"
  | "measureServerUse"
  | "readClock"
  | "withheldIdentity"
> = {
  isCutOff: async () => false,
  runWhileNoneMigrates: (work) => work(),
  runAtOneInstance: (_, work) => work(NEVER).then(() => true),
  join: async () => true,
  createSharedCounter: () => undefined,
  measureServerUse: () => undefined,
  readClock: async () => undefined,
  withheldIdentity: [],
};

function createHandles(
  { file, writing, trigrams }: { file: string; writing: Connection; trigrams: BookTrigrams },
  report: (error: unknown) => void,
): Omit<Database, "migration" | "foreignData"> {
  const checkpoints = new Checkpoints(writing, { file, report });
  const [reading, walking] = [openReader(file), openReader(file, PAGE_ENDS_CACHE_KIBIBYTES)];
  const group = new GroupCommit(new SqliteWriter(writing, { checkpoints, trigrams }));
  const { reports, catalogue, csv } = threadsOn(file);
  const examination = new Examination(file);
  return {
    source: { kind: "sqlite", file },
    read: createSqliteKysely(withStatementCache(reading), () => group.rejectInsiders()),
    writer: createSqliteKysely(withStatementCache(writing), () => group.rejectOutsiders()),
    // Each on a worker thread.
    report: reports,
    catalogue,
    csv,
    exportRows: reports,
    // Page ends would fill the cache of `read`.
    pageEnds: createSqliteKysely(withStatementCache(walking)),
    findMissing: async () => findMissingInSqlite(reading),
    // In a separate process.
    examine: (limit, signal) => examination.examine(limit, signal),
    commit: (...given) => group.submit(...given),
    errors: group.errors.counts,
    countWaitingWrites: () => group.waitingCount,
    vacuum: async () => {},
    readWalBytes: () => readSize(`${file}-wal`),
    ...SINGLE_INSTANCE,
    // Finishes pending work, and moves the WAL into the file.
    async close() {
      examination.close();
      await group.close();
      await checkpoints.close();
      await reports.destroy();
      await catalogue.destroy();
      await csv.close();
      // Readers are closed first: while they use the WAL, it can't be truncated.
      reading.close();
      walking.close();
      closeWriter(writing);
    },
  };
}

function threadsOn(file: string) {
  const database = (thread: ReportThread) => new Kysely<Schema>({ dialect: reportDialect(thread) });
  // An export alternates between both: a single thread would be slower than csv-stringify without database reads.
  const [thread, another] = [reportThread(file), reportThread(file)];
  return {
    reports: database(thread),
    // Readers wait for it, so it has the priority of the event loop.
    catalogue: database(reportThread(file, { isLowPriority: false })),
    csv: new CsvReader([another, thread]),
  };
}

function closeWriter(connection: Connection): void {
  try {
    if (!connection.open) return;
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    connection.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    connection.close();
  }
}

const readSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
