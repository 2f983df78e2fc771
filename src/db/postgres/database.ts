/** The database on a PostgreSQL server, which several instances of the service can share. */
import type pg from "pg";
import RateLimiterPostgres from "rate-limiter-flexible/lib/RateLimiterPostgres.js";
import { OperatorError } from "../../errors.ts";
import type { Database, ServerUse, SharedCounterOptions } from "../database.ts";
import { GroupCommit } from "../group-commit.ts";
import { findPending, type MigrationReport } from "../migrations.ts";
import { CsvReader, type CsvThread } from "../workers/csv-reader.ts";
import { WorkerThread } from "../workers/worker-thread.ts";
import { readClock } from "./clock.ts";
import { connect, createPool, describeUrl, endPool, type PoolOptions } from "./connection.ts";
import { createCutOffCheck } from "./cut-off.ts";
import { createKyselyForRequests, createKyselyOn } from "./kysely.ts";
import { RENEWED } from "./lock-session.ts";
import { LOCK_CONNECTIONS, runAtOneInstance, runWhileNoOtherMigrates } from "./locks.ts";
import {
  assertUsable,
  examineDatabase,
  findForeignData,
  migrate,
  readAppliedMigrations,
} from "./migrator.ts";
import { Registration } from "./registration.ts";
import { Replica } from "./replica.ts";
import { findMissingInPostgres } from "./schema-parts.ts";
import { readServerIdentity, renewEpochIfNeeded, type ServerIdentity } from "./server-identity.ts";
import { vacuum } from "./vacuum.ts";
import { PostgresWriter } from "./writer.ts";

interface PostgresOptions extends PoolOptions {
  /** A replica for exports and for the first reading of the events; `url` if there is none. */
  reportUrl: string;
}

const REPORT_CONNECTIONS = 2;
/** Soon, so that the service prepares the next works while the server runs these, and other instances can write. */
const MAX_BATCH_MS = 10;
/** Rate limits. They don't delay a request for long, and a crash of the server may lose the last ones. */
const COUNTS = {
  size: 2,
  connectTimeoutMs: 1000,
  statementTimeoutMs: 1000,
  settings: "-c synchronous_commit=off",
};
/** All instances wait for a transaction that hangs: the server ends it before this side would. */
const WRITE_TIMEOUT_MS = 8000;
const WRITE_LOCK_TIMEOUT_MS = 5000;
/** A work pauses for two seconds at most. */
const WRITE_IDLE_TIMEOUT_MS = 3000;
/**
 * For statements on all books. Without enough memory for a hash table of their ids, a search would compare each book with
 * each match; compiling a statement takes longer than running it.
 */
const SCAN_SETTINGS = "-c work_mem=64MB -c jit=off";
/**
 * Lists of a million contacts or downloads read the whole of an index that contains what they need. By its default, which
 * is for disks that seek, the server would read the table, which is five times as large. In several processes, each would
 * find the contacts with a word or a consent again.
 */
const LIST_SETTINGS = `${SCAN_SETTINGS} -c random_page_cost=1.1 -c max_parallel_workers_per_gather=0`;
/** Exports and reports may take longer than requests. */
const REPORT_TIMEOUT_MS = 5 * 60_000;

/**
 * Connects, and migrates the database as needed.
 * @throws OperatorError if the server can't be reached, rejects the user, or has no suitable database
 * @throws InstallationError if a newer version of this service created it
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const pools = openPools(options);
  try {
    await assertReachable(pools.reading, options.url);
    const foreignData = await findForeignData(pools.reading, `The database ${describeUrl(options.url)}`);
    const migration = await migrateDatabase(options);
    const server = await readServerIdentity(pools.reading);
    await renewEpochIfNeeded(pools.reading, server);
    return { migration, foreignData, ...createHandles(pools, options, server) };
  } catch (error) {
    await endAll(pools);
    throw error;
  }
}

/** Migrates without a limit for a statement. */
async function migrateDatabase(options: PostgresOptions): Promise<MigrationReport> {
  const unlimited = { ...options, statementTimeoutMs: 0 };
  const [pool, lockPool] = [
    createPool({ ...unlimited, size: 1 }),
    createPool({ ...unlimited, ...RENEWED, size: 2 }),
  ];
  try {
    return await migrate(pool, lockPool);
  } finally {
    await Promise.all([endPool(pool), endPool(lockPool)]);
  }
}

async function runWhileNoneMigrates<T>(options: PostgresOptions, work: () => Promise<T>): Promise<T> {
  const lockPool = createPool({ ...options, statementTimeoutMs: 0, ...RENEWED, size: 1 });
  try {
    return await runWhileNoOtherMigrates(lockPool, work);
  } finally {
    await endPool(lockPool);
  }
}

type Pools = ReturnType<typeof openPools>;

function openPools(options: PostgresOptions) {
  // Besides those of forms and administrators: a search must not keep them waiting.
  const catalogueSize = Math.max(2, Math.ceil(options.size / 2));
  const long = { ...options, size: REPORT_CONNECTIONS, statementTimeoutMs: REPORT_TIMEOUT_MS };
  return {
    reading: createPool({ ...options, keptOpen: 1 }),
    writing: createPool({
      ...options,
      size: 1,
      keptOpen: 1,
      sendsAhead: true,
      statementTimeoutMs: Math.min(options.statementTimeoutMs, WRITE_TIMEOUT_MS),
      lockTimeoutMs: WRITE_LOCK_TIMEOUT_MS,
      idleInTransactionTimeoutMs: WRITE_IDLE_TIMEOUT_MS,
    }),
    reports: createPool({ ...long, settings: LIST_SETTINGS, endsWithOthers: true }),
    catalogue: createPool({
      ...options,
      size: catalogueSize,
      settings: SCAN_SETTINGS,
      endsWithOthers: true,
    }),
    pageEnds: createPool({ ...long, url: options.reportUrl }),
    locks: createPool({ ...options, ...RENEWED, size: LOCK_CONNECTIONS }),
    registration: createPool({ ...options, size: 1 }),
    counts: createPool({ ...options, ...COUNTS }),
  };
}

