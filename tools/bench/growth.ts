/**
 * Catalogues of 2,000, 10,000 and 50,000 books, each in 10 of 56 languages with a file in each, on both databases: what
 * readers wait for after a change, and for how long any request holds the event loop. Some of them:
 * `BENCH_BOOKS=2000,10000 BENCH_DATABASES=sqlite npm run bench -- growth`, with at least 1,000 books.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../../src/config.ts";
import { moveData } from "../../src/operation/move/commands.ts";
import {
  bookIdOf,
  GENERATED_LANGUAGES,
  generateCatalogue,
  LANGUAGES_PER_BOOK,
  RARE,
} from "../lib/catalogue-generator.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { logIn } from "./administrator.ts";
import { EVENTS_PROCESS, eventsFacts } from "./events-process.ts";
import { startMeasured } from "./measured-process.ts";
import { startServer } from "./postgres.ts";
import { type BenchRow, boundRow, computeMedian } from "./row.ts";
import { onPostgres } from "./service-process.ts";

const { BENCH_BOOKS = "2000,10000,50000", BENCH_DATABASES = "sqlite,postgres" } = process.env;
const SIZES = BENCH_BOOKS.split(",").map(Number);
const DATABASES = BENCH_DATABASES.split(",");
/** Of the first book. It has a sub-language. */
const LANGUAGE = "es";
const ROUNDS = 5;
const PAGE = 50;
const CHANGES = 1000;
const MEGABYTE = 1e6;
const COMMON = "title";
/** After the measured process has noted its own garbage collection. */
const SETTLE_MS = 100;
/** Of an idle process, whose own measurements take time. */
const IDLE_MS = 1000;

/** In milliseconds; times are those until the response. */
const MAX_HOLD = 50;
const MAX_PUBLIC_HOLD = 10;
const MAX_MOVES = 500;
const MAX_SEARCH = 150;
const MAX_COMMON_SEARCH = 2000;
const MAX_MEMORY_MB = 300;
const maxAfterChange = (books: number): number => (books > 10_000 ? 500 : 100);

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-growth")).path;
  const server = DATABASES.includes("postgres") ? opened.use(await startServer(folder)) : undefined;
  const rows: BenchRow[] = [];
  for (const books of SIZES) {
    const dataDir = join(folder, `${books}`);
    await generateCatalogue(join(dataDir, "database.sqlite"), books);
    const url = await server?.createDatabase(`growth_${books}`);
    if (url !== undefined) {
      const from = readConfig({ DATA_DIR: dataDir });
      const serverDir = join(folder, `${books}-server`);
      await moveData({ from, to: readConfig({ DATA_DIR: serverDir, ...onPostgres(url) }) });
      rows.push(...(await rowsOf(`${books} books, PostgreSQL`, books, [serverDir, url])));
    }
    if (DATABASES.includes("sqlite"))
      rows.push(...(await rowsOf(`${books} books, SQLite`, books, [dataDir])));
  }
  return rows;
}

interface Measured {
  milliseconds: number;
  holdMs: number;
  /** Of all threads, without that of an idle process in the same time. */
  processorMs: number;
}

async function start(args: readonly string[]) {
  const { facts, usage, stop } = await startMeasured(EVENTS_PROCESS, args, eventsFacts);
  const base = `http://127.0.0.1:${facts.port}`;
  const client = new ServiceClient(base, { cookie: await logIn(facts.port) });
  // Some of the start happens after the process listens.
  await pause(IDLE_MS);
  const idleBefore = await usage();
  await pause(IDLE_MS);
  const idleShare = ((await usage()).busyMs - idleBefore.processorMs) / IDLE_MS;
  /** A request with a status below 400, and what it costs. */
  const measure = async (
    path: string,
    request: Parameters<ServiceClient["send"]>[1] = {},
  ): Promise<Measured> => {
    const before = await usage();
    await pause(SETTLE_MS);
    const begin = performance.now();
    const { status, bytes } = await client.send(path, request);
    const milliseconds = performance.now() - begin;
    if (status >= 400) throw new Error(`${path}: ${status} ${bytes.toString().slice(0, 500)}`);
    // The turn that has sent the response is over, too.
    await pause(SETTLE_MS);
    const after = await usage();
    const idleMs = idleShare * (milliseconds + 2 * SETTLE_MS);
    const processorMs = after.busyMs - before.processorMs - idleMs;
    return { milliseconds, holdMs: after.longestTurnMs, processorMs };
  };
  return { measure, usage, [Symbol.asyncDispose]: stop };
}

type Service = Awaited<ReturnType<typeof start>>;

async function rowsOf(where: string, books: number, args: readonly string[]): Promise<BenchRow[]> {
  await using service = await start(args);
  const rows = [...(await afterChanges(service, books)), ...(await searches(service))];
  const { now } = await service.usage();
  rows.push(boundRow("memory after that", now / MEGABYTE, "MB", MAX_MEMORY_MB));
  rows.push(...(await administration(service, books)));
  return rows.map((row) => ({ ...row, what: `${where}: ${row.what}` }));
}

