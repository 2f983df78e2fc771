/**
 * The lists of contacts and downloads as the console shows them, of a million each, on both databases: the first page and
 * the total by each filter, until the response. One of them: `BENCH_DATABASES=sqlite npm run bench -- people`.
 */
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { moveData } from "../../src/operation/move/commands.ts";
import { bookIdOf, CONTACTS, countryOf, generateEvents } from "../lib/event-generator.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { logIn } from "./administrator.ts";
import { addContacts } from "./contact-rows.ts";
import { EVENTS_PROCESS, eventsFacts } from "./events-process.ts";
import { startMeasured } from "./measured-process.ts";
import { startServer } from "./postgres.ts";
import { type BenchRow, boundRow, computeMedian } from "./row.ts";
import { onPostgres } from "./service-process.ts";

const { BENCH_DATABASES = "sqlite,postgres" } = process.env;
const DATABASES = BENCH_DATABASES.split(",");
const ROWS = 1_000_000;
const ROUNDS = 3;
const MAX_MS = 1000;

const RANGE = "startDate=2025-06-01&endDate=2025-06-30";
const LISTS: Readonly<Record<string, readonly string[]>> = {
  contacts: [
    "",
    "page=20000",
    "search=reader777777",
    "search=example",
    "search=sara",
    "marketing=yes",
    "marketing=no",
    "marketing=unknown",
    "country=Kenya",
    "city=City 77",
    "languageId=7",
    `bookId=${bookIdOf(7)}`,
    "utmCampaign=spring",
    RANGE,
    "search=sara&languageId=7",
    "marketing=yes&languageId=7",
    "marketing=yes&search=example",
    `marketing=yes&${RANGE}`,
  ],
  "analytics/downloads": [
    "",
    "page=10000",
    "includeBots=true",
    "search=reader7777",
    "search=example",
    "search=book",
    "languageId=7",
    `bookId=${bookIdOf(7)}`,
    `countryCode=${countryOf(7)}`,
    "deviceType=tablet",
    "fileType=zip",
    "isRedeemed=true",
    "utmCampaign=spring",
    RANGE,
    "search=reader7777&languageId=7",
    `search=example&${RANGE}`,
    "languageId=7&deviceType=tablet",
  ],
};

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-people")).path;
  const dataDir = join(folder, "data");
  const file = join(dataDir, "database.sqlite");
  await generateEvents(file, ROWS);
  addContacts(file, CONTACTS, ROWS);
  const rows: BenchRow[] = [];
  if (DATABASES.includes("postgres")) {
    const server = opened.use(await startServer(folder));
    const url = await server.createDatabase("people");
    const serverDir = join(folder, "server-data");
    const to = readConfig({ DATA_DIR: serverDir, ...onPostgres(url) });
    await moveData({ from: readConfig({ DATA_DIR: dataDir }), to });
    rows.push(...(await rowsOf("PostgreSQL", [serverDir, url])));
  }
  if (DATABASES.includes("sqlite")) rows.push(...(await rowsOf("SQLite", [dataDir])));
  return rows;
}

async function rowsOf(where: string, args: readonly string[]): Promise<BenchRow[]> {
  const { facts, stop } = await startMeasured(EVENTS_PROCESS, args, eventsFacts);
  try {
    const client = new ServiceClient(`http://127.0.0.1:${facts.port}`, { cookie: await logIn(facts.port) });
    const rows: BenchRow[] = [];
    for (const [list, filters] of Object.entries(LISTS))
      for (const filter of filters) {
        const milliseconds = await measure(client, `/api/admin/${list}?limit=50&${filter}`);
        rows.push(boundRow(`${where}: ${list}, ${filter || "all"}`, milliseconds, "ms", MAX_MS));
      }
    return rows;
  } finally {
    await stop();
  }
}

/** The first request of a kind loads its code, and the first reports wait until all events are read. */
async function measure(client: ServiceClient, path: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begin = performance.now();
    const { status, bytes } = await client.send(path);
    times.push(performance.now() - begin);
    if (status !== 200) throw new Error(`${path}: ${status} ${bytes.toString().slice(0, 500)}`);
  }
  return computeMedian(times.slice(1));
}
