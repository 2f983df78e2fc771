/** Searches by the index find what the texts have: in any script, after any change, few books and many. */
import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createBookSearch } from "../../src/db/book-search.ts";
import { readTexts } from "../../src/db/searched-texts.ts";
import { foldForSearch, type SearchWords, searchWords, textOfPattern } from "../../src/lib/text.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createBookRow, writeRows } from "../support/catalogue-rows.ts";
import { bodyOf } from "../support/client.ts";

const BOOKS = 40;
const RUNS = Number(process.env.WALKS ?? 5);
const SEED = Number(process.env.WALK_SEED ?? 1);

/** A few characters of each, so that words meet. The last ones have a meaning for LIKE, FTS5 or UTF-8. */
const ALPHABETS = [
  "aeinstéñößłıİ ",
  "абвеинй ",
  "αβγος ",
  "بتعمنيیکكة ",
  "שלוםאב ",
  "कखाि्ं ",
  "กขาิ่ ",
  "我爱你書书 ",
  "がかさくら ",
  "한국어 ",
  "𠀀𠀁😀👍🏽 ",
  "0123-/. ",
  "%_\\\"'’()*^:~ \uFFFD\uFFFE\uFFFF",
];
const characters = fc.oneof(...ALPHABETS.map((each) => fc.constantFrom(...each)));
const script = fc.constantFrom(...ALPHABETS);
const pieces = script.chain((each) =>
  fc.array(fc.constantFrom(...each), { maxLength: 30 }).map((list) => list.join("")),
);
const lines = fc.array(pieces, { minLength: 1, maxLength: 4 });
const texts = lines.map((list) => list.map(foldForSearch).join("\n"));
const change = fc.record({
  kind: fc.constantFrom("put", "put", "put", "bulk", "undone", "remove"),
  book: fc.nat({ max: BOOKS - 1 }),
  text: texts,
});
/** Parts of what a text has, and what none has. */
const searched = fc.array(
  fc.record({ book: fc.nat(), start: fc.nat(), length: fc.integer({ min: 1, max: 7 }), other: characters }),
  { minLength: 1, maxLength: 3 },
);

const idOf = (number: number, kind = "b"): string =>
  `01a1fb60-1a34-7${kind}00-a309-${number.toString(16).padStart(12, "0")}`;

const bookRow = (number: number) => createBookRow(idOf(number), number);

async function startWithBooks(): Promise<TestApp> {
  const app = await startApp();
  await writeRows(app, (db) =>
    db
      .insertInto("books")
      .values(Array.from({ length: BOOKS }, (_, number) => bookRow(number)))
      .execute(),
  );
  return app;
}

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

async function carryOut(app: TestApp, kept: Map<string, string>, { kind, book, text }: Change) {
  const put = (numbers: readonly number[]) =>
    writeRows(app, async (db) => {
      const rows = numbers.map((number) => ({ bookId: idOf(number), searchText: `${text}${number}` }));
      await db
        .insertInto("book_texts")
        .values(rows)
        .onConflict((on) =>
          on.column("bookId").doUpdateSet((eb) => ({ searchText: eb.ref("excluded.searchText") })),
        )
        .execute();
      if (kind === "undone") throw new Error("undone");
      for (const { bookId, searchText } of rows) kept.set(bookId, searchText);
    });
  if (kind === "undone") return expect(put([book])).rejects.toThrow("undone");
  if (kind === "put") return put([book]);
  if (kind === "bulk") return put([book, (book + 1) % BOOKS, (book + 2) % BOOKS]);
  kept.delete(idOf(book));
  // The text goes with its book.
  return writeRows(app, async (db) => {
    await db.deleteFrom("books").where("id", "=", idOf(book)).execute();
    await db.insertInto("books").values(bookRow(book)).execute();
  });
}

async function findBoth(
  { container: { database } }: TestApp,
  words: SearchWords,
): Promise<[string[], string[]]> {
  const { ids } = await createBookSearch(database.catalogue).find(words);
  const read = async (query: typeof ids) => {
    const { rows } = await sql<{ bookId: string }>`select "bookId" from ${query} as "found"`.execute(
      database.catalogue,
    );
    return rows.map(({ bookId }) => bookId).sort();
  };
  return [await read(ids), await read(readTexts(words))];
}

function findByRule(kept: ReadonlyMap<string, string>, words: SearchWords): string[] {
  const has = (text: string) =>
    words.every((patterns) => patterns.some((pattern) => text.includes(textOfPattern(pattern))));
  return [...kept].flatMap(([bookId, text]) => (has(text) ? [bookId] : [])).sort();
}

