/**
 * Searches by the index in catalogues of 5,000 and 50,000 books on SQLite, in processor time of the database's connection: a
 * rare word, one of all books, and what reads all texts; and what the index adds to a changed title and to many books.
 */
import { join } from "node:path";
import { sql } from "kysely";
import { createLogger } from "../../src/adapters/logger.ts";
import { readConfig } from "../../src/config.ts";
import { createContainer } from "../../src/container.ts";
import type { Database } from "../../src/db/database.ts";
import { openReader } from "../../src/db/sqlite/connection.ts";
import { createSqliteKysely } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { searchWords } from "../../src/lib/text.ts";
import { BooksListQuery } from "../../src/repositories/books-list.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { PublishedLists } from "../../src/repositories/published-lists.ts";
import {
  GENERATED_LANGUAGES,
  generateCatalogue,
  LANGUAGES_PER_BOOK,
  RARE,
} from "../lib/catalogue-generator.ts";
import { UNLIMITED } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { type BenchRow, boundRow, compare, computeMedian, ratioOf } from "./row.ts";

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
const BULK_ROUNDS = 3;

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-search")).path;
  const rows: BenchRow[] = [];
  for (const books of SIZES) {
    const dataDir = join(folder, `${books}`);
    const file = join(dataDir, DATABASE_FILE);
    await generateCatalogue(file, books);
    const measured = [...(await measureSearches(file)), ...(await measureChanges(dataDir))];
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
  const list = () => measureProcessor(() => lists.page({ at: 0 }, PAGE));
  const search = (text: string) =>
    measureProcessor(() => lists.page({ search: searchWords(text), at: 0 }, PAGE));
  const compareWith = (text: string) => compare(ROUNDS, () => search(text), list);
  const rare = await compareWith(RARE.word);
  const common = await compareWith("title");
  const two = await compareWith("title bottom");
  const short = await compareWith("ti");
  const admin = new BooksListQuery(db);
  const order = { by: "sortOrder", isDescending: false } as const;
  const listAdmin = (text?: string) =>
    measureProcessor(() => admin.list({ isActive: 1, search: searchWords(text) }, order, PAGE));
  const inAdmin = await compare(
    ROUNDS,
    () => listAdmin("title"),
    () => listAdmin(),
  );
  await db.destroy();
  return [
    boundRow("a rare word", rare.ours, "ms", MAX_RARE_MS),
    ratioOf("a word of all books, against the list without it", common, MAX_OF_LIST),
    ratioOf("the same in the list for administrators", inAdmin, MAX_OF_LIST),
    ratioOf("two words of all books, against the list", two, Number.POSITIVE_INFINITY),
    ratioOf(
      "two letters of all books, which read all texts, against the list",
      short,
      Number.POSITIVE_INFINITY,
    ),
  ];
}

/** By the service, with the index and, after its triggers are gone, without. */
async function measureChanges(dataDir: string): Promise<BenchRow[]> {
  const config = readConfig({ DATA_DIR: dataDir, ...UNLIMITED });
  const container = await createContainer(config, createLogger("silent", { pretty: false }));
  try {
    const { bulkUpsert } = container.services;
    const author = createSystemAuthor("bench");
    let round = 0;
    const changeTitle = () => {
      round += 1;
      const translations = [{ languageCode: "es", title: `Another title ${round}` }];
      return measureProcessor(() =>
        bulkUpsert.upsert(author, [{ slug: "book-7", titleEn: "Seven", translations }], { isDryRun: false }),
      );
    };
    const addBooks = () => {
      round += 1;
      const books = Array.from({ length: BULK_BOOKS }, (_, index) => createBook(`${round}-${index}`));
      return measureProcessor(() => bulkUpsert.upsert(author, books, { isDryRun: false }));
    };
    const measure = async () => ({
      title: await medianOf(ROUNDS, changeTitle),
      bulk: await medianOf(BULK_ROUNDS, addBooks),
    });
    await measure();
    const indexed = await measure();
    await dropTriggers(container.database);
    const plain = await measure();
    const title = `a changed title (${plain.title.toPrecision(2)} ms without the index)`;
    const bulk = { ours: indexed.bulk, other: plain.bulk, ratio: indexed.bulk / plain.bulk };
    return [
      boundRow(`what the index adds to ${title}`, indexed.title - plain.title, "ms", MAX_TITLE_MS),
      ratioOf(
        `a bulk of ${BULK_BOOKS} books in ten languages, against it without the index`,
        bulk,
        MAX_OF_BULK,
      ),
    ];
  } finally {
    await container.close();
  }
}

async function dropTriggers({ commit, writer }: Database): Promise<void> {
  await commit(async () => {
    for (const event of ["insert", "update", "delete"])
      await sql`drop trigger ${sql.table(`temp.book_trigrams_${event}`)}`.execute(writer);
  });
}

function createBook(number: string) {
  const description = "De lo que había en el fondo del pozo y de quien bajó a buscarlo.";
  const languages = GENERATED_LANGUAGES.slice(0, LANGUAGES_PER_BOOK);
  return {
    slug: `bulk-${number}`,
    titleEn: `Bulk book ${number}`,
    description,
    translations: languages.map((languageCode) => ({
      languageCode,
      title: `Título ${number} en ${languageCode}`,
      description,
    })),
  };
}

async function medianOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure());
  return computeMedian(results);
}
