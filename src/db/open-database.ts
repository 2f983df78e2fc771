/** Opens the database that the configuration names, and readers of it in worker threads. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { AppError, conflict, notFound } from "../errors.ts";
import { BACKUPS_FOLDER, DATABASE_FILE } from "../lib/data-dir-names.ts";
import { InstallationError } from "./assert-installation.ts";
import type { Database, DatabaseSource, ExistingDatabase } from "./database.ts";
import { assertMoveFinished } from "./installation.ts";
import type { Db } from "./kysely.ts";
import { assertNotLastOnServer, rememberServer } from "./last-server.ts";
import { findPending } from "./migrations.ts";
import type { Repair } from "./schema-repair.ts";

/**
 * Creates and migrates it as needed. Each database's own code is loaded only if it is used.
 * @param report receives the error of a failed checkpoint; no write fails, and the checkpoint is repeated soon
 * @throws OperatorError if it can't be used
 * @throws InstallationError if a newer version of this service created it
 */
export async function openDatabase(config: Config, report: (error: unknown) => void): Promise<Database> {
  assertNotLastOnServer(config);
  await assertMoveNotForgotten(config);
  const database = await openAnyDatabase(config, report);
  try {
    await assertMoveFinished(database.read);
    if (config.postgres) rememberServer(config.dataDir, nameDatabase(config));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Before anything is written, as by migrations.
 * @throws InstallationError if the database has no books, and the data folder has a database with books
 */
async function assertMoveNotForgotten(config: Config): Promise<void> {
  const { dataDir, postgres } = config;
  if (!postgres || !existsSync(join(dataDir, DATABASE_FILE))) return;
  if ((await hasBooks(config)) || !(await hasBooks({ ...config, postgres: undefined }))) return;
  throw new InstallationError("move_forgotten", {
    database: nameDatabase(config),
    file: join(dataDir, DATABASE_FILE),
  });
}

async function hasBooks(config: Config): Promise<boolean> {
  await using database = await ifFound(openAnyExisting(config));
  if (!database || (await database.readMigrations()).length === 0) return false;
  return (await database.db.selectFrom("books").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Undefined if there is no database. */
export const ifFound = (opening: Promise<ExistingDatabase>): Promise<ExistingDatabase | undefined> =>
  opening.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "database_not_found") return undefined;
    throw error;
  });

/** Like `openDatabase`, but opens also the target of a move, and a database for which the variables may be wrong. */
export async function openAnyDatabase(
  { dataDir, postgres }: Config,
  report: (error: unknown) => void = () => {},
): Promise<Database> {
  if (postgres) return (await import("./postgres/database.ts")).openPostgres(postgres);
  const { openSqlite } = await import("./sqlite/database.ts");
  return openSqlite(join(dataDir, DATABASE_FILE), join(dataDir, BACKUPS_FOLDER), report);
}

/**
 * Opens the database without migrating it; a service may be using it.
 * @throws 404 `database_not_found` if there is none
 * @throws InstallationError if the data folder's instance last ran on PostgreSQL, and the variables don't name any
 */
export async function openExisting(config: Config): Promise<ExistingDatabase> {
  assertNotLastOnServer(config);
  return openAnyExisting(config);
}

/** Like `openExisting`, also if the variables may be wrong. */
export async function openAnyExisting({ dataDir, postgres }: Config): Promise<ExistingDatabase> {
  if (!postgres) return openExistingFile(dataDir);
  const { openExistingPostgres } = await import("./postgres/existing.ts");
  return openExistingPostgres(postgres);
}

async function openExistingFile(dataDir: string): Promise<ExistingDatabase> {
  const path = join(dataDir, DATABASE_FILE);
  if (!existsSync(path)) throw notFound("database_not_found", `${dataDir} contains no database.`);
  const { DatabaseFile } = await import("./sqlite/database-file.ts");
  const { examineDatabase } = await import("./sqlite/examine.ts");
  const file = new DatabaseFile(path);
  return {
    kind: "sqlite",
    db: file.db,
    readMigrations: async () => file.readMigrations(),
    examine: (limit) => examineDatabase(path, limit),
    findMissing: async () => file.findMissing(),
    readClock: async () => undefined,
    hold: async () => file.hold(),
    [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
  };
}

/** Makes indexes and constraints again that an existing database lacks; a service may be using it. */
export async function repairDatabase({ dataDir, postgres }: Config): Promise<Repair[]> {
  if (postgres) return (await import("./postgres/repair.ts")).repairPostgres(postgres);
  return (await import("./sqlite/repair.ts")).repairSqlite(join(dataDir, DATABASE_FILE));
}

/**
 * For a command that needs a database. Otherwise a wrong setting would look like an empty service without any problems.
 * @throws 404 `database_not_found`
 */
export async function assertDatabase(config: Config): Promise<void> {
  await using _database = await openExisting(config);
}

/**
 * @throws 409 `database_older` if the schema isn't that of this version
 * @throws InstallationError if a newer version of this service created it
 */
export async function assertCurrent(database: ExistingDatabase): Promise<void> {
  const pending = await findPending(await database.readMigrations());
  if (pending.length === 0) return;
  throw conflict(
    "database_older",
    `An older version of this service created the database (it lacks ${pending.join(", ")}). Start the server to migrate it.`,
  );
}

/** Each page is read once and in order, so a larger cache would only use memory. */
const READER_CACHE_KIBIBYTES = 2048;
const READER_TIMEOUTS = { connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };

/** Connections that only read, for a worker thread. On the replica, if there is one, for the first reading of all rows. */
export async function openReaders(source: DatabaseSource): Promise<{ db: Db; initial: Db }> {
  if (source.kind === "sqlite") {
    const { openReader: openFile } = await import("./sqlite/connection.ts");
    const { createSqliteKysely } = await import("./sqlite/kysely.ts");
    const { withStatementCache } = await import("./sqlite/statement-cache.ts");
    const db = createSqliteKysely(withStatementCache(openFile(source.file, READER_CACHE_KIBIBYTES)));
    return { db, initial: db };
  }
  const { createPool } = await import("./postgres/connection.ts");
  const { createPostgresKysely } = await import("./postgres/kysely.ts");
  const open = (url: string) => createPostgresKysely(createPool({ url, size: 1, ...READER_TIMEOUTS }));
  const db = open(source.url);
  return { db, initial: source.reportUrl === source.url ? db : open(source.reportUrl) };
}

/** For messages: the data folder, or the server and its database, without user and password. */
export function nameDatabase({ dataDir, postgres }: Config): string {
  if (!postgres) return dataDir;
  const { host, pathname } = new URL(postgres.url);
  return `${host}${pathname}`;
}
