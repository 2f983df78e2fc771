/** The sitemap of more addresses than one part has. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BOOKS = 10_050;
const CHUNK = 150;

const locationsIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => address);

it("is an index with parts, which have each address once", async () => {
  const app = await startApp({ PUBLIC_BASE_URL: "https://books.example.org" });
  const { book, file } = await app.make.published("Book", "es");
  await app.make.textFile(book.id, "ar", "x");
  await writeRows(app, async (db) => {
    const row = await db.selectFrom("books").selectAll().where("id", "=", book.id).executeTakeFirstOrThrow();
    const fileRow = await db
      .selectFrom("book_files")
      .selectAll()
      .where("id", "=", file.id)
      .executeTakeFirstOrThrow();
    for (let from = 1; from < BOOKS; from += CHUNK) {
      const numbers = Array.from({ length: Math.min(CHUNK, BOOKS - from) }, (_, index) => from + index);
      const copies = numbers.map((number) => ({ ...row, id: `copy-${number}`, slug: `book-${number}` }));
      await db.insertInto("books").values(copies).execute();
      const files = numbers.map((number) => ({ ...fileRow, id: `file-${number}`, bookId: `copy-${number}` }));
      await db.insertInto("book_files").values(files).execute();
    }
  });
  const read = async (path: string) => (await app.api.get(path)).body.toString();
  const index = await read("/sitemap.xml");
  expect(index).toContain("<sitemapindex");
  expect(locationsIn(index)).toEqual([
    "https://books.example.org/sitemaps/1.xml",
    "https://books.example.org/sitemaps/2.xml",
  ]);
  const parts = await Promise.all(["/sitemaps/1.xml", "/sitemaps/2.xml"].map(read));
  const addresses = parts.map(locationsIn);
  // The list of languages, two lists, and one book in Arabic.
  expect(addresses.map(({ length }) => length)).toEqual([10_000, BOOKS + 4 - 10_000]);
  expect(new Set(addresses.flat()).size).toBe(BOOKS + 4);
  expectProblem(await app.api.get("/sitemaps/3.xml"), 404, { code: "not_found" });
});
