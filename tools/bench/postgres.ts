/**
 * The service on PostgreSQL: durable submits a second, by one instance and by three, against pgbench with sixteen
 * connections and the same statements; and the list of 50 books against the same on SQLite. Needs pgbench.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openPostgres } from "../../src/db/postgres/database.ts";
import { onServer, PostgresProcess, withDatabase } from "../lib/postgres-process.ts";
import { freePort } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { measureResponsesPerSecond } from "./http-load.ts";
import { startMeasured } from "./measured-process.ts";
import { LIST_LOAD } from "./public-list.ts";
import { type BenchRow, compare, countRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";
import { SUBMIT_LOAD } from "./submits.ts";

const ROUNDS = 5;
const LEAST = 0.6;
const PGBENCH_CONNECTIONS = 16;
const INSTANCES = 3;
const OPTIONS = { size: 2, connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-postgres")).path;
  const server = opened.use(await startServer(folder));
  const service = async (kind: string, argument: string) => {
    const started = await startMeasured(SERVICE_PROCESS, [kind, argument], serviceFacts);
    opened.defer(() => started.stop());
    return started.facts.port;
  };
  const url = await server.createDatabase("service");
  const raw = await server.createDatabase("pgbench");
  await (await openPostgres({ url: raw, reportUrl: raw, ...OPTIONS })).close();
  const script = join(folder, "submit.sql");
  writeFileSync(script, SCRIPT);
  const pgbench = () => measureTransactions(raw, script);
  const first = await service("postgres", url);
  const sqlite = await service("service", "1000");
  const list = await compare(
    ROUNDS,
    () => measureResponsesPerSecond({ ...LIST_LOAD, status: 200, port: first }),
    () => measureResponsesPerSecond({ ...LIST_LOAD, status: 200, port: sqlite }),
  );
  const one = await compare(
    ROUNDS,
    () => measureResponsesPerSecond({ ...SUBMIT_LOAD, port: first }),
    pgbench,
  );
  const ports = [first];
  while (ports.length < INSTANCES) ports.push(await service("instance", url));
  const several = await compare(ROUNDS, () => measureSubmits(ports), pgbench);
  const against = `against pgbench with ${PGBENCH_CONNECTIONS}`;
  return [
    countRow("list of 50 books on PostgreSQL, against SQLite", list, LEAST),
    countRow(`submits on PostgreSQL, 64 connections, ${against}`, one, LEAST),
    countRow(`the same at ${INSTANCES} instances, ${against}`, several, LEAST),
  ];
}

/** For measurements on databases of their own: the server of POSTGRES_TEST_URL, or one of its own with PostgreSQL's settings: every commit waits for the disk. */
export async function startServer(folder: string) {
  const { POSTGRES_TEST_URL: given } = process.env;
  const own =
    given === undefined
      ? new PostgresProcess({ folder: join(folder, "server"), port: await freePort(0) })
      : undefined;
  await own?.start();
  const url = own?.url ?? given ?? "";
  const created: string[] = [];
  const execute = (statement: string) => onServer(url, (client) => client.query(statement));
  return {
    async createDatabase(purpose: string): Promise<string> {
      const name = `bookdist_bench_${purpose}_${process.pid}`;
      await execute(
        `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
      );
      created.push(name);
      return withDatabase(url, name);
    },
    async [Symbol.asyncDispose]() {
      for (const name of created) await execute(`drop database ${name} with (force)`);
      await own?.stop();
    },
  };
}

/** The same number of connections, divided among the instances. */
async function measureSubmits(ports: readonly number[]): Promise<number> {
  const connections = Math.round(SUBMIT_LOAD.connections / ports.length);
  const rates = await Promise.all(
    ports.map((port) => measureResponsesPerSecond({ ...SUBMIT_LOAD, connections, port })),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

const EVENT = {
  downloadedAt: ":now",
  contactId: "(select id from contacts where email = 'reader' || :reader || '@example.org')",
  isDownloadAll: "0",
  booksCount: "1",
  bookId: "'01a1fb60-1a34-772b-a309-dba157e20a81'",
  fileId: "'01a1fb60-1a34-772b-a309-dba157e20a82'",
  languageId: "2",
  bookTitle: "'Title 7 in es'",
  fileType: "'pdf'",
  fileName: "'book-7.pdf'",
  languageName: "'es'",
  languageCode: "'es'",
  ipAddress: "'127.0.0.1'",
  deviceType: "'desktop'",
  browserName: "'Firefox'",
  browserVersion: "'140.0'",
  osName: "'Linux'",
  osVersion: "'x86_64'",
  referrer: "''",
  isBot: "0",
};

const columns = Object.keys(EVENT)
  .map((column) => `"${column}"`)
  .join(", ");

/** What one submit of an unknown reader writes, in a transaction of its own. */
const SCRIPT = [
  String.raw`\set reader random(1, 1000000000000)`,
  String.raw`\set now 1790000000000`,
  "begin;",
  `insert into contacts ("publicId", email, "firstName", "lastName", phone, country, "searchText", "firstDownloadAt", "lastDownloadAt", "totalDownloads") values (gen_random_uuid(), 'reader' || :reader || '@example.org', 'Sara', '', '', '', 'sara reader' || :reader || '@example.org', :now, :now, 1) on conflict (email) do update set "totalDownloads" = contacts."totalDownloads" + 1 returning *;`,
  `insert into download_events (${columns}) values (${Object.values(EVENT).join(", ")}) returning id;`,
  "commit;",
].join("\n");

async function measureTransactions(url: string, script: string): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const load = [
    "-c",
    `${PGBENCH_CONNECTIONS}`,
    "-j",
    "2",
    "-T",
    `${SUBMIT_LOAD.seconds}`,
    "-n",
    "-M",
    "prepared",
  ];
  const where = ["-h", hostname, "-p", port || "5432", "-U", decodeURIComponent(username)];
  const { stdout } = await promisify(execFile)(
    "pgbench",
    [...load, ...where, "-f", script, pathname.slice(1)],
    {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
    },
  );
  const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
  if (rate === undefined || !/number of failed transactions: 0 /.test(stdout))
    throw new Error(`pgbench:\n${stdout}`);
  return Number(rate);
}
