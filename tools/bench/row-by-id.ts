/** One row by its id through a repository, against the raw prepared statement. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReader } from "../../src/db/connection.ts";
import { openDatabase } from "../../src/db/database.ts";
import { BooksRepository } from "../../src/repositories/books.repository.ts";
import { type BenchRow, compare } from "./row.ts";

const LOOKUPS = 50_000;
const ROUNDS = 5;
const ID = "01a1fb60-1a34-772b-a309-dba157e20a81";

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-row-"));
  const file = join(folder, "database.sqlite");
  const database = await openDatabase(file, folder);
  await database.commit(() => new BooksRepository(database.writer).insert(book));
  const raw = openReader(file);
  const books = new BooksRepository(database.read);
  const statement = raw.prepare("select * from books where id = ?");
  const measured = await compare(
    ROUNDS,
    () => microsecondsEach(async () => void (await books.find(ID))),
    () => microsecondsEach(() => void statement.get(ID)),
  );
  raw.close();
  await database.close();
  rmSync(folder, { recursive: true });
  const ok = measured.ratio <= 4;
  const [ours, other] = [measured.ours, measured.other].map((time) => `${time.toFixed(1)} µs`);
  const ratio = Number(measured.ratio.toFixed(2));
  return [
    {
      what: "a row by id",
      ours: ours ?? "",
      other: other ?? "",
      ratio,
      bound: "at most 4 times the time",
      ok,
    },
  ];
}

async function microsecondsEach(look: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  for (let lookup = 0; lookup < LOOKUPS; lookup += 1) await look();
  return ((performance.now() - start) * 1000) / LOOKUPS;
}

const book = {
  id: ID,
  slug: "a-book",
  titleEn: "A book",
  description: "",
  coverImagePath: null,
  sortOrder: 1,
  legacyDownloadCount: 0,
  isActive: 1 as const,
  archivedAt: null,
  archivedBy: null,
  searchText: "a book",
  createdAt: 0,
  updatedAt: 0,
};

if (import.meta.main) console.table(await run());