it(
  "finds each book whose text has every word, after any changes",
  async () => {
    const step = fc.tuple(change, fc.array(searched, { minLength: 4, maxLength: 4 }));
    const walk = fc.array(step, { minLength: 20, maxLength: 40 });
    const app = await startWithBooks();
    const kept = new Map<string, string>();
    let found = 0;
    const follow = async (steps: readonly (readonly [Change, Parameters<typeof searchFor>[1][]])[]) => {
      for (const [each, searches] of steps) {
        await carryOut(app, kept, each);
        for (const parts of searches) {
          const words = searchWords(searchFor([...kept.values()], parts));
          if (words === undefined) continue;
          const expected = findByRule(kept, words);
          found += expected.length;
          expect(await findBoth(app, words), JSON.stringify(words)).toEqual([expected, expected]);
        }
      }
    };
    await fc.assert(fc.asyncProperty(walk, follow), { numRuns: RUNS, seed: SEED, endOnFailure: true });
    expect(found).toBeGreaterThan(RUNS * 10);
  },
  120_000 + RUNS * 10_000,
);

function searchFor(
  texts: readonly string[],
  parts: readonly { book: number; start: number; length: number; other: string }[],
): string {
  const words = parts.map(({ book, start, length, other }) => {
    const line = Array.from((texts[book % Math.max(1, texts.length)] ?? "").replaceAll("\n", " "));
    const begin = start % Math.max(1, line.length);
    const part = line.slice(begin, begin + length).join("");
    // One in eight isn't there, most probably.
    return book % 8 === 0 ? `${part}${other}` : part;
  });
  return words.join(" ");
}

const MANY = 2500;

it("gives the pages of many found books in their order, and their number", async () => {
  const app = await startApp();
  const { id: languageId } = await app.make.language("es");
  await app.make.language("en");
  const numbers = Array.from({ length: MANY }, (_, number) => number);
  const isRare = (number: number) => number % 500 === 7;
  await writeRows(app, async (db) => {
    for (let first = 0; first < MANY; first += 500) {
      const some = numbers.slice(first, first + 500);
      // The order isn't that of their insertion.
      const rows = some.map((number) => ({ ...bookRow(number), sortOrder: MANY - number }));
      await db.insertInto("books").values(rows).execute();
      const textOf = (number: number) => `common ${isRare(number) ? "rare 稀少" : "other"}\nbook-${number}`;
      await db
        .insertInto("book_texts")
        .values(some.map((number) => ({ bookId: idOf(number), searchText: textOf(number) })))
        .execute();
      await db
        .insertInto("book_files")
        .values(some.map((number) => fileRow(number, languageId)))
        .execute();
    }
  });
  const admin = await app.admin();
  const inOrder = numbers.toReversed();
  for (const path of ["/api/books", "/api/books?languageCode=es", "/api/admin/books"]) {
    const list = async (search: string, page: number) => {
      const query = new URLSearchParams({ search, page: String(page), limit: "50" });
      const { books, pagination } = await bodyOf(
        admin.get(`${path}${path.includes("?") ? "&" : "?"}${query}`),
      );
      return [books.map(({ id }: { id: string }) => id), pagination.total];
    };
    const pageOf = (all: readonly number[], page: number) => [
      all.slice(50 * (page - 1), 50 * page).map((number) => idOf(number)),
      all.length,
    ];
    for (const search of ["common", "common book", "co", "commo book-"])
      for (const page of [1, 2, MANY / 50, MANY / 50 + 1])
        expect(await list(search, page), `${path} ${search} ${page}`).toEqual(pageOf(inOrder, page));
    for (const search of ["rare", "common rare", "稀", "稀少", "rare co", "稀 common"])
      expect(await list(search, 1), `${path} ${search}`).toEqual(pageOf(inOrder.filter(isRare), 1));
  }
}, 120_000);

const fileRow = (number: number, languageId: number) => ({
  id: idOf(number, "d"),
  bookId: idOf(number),
  languageId,
  fileType: "pdf",
  sourceType: "url",
  fileName: `${number}.pdf`,
  fileSizeBytes: 1,
  cloudUrl: `https://files.example.org/${number}.pdf`,
  downloadCount: 0,
  isActive: 1 as const,
  createdAt: 1,
  updatedAt: 1,
});
