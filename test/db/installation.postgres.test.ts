/** The record of the installation on PostgreSQL: what a version before it has left there. */
import { expect, it, onTestFinished } from "vitest";
import { readInstallation } from "../../src/db/installation.ts";
import { createPool, endPool, executeOn } from "../../src/db/postgres/connection.ts";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { findForeignData, migrate } from "../../src/db/postgres/migrator.ts";
import { FORMER_TABLES } from "../../src/db/soundness.ts";
import { createOlderMigrations } from "../support/migrations-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

it("takes over the tables of one value and an unfinished move", async () => {
  const { DATABASE_URL: url = "" } = await createDatabaseSettings(createTempFolder());
  const options = { url, reportUrl: url, size: 2, connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };
  const pool = createPool({ ...options, size: 1 });
  const lockPool = createPool(options);
  onTestFinished(() => Promise.all([endPool(pool), endPool(lockPool)]).then(() => undefined));
  await executeOn(pool, "drop schema public cascade; create schema public");
  await migrate(pool, lockPool, createOlderMigrations("0031"));
  for (const statement of [
    `insert into service_id (id, "serviceId") values ('current', 'service')`,
    "insert into secret_fingerprint (id, fingerprint) values ('current', 'secret')",
    `insert into recorded_hour (id, "recordedAt") values ('last', 1700000000000)`,
    "create table unfinished_move (source text not null)",
    "insert into unfinished_move values ('/data')",
  ])
    await executeOn(pool, statement);
  expect(await findForeignData(pool, "The database")).toEqual([]);
  const database = await openPostgres(options);
  onTestFinished(() => database.close());
  expect(await readInstallation(database.read)).toMatchObject({
    serviceId: "service",
    secretFingerprint: "secret",
    lastHour: 1_700_000_000_000,
    movingFrom: "/data",
  });
  const { rows } = await executeOn(
    pool,
    `select relname from pg_class where relname in ('${FORMER_TABLES.join("', '")}')`,
  );
  expect(rows).toEqual([]);
});
