/** An empty SQLite file gets at once what the migrations would make of it. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { readMigrations } from "../../src/db/migrations.ts";
import { type Connection, openWriter } from "../../src/db/sqlite/connection.ts";
import { applyAll, migrate } from "../../src/db/sqlite/migrator.ts";
import { createNewestSchema, describeSchema, readNewestSchema } from "../../src/db/sqlite/newest-schema.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

function openEmpty() {
  const folder = createTempFolder();
  const connection = openWriter(join(folder, "database.sqlite"));
  onTestFinished(() => void connection.close());
  return { connection, backups: join(folder, "backups") };
}

const TABLES = "select name from pragma_table_list where schema = 'main' and type <> 'virtual' order by name";

/** All rows but SQLite's own. Times of migrations and the epoch, which is random, count by their type. */
function readRows(connection: Connection) {
  const tables = z.array(z.string()).parse(connection.prepare(TABLES).pluck().all());
  const names = tables.filter((name) => !name.startsWith("sqlite_"));
  const rows = names.map((name) => [name, connection.prepare(`select * from "${name}"`).all()] as const);
  return JSON.parse(
    JSON.stringify(rows, (key, value) => (key === "timestamp" || key === "epoch" ? typeof value : value)),
  );
}

it("has the schema and the rows that the migrations make: otherwise run npm run schema-parts", async () => {
  const [upgraded, created] = [openEmpty(), openEmpty()];
  await applyAll(upgraded.connection, await readMigrations());
  const { applied, copy } = await migrate(created.connection, created.backups);
  expect([applied, copy]).toEqual([Object.keys(await readMigrations()), undefined]);
  expect(describeSchema(created.connection)).toEqual(describeSchema(upgraded.connection));
  expect(readNewestSchema()).toEqual(describeSchema(upgraded.connection));
  const rows = readRows(created.connection);
  expect(rows).toEqual(readRows(upgraded.connection));
  expect(rows).toContainEqual([
    "installation",
    [
      {
        id: "this",
        epoch: "string",
        systemIdentifier: null,
        timeline: null,
        serviceId: null,
        secretFingerprint: null,
        movingFrom: null,
        lastHour: null,
      },
    ],
  ]);
  expect(await migrate(created.connection, created.backups)).toEqual({ applied: [], copy: undefined });
});

it("each file has an epoch of its own", async () => {
  const epochs = new Set<unknown>();
  for (const { connection, backups } of [openEmpty(), openEmpty()]) {
    await migrate(connection, backups);
    epochs.add(connection.prepare("select epoch from installation").pluck().get());
  }
  expect(epochs.size).toBe(2);
});

it("a migration that it doesn't know runs with all others", async () => {
  const folder = join(createTempFolder(), "migrations");
  cpSync(MIGRATIONS, folder, { recursive: true });
  const table = `await db.schema.createTable("later").addColumn("id", "text").execute();`;
  writeFileSync(join(folder, "9999-later.ts"), `export async function up(db) { ${table} }\n`);
  const { connection, backups } = openEmpty();
  const { applied } = await migrate(connection, backups, folder);
  expect(applied.at(-1)).toBe("9999-later");
  expect(connection.prepare("select count(*) from later").pluck().get()).toBe(0);
});

it("a failure leaves the file empty", () => {
  const { connection } = openEmpty();
  const { migrations, statements } = readNewestSchema();
  const broken = { migrations, statements: [...statements, "create table nothing"] };
  expect(() => createNewestSchema(connection, broken)).toThrow("syntax error");
  expect(connection.prepare("select count(*) from sqlite_schema").pluck().get()).toBe(0);
});
