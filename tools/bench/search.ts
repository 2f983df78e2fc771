/**
 * Searches by the index in catalogues of 5,000 and 50,000 books on SQLite, in processor time of the database's connection: a
 * rare word, one of all books, and what reads all texts; and what the index adds to a changed title and to many books.
 */
import { join } from "node:path";
import { sql } from "kysely";
import type { Database } from "../../src/db/database.ts";
import type { Db } from "../../src/db/kysely.ts";
import { openReader } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { createSqliteKysely } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { foldWords, searchWords } from "../../src/lib/text.ts";
import { TranslationsRepository } from "../../src/repositories/translations.repository.ts";
import { PublishedLists } from "../../src/repositories/published-lists.ts";
import { bookIdOf, generateCatalogue, RARE } from "../lib/catalogue-generator.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { type BenchRow, boundRow, type Comparison, compare, computeMedian } from "./row.ts";

const SIZES = (process.env.BENCH_BOOKS ?? "5000,50000").split(",").map(Number);
const ROUNDS = 15;
const PAGE = { limit: 50, offset: 0 };
/** As of the thread that reads for the public. */
const CACHE_KIBIBYTES = 4000;

const MAX_RARE_MS = 10;
const MAX_OF_LIST = 1.2;
const MAX_TITLE_MS = 2;
const MAX_OF_BULK = 1.2;
const BULK_BOOKS = 1000;

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-search")).path;
  const rows: BenchRow[] = [];
  for (const books of SIZES) {
    const file = join(folder, `${books}.sqlite`);
    await generateCatalogue(file, books);
    const measured = [...(await measureSearches(file)), ...(await measureChanges(file, folder))];
    rows.push(...measured.map((row) => ({ ...row, what: `${books} books: ${row.what}` })));
  }
  return rows;
}

/** Processor time of this process in milliseconds. Statements of SQLite run on its only busy thread. */
async function measureProcessor(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measureSearches(file: string): Promise<BenchRow[]> {
  const db = createSqliteKysely(withStatementCache(openReader(file, CACHE_KIBIBYTES)));
  const lists = new PublishedLists(db);
  const list = () => measureProcessor(() => lists.page({}, PAGE));
  const search = (text: string) => measureProcessor(() => lists.page({ search: searchWords(text) }, PAGE));
  const compareWith = (text: string) => compare(ROUNDS, () => search(text), list);
  const rare = await compareWith(RARE.word);
  const common = await compareWith("title");
  const two = await compareWith("title bottom");
  const short = await compareWith("ti");
  await db.destroy();
  return [
    boundRow("a rare word", rare.ours, "ms", MAX_RARE_MS),
    ratioOf("a word of all books, against the list without it", common, MAX_OF_LIST),
    ratioOf("two words of all books, against the list", two, MAX_OF_LIST),
    ratioOf("two letters of all books, which read all texts, against the list", short, Number.POSITIVE_INFINITY),
  ];
}

const ratioOf = (what: string, { ours, other, ratio }: Comparison, most: number): BenchRow => ({
  what,
  ours: `${ours.toPrecision(3)} ms`,
  other: `${other.toPrecision(3)} ms`,
  ratio: Number(ratio.toFixed(2)),
  bound: Number.isFinite(most) ? `at most ${most}` : "",
  ok: ratio <= most,
});

/** With the index and, after its triggers are gone, without. */
async function measureChanges(file: string, folder: string): Promise<BenchRow[]> {
  const database = await openSqlite(file, folder);
  try {
    const translations = new TranslationsRepository(database.writer);
    const one = await database.read.selectFrom("translations").select("id").where("bookId", "=", bookIdOf(7)).limit(1).executeTakeFirstOrThrow();
    let changes = 0;
    const change = () =>
      measureProcessor(() =>
        database.commit(() => {
          changes += 1;
          return translations.update(one.id, { searchText: `another title ${changes}\n${foldWords("of what lay below")}` });
        }),
      );
    const renew = () => measureProcessor(() => database.commit(() => rewriteBulk(database.writer)));
    const indexed = { title: await median(change), bulk: await median(renew) };
    await dropTriggers(database);
    const plain = { title: await median(change), bulk: await median(renew) };
    return [
      boundRow(`a changed title (${plain.title.toPrecision(2)} ms): the index`, indexed.title - plain.title, "ms", MAX_TITLE_MS),
      ratioOf(`texts of ${BULK_BOOKS} books`, { ours: indexed.bulk, other: plain.bulk, ratio: indexed.bulk / plain.bulk }, Number.POSITIVE_INFINITY),
    ];
  } finally {
    await database.close();
  }
}

async function median(measure: () => Promise<number>): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) results.push(await measure());
  return computeMedian(results);
}
