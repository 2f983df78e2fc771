/** A newer version that migrates the database while instances of this version or an older one are running on it. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { LOCK_WRITER } from "../../src/db/postgres/locks.ts";
import { OperatorError } from "../../src/errors.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { lockIsAwaited, startInstances } from "../support/instances.ts";
import { migrateBy } from "../support/migrated-by.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const ADDS_TABLE = `export async function up(db) {
  await db.schema.createTable("newer").addColumn("id", "integer").execute();
}`;
const MARKED = { "9999-marked": `export const stopsOlderVersions = true;\n${ADDS_TABLE}` };
const REFUSAL =
  /^DATABASE_URL: other instances are running on this database, [^\n]+ \(9999-marked\)\. Stop all of them[^\n]+$/;

const join = ({ container }: TestApp) => container.database.join(true, 0, () => expect.unreachable());

const isMigrated = async ({ container }: TestApp): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select to_regclass('newer') is not null as is`.execute(
    container.database.read,
  );
  return rows[0]?.is === true;
};

async function expectRefused(app: TestApp): Promise<void> {
  const refused = migrateBy(MARKED, app.dataDir);
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(REFUSAL);
  expect(await isMigrated(app)).toBe(false);
}

it("a migration that stops older versions is rejected until all of them have left", async () => {
  const [one, another] = await startInstances();
  await join(one);
  await join(another);
  await expectRefused(one);
  await another.container.close();
  await expectRefused(one);
  const watching = await startApp({}, { dataDir: one.dataDir });
  await one.container.close();
  expect(await migrateBy(MARKED, one.dataDir)).toMatchObject({ applied: ["9999-marked"] });
  expect(await isMigrated(watching)).toBe(true);
});

it("an instance of version 1.0, which registers in the same way, counts as older", async () => {
  const app = await startApp();
  const { DATABASE_URL } = await createDatabaseSettings(app.dataDir);
  const old = new pg.Client({ connectionString: DATABASE_URL });
  await old.connect();
  onTestFinished(() => old.end());
  await old.query("select pg_try_advisory_lock_shared($1, hashtext($2)) as held", [0x62_6f_6f_05, ""]);
  await expectRefused(app);
});

it("no instance registers during such a migration, and no older one after it", async () => {
  const app = await startApp();
  const waits = `import { sql } from "kysely";
export const stopsOlderVersions = true;
export const up = (db) => sql\`select pg_advisory_xact_lock(1)\`.execute(db);
`;
  const { DATABASE_URL } = await createDatabaseSettings(app.dataDir);
  const gate = new pg.Client({ connectionString: DATABASE_URL });
  await gate.connect();
  await gate.query("select pg_advisory_lock(1)");
  const migrating = migrateBy({ "9999-waits": waits }, app.dataDir);
  await lockIsAwaited(app);
  expect(await join(app)).toBe(false);
  await gate.end();
  await migrating;
  await expect(join(app)).rejects.toThrow(expect.objectContaining({ code: "database_newer" }));
});

it("a migration that is compatible with older versions runs beside them", async () => {
  const app = await startApp();
  await join(app);
  expect(await migrateBy({ "9999-newer": ADDS_TABLE }, app.dataDir)).toMatchObject({
    applied: ["9999-newer"],
  });
});

it("a migration waits for earlier writers, and lets readers continue while a table is in use", async () => {
  const app = await startApp();
  const { DATABASE_URL } = await createDatabaseSettings(app.dataDir);
  const [writer, reader] = [0, 1].map(() => new pg.Client({ connectionString: DATABASE_URL }));
  if (!writer || !reader) throw new Error("no clients");
  for (const client of [writer, reader]) {
    await client.connect();
    onTestFinished(() => client.end());
  }
  // As a write of another instance, which locks tables in another order than the migration.
  await writer.query(`begin; ${LOCK_WRITER}; lock table contacts in row exclusive mode`);
  await reader.query("begin; select count(*) from languages");
  const columns = `import { sql } from "kysely";
export async function up(db) {
  for (const table of ["books", "contacts", "languages"])
    await sql\`alter table \${sql.table(table)} add column note text\`.execute(db);
}
`;
  const migrating = migrateBy({ "9999-columns": columns }, app.dataDir);
  await lockIsAwaited(app);
  await writer.query("lock table books in row exclusive mode; commit");
  // The reader's transaction still has a lock: the migration tries in vain, and others read on.
  for (let time = 0; time < 5; time += 1) {
    await sql`select count(*) from languages, books`.execute(app.container.database.read);
    await sleep(300);
  }
  await reader.query("select count(*) from books; commit");
  expect(await migrating).toMatchObject({ applied: ["9999-columns"] });
});