/** @throws OperatorError if the server can't be reached, rejects the user, or has no suitable database */
export async function assertReachable(pool: pg.Pool, url: string): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await connect(pool);
  } catch (error) {
    // The message of the server names the user and the database, never the password.
    const reason = error instanceof Error ? error.message || "no connection" : String(error);
    throw new OperatorError(`DATABASE_URL: ${describeUrl(url)} can't be used: ${reason}`, { cause: error });
  }
  try {
    await assertUsable(client);
  } finally {
    client.release();
  }
}

function createHandles(
  pools: Pools,
  options: PostgresOptions,
  { renewal, withheld }: ServerIdentity,
): Omit<Database, "migration" | "foreignData"> {
  const registration = new Registration(pools.registration);
  const writer = new PostgresWriter(pools.writing, renewal);
  const group = new GroupCommit(writer, { maxBatchMs: MAX_BATCH_MS });
  const longReaders = createLongReaders(pools, options);
  const writing = createKyselyOn({
    async acquire() {
      group.rejectOutsiders();
      return writer.acquire();
    },
    release: (_, hasFailed) => writer.release(hasFailed),
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await group.close();
    await longReaders.csv.close();
    await registration.leave();
    await endAll(pools);
  };
  return {
    source: { kind: "postgres", url: options.url, reportUrl: options.reportUrl },
    read: createKyselyForRequests(pools.reading, () => group.rejectInsiders()),
    writer: writing,
    report: createKyselyForRequests(pools.reports),
    catalogue: createKyselyForRequests(pools.catalogue),
    ...longReaders,
    examine: (limit) => examineDatabase(pools.reading, limit),
    findMissing: () => findMissingInPostgres(pools.reading),
    commit: (...given) => group.submit(...given),
    errors: group.errors.counts,
    countWaitingWrites: () => group.waitingCount,
    vacuum: (tables, onTable) => vacuum(options, tables, onTable),
    readWalBytes: async () => undefined,
    readClock: () => readClock(pools.reading),
    withheldIdentity: withheld,
    runWhileNoneMigrates: (work) => runWhileNoneMigrates(options, work),
    runAtOneInstance: (name, work) => runAtOneInstance(pools.locks, name, work),
    join: (...given) => register(registration, pools.reading, given),
    createSharedCounter: (options) => createSharedCounter(pools.counts, options),
    isCutOff: createCutOffCheck(writer, group, options.url),
    measureServerUse: () => measureUse(pools, writer),
    close: () => (closing ??= close()),
  };
}

/** Those that may use a replica. */
function createLongReaders({ reports: primary, pageEnds: replica }: Pools, options: PostgresOptions) {
  const chosen = new Replica({ primary, replica }, options.reportUrl !== options.url);
  const rows = chosen.createKysely();
  return { csv: createCsvReader(options, chosen), exportRows: rows, pageEnds: rows };
}

/** Before the instance was registered, a newer version may have migrated the database so that this one can't work. */
async function register(
  registration: Registration,
  pool: pg.Pool,
  given: Parameters<Database["join"]>,
): Promise<boolean> {
  if (!(await registration.join(...given))) return false;
  await findPending(await readAppliedMigrations(pool));
  return true;
}

const createSharedCounter = (storeClient: pg.Pool, options: SharedCounterOptions) =>
  new RateLimiterPostgres({
    ...options,
    storeClient,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
  });

const measureUse = (pools: Pools, { lockWaitMs }: PostgresWriter): ServerUse => ({
  connections: countConnections(pools),
  lockWaitSeconds: lockWaitMs / 1000,
});

function countConnections(pools: Pools): ServerUse["connections"] {
  const countEach = (numberOf: (pool: pg.Pool) => number) =>
    Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, numberOf(pool)]));
  return {
    total: countEach((pool) => pool.totalCount),
    idle: countEach((pool) => pool.idleCount),
    waiting: countEach((pool) => pool.waitingCount),
  };
}

const endAll = async (pools: Pools): Promise<void> => {
  await Promise.all(Object.values(pools).map(endPool));
};

/** Each thread is started by its first question. */
function createCsvReader({ url, reportUrl, connectTimeoutMs }: PostgresOptions, replica: Replica): CsvReader {
  const script = new URL("./csv-worker.ts", import.meta.url);
  const open = (from: string): CsvThread => {
    const data: PoolOptions = {
      url: from,
      size: 1,
      connectTimeoutMs,
      statementTimeoutMs: REPORT_TIMEOUT_MS,
    };
    return new WorkerThread({ script, data });
  };
  const [onPrimary, onReplica] = [open(url), open(reportUrl)];
  const chosen: CsvThread = {
    ask: async (question) => ((await replica.isUsable()) ? onReplica : onPrimary).ask(question),
    close: async () => void (await Promise.all([onPrimary.close(), onReplica.close()])),
  };
  return new CsvReader([chosen]);
}
