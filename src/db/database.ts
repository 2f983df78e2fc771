/** The database: handles for reading, here and in worker threads, and the writing connection with group commit. */
import { stat } from "node:fs/promises";
import { Kysely } from "kysely";
import { type Connection, openReader, openWriter } from "./sqlite/connection.ts";
import { GroupCommit } from "./group-commit.ts";
import { kyselyOver } from "./kysely.ts";
import { migrate } from "./migrator.ts";
import type { Schema } from "./schema.ts";
import { foreignSchema, rejectForeignPrograms } from "./sqlite/soundness.ts";
import { withStatementCache } from "./sqlite/statement-cache.ts";
import { Checkpoints } from "./sqlite/checkpoints.ts";
import { Examination } from "./sqlite/examination.ts";
import { CsvReader, reportDialect, reportThread } from "./sqlite/report-thread.ts";

/** An index scan reads each page once, so a larger cache wouldn't help. */
const PAGE_ENDS_CACHE_KIBIBYTES = 500;

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
) {
  const writing = openWriter(file);
  try {
    const { programs, data } = foreignSchema(writing);
    rejectForeignPrograms(`The database ${file}`, programs);
    const migration = await migrate(writing, backupDirectory);
    return { migration, foreignData: data, ...handles(file, writing, report) };
  } catch (error) {
    writing.close();
    throw error;
  }
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;

function handles(file: string, writing: Connection, report: (error: unknown) => void) {
  const checkpoints = new Checkpoints(writing, { file, report });
  const [reading, walking] = [openReader(file), openReader(file, PAGE_ENDS_CACHE_KIBIBYTES)];
  const group = new GroupCommit(writing, checkpoints);
  // An export alternates between both: a single thread would be slower than csv-stringify without database reads.
  const [thread, another] = [reportThread(file), reportThread(file)];
  const reports = new Kysely<Schema>({ dialect: reportDialect(thread) });
  const examination = new Examination(file);
  const csv = new CsvReader([another, thread]);
  return {
    /** Reads committed data. Can't write, and must not be used inside `commit`, whose changes it doesn't see. */
    read: kyselyOver(withStatementCache(reading), () => group.rejectInsiders()),
    /** Bound to the writing connection: usable only inside `commit`. */
    writer: kyselyOver(withStatementCache(writing), () => group.rejectOutsiders()),
    /** Like `read`, on a worker thread: for queries that can take more than a few milliseconds. */
    report: reports,
    /** For exports: runs a query compiled by `report` and returns CSV. */
    csv,
    /** Like `read`, for finding the page ends of exports: this scans whole indexes, and would fill the cache of `read`. */
    pageEnds: kyselyOver(withStatementCache(walking)),
    /** Checks the database in a separate process, which delays no other work and ends immediately with `close`. */
    examine: (limit: number) => examination.examine(limit),
    /** Runs `work` in the next group's transaction; see GroupCommit. */
    commit: <T>(work: () => Promise<T>): Promise<T> => group.submit(work),
    /** Counts writes that failed because of the disk. */
    errors: group.errors.counts,
    /** The size of the write-ahead log. */
    walBytes: () => sizeOf(`${file}-wal`),
    /** Finishes pending work, moves the WAL into the file and closes all handles. A second call does nothing. */
    async close(): Promise<void> {
      examination.close();
      await group.close();
      await checkpoints.close();
      await reports.destroy();
      await csv.close();
      // Readers are closed first: while they use the WAL, it can't be truncated.
      reading.close();
      walking.close();
      closeWriter(writing);
    },
  };
}

function closeWriter(connection: Connection): void {
  try {
    if (connection.open) connection.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    connection.close();
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
