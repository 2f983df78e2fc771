/** A million events and a million contacts as CSV over HTTP, against csv-stringify alone on the same rows in memory. */
import { get } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { openReader } from "../../src/db/sqlite/connection.ts";
import { createSqliteKysely } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { guardCell } from "../../src/lib/csv.ts";
import { DownloadLogQuery } from "../../src/repositories/exports/download-log.ts";
import { DOWNLOAD_COLUMNS } from "../../src/schemas/analytics.schemas.ts";
import { CONTACT_COLUMNS } from "../../src/schemas/contacts.schemas.ts";
import { presentEvent } from "../../src/services/analytics/presenters.ts";
import { generateEvents } from "../lib/event-generator.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { logIn, warmUp } from "./administrator.ts";
import { createExportedContact, generateContacts } from "./contact-rows.ts";
import { EVENTS_PROCESS, eventsFacts } from "./events-process.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { type BenchRow, boundRow, compare, computeMedian, countRow } from "./row.ts";

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const ROUNDS = 1;
/** Rows of a measured round: enough for a speed, and a million would take minutes in each. */
const ROUND_ROWS = Math.min(ROWS, 100_000);
const FIRST_BYTES = 10;
/** As many rows as fit into memory; csv-stringify gets them time and again. */
const SAMPLE = 50_000;
const MEGABYTE = 1e6;

type Row = readonly unknown[];

interface Table {
  noun: string;
  path: string;
  columns: readonly string[];
  /** Makes the database, which isn't there yet. */
  generate(file: string): Promise<void>;
  /** Some of its rows as they go out. */
  sample(file: string): Promise<Row[]>;
}

const EVENTS: Table = {
  noun: "events",
  path: "/api/admin/analytics/downloads/export?includeBots=true",
  columns: DOWNLOAD_COLUMNS,
  generate: (file) => generateEvents(file, ROWS),
  async sample(file) {
    const db = createSqliteKysely(withStatementCache(openReader(file)));
    const rows = await new DownloadLogQuery(db).list({ includeBots: true }, { limit: SAMPLE, offset: 0 });
    await db.destroy();
    return rows.map(presentEvent).map((event) => DOWNLOAD_COLUMNS.map((column) => event[column]));
  },
};

const CONTACTS: Table = {
  noun: "contacts",
  path: "/api/admin/contacts/export?",
  columns: CONTACT_COLUMNS,
  generate: (file) => generateContacts(file, ROWS),
  sample: async () => Array.from({ length: SAMPLE }, (_, number) => createExportedContact(number)),
};

export async function run(): Promise<BenchRow[]> {
  return [...(await exportRows(EVENTS)), ...(await exportRows(CONTACTS))];
}

async function exportRows(table: Table): Promise<BenchRow[]> {
  using folder = temporaryFolder("bench-exports");
  const file = join(folder.path, "database.sqlite");
  await table.generate(file);
  const sample = await table.sample(file);
  const service = await startMeasured(EVENTS_PROCESS, [folder.path], eventsFacts);
  try {
    const { port } = service.facts;
    const cookie = await logIn(port);
    await warmUp(port, cookie);
    const ask = createExporter(table, port, cookie);
    const { response: whole, ...usage } = await measureUsage(service, () => ask("", { countsLines: true }));
    if (whole.lines !== ROWS + 1) throw new Error(`The export has ${whole.lines} lines`);
    const bytesPerRow = whole.bytes / ROWS;
    const askAgain = async () => {
      const { bytes, seconds } = await ask("", { leavesAfter: ROUND_ROWS * bytesPerRow });
      return bytes / bytesPerRow / seconds;
    };
    const speeds = await compare(ROUNDS, askAgain, () => measureStringified(table, sample));
    const firsts: number[] = [];
    for (let request = 0; request < FIRST_BYTES; request += 1)
      firsts.push((await ask("", { leavesAfter: 1 })).firstMs);
    return [
      countRow(`rows of ${ROWS} ${table.noun} as CSV, against csv-stringify alone`, speeds, 0.8),
      boundRow("memory that they take", usage.growth / MEGABYTE, "MB", 64),
      boundRow("their first byte", computeMedian(firsts), "ms", 100),
      boundRow("event loop held at most, meanwhile", usage.longestHoldMs, "ms", 50),
      boundRow("event loop held, p99", usage.p99HoldMs, "ms", 5),
    ];
  } finally {
    await service.stop();
  }
}

async function measureUsage<T>(service: MeasuredProcess<unknown>, work: () => Promise<T>) {
  const { now } = await service.usage();
  const response = await work();
  const { peak, ...held } = await service.usage();
  return { response, growth: peak - now, ...held };
}

interface Export {
  firstMs: number;
  seconds: number;
  bytes: number;
  /** Zero unless they are counted, which takes the client as long as some of the service's work. */
  lines: number;
}

/** @returns what asks for an export, and leaves after some bytes */
function createExporter({ path }: Table, port: number, cookie: string) {
  return (
    filter = "",
    { leavesAfter = Number.POSITIVE_INFINITY, countsLines = false } = {},
  ): Promise<Export> => {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: path + filter, headers: { cookie }, agent: false };
      const request = get(options, (response) => {
        let [lines, bytes, firstMs] = [0, 0, 0];
        const finish = () => resolve({ firstMs, seconds: (performance.now() - start) / 1000, bytes, lines });
        response.on("data", (chunk: Buffer) => {
          firstMs ||= performance.now() - start;
          bytes += chunk.length;
          if (countsLines) lines += countLines(chunk);
          if (bytes < leavesAfter) return;
          request.destroy();
          finish();
        });
        response.once("end", finish);
        response.once("error", () => undefined);
      });
      request.once("error", reject);
    });
  };
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** The same text by csv-stringify. */
async function measureStringified({ columns }: Table, sample: readonly Row[]): Promise<number> {
  const start = performance.now();
  const records = stringify({
    header: true,
    bom: true,
    record_delimiter: "\r\n",
    columns: [...columns],
    cast: { string: (text) => guardCell(text) },
  });
  await pipeline(iterateRepeated(sample), records, async (pieces) => {
    for await (const _ of pieces);
  });
  return ROUND_ROWS / ((performance.now() - start) / 1000);
}

function* iterateRepeated(sample: readonly Row[]): Generator<Row> {
  for (let row = 0; row < ROUND_ROWS; row += sample.length) yield* sample;
}
