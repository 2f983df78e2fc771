/** Migrates a PostgreSQL database to the schema of this version: all migrations in one transaction, or none. */
import { type Migration, Migrator } from "kysely/migration";
import type pg from "pg";
import { z } from "zod";
import { OperatorError } from "../../errors.ts";
import { codeOf } from "../../lib/node-errors.ts";
import { assertInstallation } from "../assert-installation.ts";
import { findPending, MIGRATIONS, type MigrationReport, readMigrations } from "../migrations.ts";
import { type DatabaseState, parseForeignObjects, type SchemaObject } from "../soundness.ts";
import { execute, executeOn } from "./connection.ts";
import { createPostgresKysely } from "./kysely.ts";
import { runWhileNoInstanceRuns, runWhileNoOtherMigrates, WRITER } from "./locks.ts";

const OLDEST_VERSION = 150_000;

const facts = z.tuple([
  z.object({ version: z.coerce.number(), encoding: z.string(), collation: z.string() }),
]);

/** @throws OperatorError for a server or database in which the service can't work */
export async function assertUsable(client: pg.PoolClient): Promise<void> {
  const { rows } = await execute(
    client,
    `select current_setting('server_version_num') as version, pg_encoding_to_char(encoding) as encoding,
       datcollate as collation from pg_database where datname = current_database()`,
  );
  const [{ version, encoding, collation }] = facts.parse(rows);
  if (version < OLDEST_VERSION) {
    throw new OperatorError(
      `DATABASE_URL: the server is PostgreSQL ${Math.floor(version / 10_000)}; 15 or later is needed.`,
    );
  }
  if (encoding !== "UTF8" || !/^(C|POSIX|C\.UTF-?8)$/i.test(collation)) {
    throw new OperatorError(
      `DATABASE_URL: the database has the encoding ${encoding} and the collation ${collation}. Create it with ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8' TEMPLATE template0.`,
    );
  }
}

/**
 * Of several instances that start at once, one migrates and the others wait. Instances of older versions go on, unless a
 * migration stops them.
 * @param pool of one connection @param lockPool of two, for locks
 * @throws OperatorError if instances are running that couldn't work any more
 */
export function migrate(
  pool: pg.Pool,
  lockPool: pg.Pool,
  folder: string = MIGRATIONS,
): Promise<MigrationReport> {
  return runWhileNoOtherMigrates(lockPool, async () => {
    const pending = await findPending(await readAppliedMigrations(pool), folder);
    if (pending.length === 0) return { applied: [], copy: undefined };
    const known = await readMigrations(folder);
    const apply = () => applyAll(pool, known);
    const stopping = pending.filter((name) => known[name]?.stopsOlderVersions);
    const isDone = stopping.length > 0 ? await runWhileNoInstanceRuns(lockPool, apply) : await apply();
    assertInstallation({ instances_running: !isDone && { migrations: stopping } });
    return { applied: pending, copy: undefined };
  });
}

/** How long a migration waits for tables that running statements lock: others wait after it. Then it tries again. */
const TABLE_WAIT_MS = 500;
/** For the writers before it, whose transactions lock tables in another order than a migration. */
const WRITER_WAIT_MS = 30_000;
const PAUSE_MS = 1000;
/** Longer than a report or an export may take. */
const ATTEMPTS = 240;
/** Deadlock, and lock not available. */
const IN_THE_WAY = ["40P01", "55P03"];

async function applyAll(pool: pg.Pool, known: Record<string, Migration>): Promise<true> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await applyBetweenWrites(pool, known);
    if (error === undefined) return true;
    if (attempt === ATTEMPTS || !IN_THE_WAY.includes(codeOf(error) ?? ""))
      throw new Error("The database could not be migrated and is unchanged", { cause: error });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** @param pool of one connection, so that the lock and the limit are those of the migration @returns the error, if any */
async function applyBetweenWrites(pool: pg.Pool, known: Record<string, Migration>): Promise<unknown> {
  await executeOn(pool, `set lock_timeout = ${WRITER_WAIT_MS}`);
  await executeOn(pool, `select pg_advisory_lock(${WRITER}, 0)`);
  try {
    await executeOn(pool, `set lock_timeout = ${TABLE_WAIT_MS}`);
    const migrator = new Migrator({
      db: createPostgresKysely(pool),
      provider: { getMigrations: async () => known },
    });
    return (await migrator.migrateToLatest()).error;
  } finally {
    await executeOn(pool, `select pg_advisory_unlock(${WRITER}, 0)`);
  }
}

const applied = z.array(z.object({ name: z.string() }));

export async function readAppliedMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows: tables } = await executeOn(
    pool,
    "select 1 where to_regclass('kysely_migration') is not null",
  );
  if (tables.length === 0) return [];
  const { rows } = await executeOn(pool, "select name from kysely_migration order by name");
  return applied.parse(rows).map(({ name }) => name);
}

/** A view is a table with a rule. */
const OBJECTS = `
  select case relkind when 'v' then 'view' when 'm' then 'view' else 'table' end as type, relname as name, relname as "table"
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
  union all
  select 'trigger', tgname, relname from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema()::regnamespace
  union all
  select 'rule', rulename, relname from pg_rewrite join pg_class on pg_class.oid = ev_class
    where rulename <> '_RETURN' and relnamespace = current_schema()::regnamespace
  union all
  select 'policy', polname, relname from pg_policy join pg_class on pg_class.oid = polrelid
    where relnamespace = current_schema()::regnamespace
  order by 2`;

/** @throws OperatorError for triggers, views, rules and policies that this service didn't create */
export async function findForeignData(pool: pg.Pool, what: string): Promise<SchemaObject[]> {
  const { programs, data } = await findForeignObjects(pool);
  assertInstallation({ foreign_programs: programs.length > 0 && { what, programs, client: "psql" } });
  return data;
}

/** Indexes that an operator added are allowed. */
async function findForeignObjects(pool: pg.Pool, limit?: number) {
  const { rows } = await executeOn(pool, OBJECTS);
  return parseForeignObjects(rows, limit);
}

/** PostgreSQL checks references by itself, and its operator checks its files (pg_amcheck). */
export async function examineDatabase(pool: pg.Pool, limit: number): Promise<DatabaseState> {
  return { damage: [], brokenReferences: [], foreign: await findForeignObjects(pool, limit) };
}
