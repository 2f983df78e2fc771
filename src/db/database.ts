/** The database, whichever it is: handles for reading, the writing connection with group commit, and locks of tasks. */
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import type { Db } from "./kysely.ts";
import type { MigrationReport } from "./migrations.ts";
import type { MissingPart } from "./schema-parts.ts";
import type { DatabaseState, SchemaObject } from "./soundness.ts";
import type { CsvReader } from "./workers/csv-reader.ts";

/** Where the database is, for worker threads that read it by themselves. */
export type DatabaseSource =
  | { kind: "sqlite"; file: string }
  | { kind: "postgres"; url: string /** A replica, for long reads. */; reportUrl: string };

/** Why the database couldn't do its work: its load, or a full or failing disk or connection. */
export type StorageErrorKind = "busy" | "full" | "failing";

export interface ServerUse {
  /** Open connections by pool, those of them that are idle, and calls that wait for one. */
  connections: Readonly<Record<"total" | "idle" | "waiting", Readonly<Record<string, number>>>>;
  /** How long the writes of this instance have waited for those of others, in total. */
  lockWaitSeconds: number;
}

export interface SharedCounterOptions {
  /** No other counter has it. */
  keyPrefix: string;
  /** Points per window. */
  points: number;
  /** Seconds of a window. */
  duration: number;
  /** Counts while the database doesn't respond. */
  insuranceLimiter: RateLimiterAbstract;
}

export interface Database {
  readonly source: DatabaseSource;
  readonly migration: MigrationReport;
  /** Tables and indexes that this service didn't create. */
  readonly foreignData: readonly SchemaObject[];
  /** Indexes and constraints of the migrations that it lacks. */
  findMissing(): Promise<MissingPart[]>;
  /** Reads committed data. Can't write, and must not be used inside `commit`, whose changes it doesn't see. */
  readonly read: Db;
  /** Bound to the writing connection: usable only inside `commit`. */
  readonly writer: Db;
  /** Like `read`, for queries of administrators that can take more than a few milliseconds. */
  readonly report: Db;
  /** Like `report`, for those of the public, which never wait for statements of an administrator. */
  readonly catalogue: Db;
  /** For exports: runs a query compiled by `report` and returns CSV. */
  readonly csv: CsvReader;
  /** Like `csv`, for rows of exports that the service formats itself. */
  readonly exportRows: Db;
  /** Like `read`, for finding the page ends of exports: this scans whole indexes. */
  readonly pageEnds: Db;
  /** How many writes failed because of the database's disk or connection. */
  readonly errors: Readonly<Record<StorageErrorKind, number>>;
  /** How many writes wait for the present transaction to end. */
  countWaitingWrites(): number;
  /** Checks the database without delaying other work. It ends immediately with the signal and with `close`. */
  examine(limit: number, signal?: AbortSignal): Promise<DatabaseState>;
  /** Runs `work` in the next group's transaction; see GroupCommit, also for independent work and single statements. */
  commit<T>(work: () => Promise<T>, key?: string, isStatement?: boolean): Promise<T>;
  /**
   * For tables into which all their rows were just written: makes statements on them as fast as they are later. SQLite
   * needs nothing. @param onTable called after each table
   */
  vacuum(tables: readonly string[], onTable: () => void): Promise<void>;
  /**
   * The time of the database's machine, in epoch milliseconds. Undefined if it is that of this process (SQLite).
   */
  readClock(): Promise<number | undefined>;
  /** By what the server could be recognised after a fail-over, and what it doesn't reveal to the service's role. */
  readonly withheldIdentity: readonly string[];
  /** The size of the write-ahead log; undefined if the server of the database keeps it. */
  readWalBytes(): Promise<number | undefined>;
  /** Runs `work` while no instance migrates the database, or runs such work. */
  runWhileNoneMigrates<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` unless another instance is running work of this name. On SQLite, this instance can run several.
   * @param work gets a signal that is aborted when another instance could begin
   * @returns whether it ran
   */
  runAtOneInstance(name: string, work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
  /**
   * Whether the connection that writes has had no response within its limit, and none since, although new connections of
   * this instance have, now and when last asked: another instance could write. Then it tries to write, which ends this state.
   */
  isCutOff(): Promise<boolean>;
  /** The use of a PostgreSQL server by this instance; undefined on SQLite. */
  measureServerUse(): ServerUse | undefined;
  /** Counts for all instances; undefined if this is the only one. */
  createSharedCounter(options: SharedCounterOptions): RateLimiterAbstract | undefined;
  /**
   * Registers this instance until the database is closed.
   * @param sharesFiles whether others can use its file store
   * @param waiting called once if the registration must wait for that of another instance, at most for `waitMs`
   * @returns false if an instance is still registered with whose file store it can't work
   * @throws InstallationError if a newer version has migrated the database meanwhile
   */
  join(sharesFiles: boolean, waitMs: number, waiting: () => void): Promise<boolean>;
  /** Finishes pending work and closes all handles. A second call does nothing. */
  close(): Promise<void>;
}

/** A database that is opened for reading only, without being migrated: a service may be using it. */
export interface ExistingDatabase extends AsyncDisposable {
  readonly kind: DatabaseSource["kind"];
  readonly db: Db;
  /** Names of the migrations that were applied to it. */
  readMigrations(): Promise<string[]>;
  examine(limit: number): Promise<DatabaseState>;
  /** See `Database.findMissing`. */
  findMissing(): Promise<MissingPart[]>;
  /** See `Database.readClock`. */
  readClock(): Promise<number | undefined>;
  /** From now on, reads what was committed before, until it is closed. Not for long pauses between two reads. */
  hold(): Promise<void>;
}