/** What readers ask for first after a change of one book. */
async function afterChanges(service: Service, books: number): Promise<BenchRow[]> {
  const reads: readonly [what: string, path: string][] = [
    ["first list of a language", `/api/books?languageCode=${LANGUAGE}&limit=${PAGE}`],
    ["first list of all", `/api/books?limit=${PAGE}`],
    ["its last page", `/api/books?limit=${PAGE}&page=${Math.ceil(books / PAGE)}`],
    ["languages", "/api/languages"],
  ];
  const rows: BenchRow[] = [];
  for (const [what, path] of reads) {
    // The first request warms up.
    await service.measure(path);
    const { milliseconds, holdMs } = await medianOf(async (round) => {
      const json = { languageCode: LANGUAGE, title: `Title ${what} ${round}` };
      await service.measure(`/api/admin/books/${bookIdOf(1)}/translations`, { method: "POST", json });
      return service.measure(path);
    });
    rows.push(
      boundRow(`${what} after a change`, milliseconds, "ms", maxAfterChange(books)),
      boundRow(`hold of the loop by that`, holdMs, "ms", MAX_PUBLIC_HOLD),
    );
  }
  return rows;
}

async function medianOf(measure: (round: number) => Promise<Measured>): Promise<Measured> {
  const results: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) results.push(await measure(round));
  const of = (field: keyof Measured) => computeMedian(results.map((result) => result[field]));
  return { milliseconds: of("milliseconds"), holdMs: of("holdMs"), processorMs: of("processorMs") };
}

async function searches({ measure }: Service): Promise<BenchRow[]> {
  await measure(`/api/books?search=${RARE.word}`);
  // Every round searches for another text, so that no response is kept.
  const search = (round: number) => measure(`/api/books?search=${RARE.word.slice(round)}&limit=${PAGE}`);
  const rare = await medianOf(search);
  // In no book's own texts, and in all translations.
  const common = await medianOf((round) => measure(`/api/books?search=${COMMON.slice(round)}&limit=${PAGE}`));
  return [
    boundRow("processor time of a search", rare.processorMs, "ms", MAX_SEARCH),
    boundRow("hold of the loop by that", rare.holdMs, "ms", MAX_HOLD),
    boundRow("a search for a word of all books", common.milliseconds, "ms", MAX_COMMON_SEARCH),
  ];
}

async function administration({ measure }: Service, books: number): Promise<BenchRow[]> {
  const moves = Array.from({ length: CHANGES }, (_, index) => ({
    bookId: bookIdOf(1 + Math.floor((index * books) / CHANGES)),
    sortOrder: books - index,
  }));
  const bulk = Array.from({ length: CHANGES }, (_, index) => bulkBook(books + 1 + index));
  const form = { languageCode: LANGUAGE, contact: { email: "a@example.org", firstName: "A" } };
  const inLanguage = `languageCode=${LANGUAGE}`;
  const requests: readonly [what: string, ...Parameters<typeof measure>][] = [
    ["details of a book", "/api/books/book-7"],
    ["a form for a book", "/api/download/submit", { method: "POST", json: { ...form, slug: "book-1" } }],
    ["a form for a language", "/api/download/submit-all", { method: "POST", json: form }],
    ["list of books", "/api/admin/books?limit=200"],
    ["list of books in a language", `/api/admin/books?limit=200&${inLanguage}`],
    ["counts of a language", "/api/admin/languages/1"],
    ["matrix as CSV", `/api/admin/channels/matrix/export?${inLanguage}`],
    ["downloads by book", "/api/admin/analytics/by-book"],
    [`${CHANGES} moves`, "/api/admin/books/reorder", { method: "PATCH", json: { moves } }],
    [`bulk of ${CHANGES} books`, "/api/admin/books/bulk", { method: "POST", json: { books: bulk } }],
  ];
  // The first request of a kind loads its code.
  await measure("/api/download/submit-all", { method: "POST", json: { ...form, languageCode: "en" } });
  const rows: BenchRow[] = [];
  for (const [what, ...request] of requests) {
    if (request.length === 1) await measure(...request);
    const { milliseconds, holdMs } = await measure(...request);
    rows.push(boundRow(`${what} (${Math.round(milliseconds)} ms): hold of the loop`, holdMs, "ms", MAX_HOLD));
    if (what.endsWith("moves")) rows.push(boundRow(what, milliseconds, "ms", MAX_MOVES));
  }
  return rows;
}

function bulkBook(number: number) {
  const languages = GENERATED_LANGUAGES.slice(0, LANGUAGES_PER_BOOK);
  return {
    slug: `bulk-${number}`,
    titleEn: `Bulk book ${number}`,
    translations: languages.map((languageCode) => ({ languageCode, title: `Title ${number}` })),
    files: languages.map((languageCode) => ({
      languageCode,
      fileType: "pdf",
      sourceType: "url",
      cloudUrl: `https://files.example.org/${number}/${languageCode}.pdf`,
      fileName: `bulk-${number}.pdf`,
    })),
  };
}
