/** The PostgreSQL server of the project `postgres`, with a migrated database from which each test copies its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { onServer, PostgresProcess, withDatabase } from "../../tools/lib/postgres-process.ts";
import { freePort } from "../../tools/lib/server-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server, and the name of the migrated database; absent in other projects. */
    postgres: { url: string; template: string } | undefined;
  }
}

/** Each test's application has a pool, and files run side by side. */
const MAX_CONNECTIONS = 300;
const TEMPLATE = "bookdist_template";
/** As the documents say: its trigrams are those of all scripts. */
const OF_ALL_SCRIPTS = "lc_collate 'C' lc_ctype 'C.UTF-8'";
/** How the names of the tests' databases begin. */
export const TEST_DATABASE = "bookdist_test_";

/** Uses the server of POSTGRES_TEST_URL, or starts one that ends with the run. */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const { POSTGRES_TEST_URL: given } = process.env;
  const own = given === undefined ? await startServer() : undefined;
  const url = own?.url ?? given ?? "";
  await onServer(url, async (client) => {
    await client.query(`drop database if exists ${TEMPLATE} with (force)`);
    await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8' ${OF_ALL_SCRIPTS}`);
  });
  const options = { size: 2, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 };
  const template = withDatabase(url, TEMPLATE);
  await (await openPostgres({ url: template, reportUrl: template, ...options })).close();
  project.provide("postgres", { url, template: TEMPLATE });
  return async () => {
    await onServer(url, dropTestDatabases);
    await own?.stop();
  };
}

/** Of tests on a data folder that they had made themselves. */
async function dropTestDatabases(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select datname from pg_database where starts_with(datname, $1)", [
    TEST_DATABASE,
  ]);
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.query(`drop database ${TEMPLATE} with (force)`);
}

async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "bds-postgres-"));
  const port = await freePort(0);
  // Nothing here outlives the run.
  const settings = ["fsync=off", `max_connections=${MAX_CONNECTIONS}`];
  const server = new PostgresProcess({ folder: join(folder, "server"), port, settings });
  await server.start();
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
