/** The list of books as CSV: the same filters and order, all pages, and safe cells. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readCsv } from "../support/read-csv.ts";

const BOOKS = "/api/admin/books";
const COLUMNS =
  "id,slug,titleEn,sortOrder,isActive,createdAt,updatedAt,authors,tags,series,seriesPosition,translationsCount,filesCount,languages,totalDownloads,publishedLanguages,fileTypes,hasCover,publishAt,unpublishAt";

async function start() {
  const { app, client } = await startWithAdmin();
  const read = async (query: string) => {
    const response = await client.get(`${BOOKS}/export?${query}`);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    const text = response.body.toString();
    return {
      text,
      name: String(response.headers["content-disposition"]).replace(/^.*filename="?([^";]*)"?.*$/, "$1"),
      rows: readCsv(text.replace(/^\uFEFF/, "")).map((cells) =>
        Object.fromEntries(cells.map((cell, place) => [COLUMNS.split(",")[place] ?? "", cell])),
      ),
    };
  };
  const titles = async (query: string) => (await read(query)).rows.slice(1).map(({ titleEn }) => titleEn);
  return { ...app, app, client, read, titles };
}

it("has all that the list says of a book", async () => {
  const { make, client, read } = await start();
  const { book } = await make.published("The Deep Well", "es");
  await make.textFile(book.id, "ar", "Text");
  const body = { authors: ["Ana Núñez", "Ben Okoro"], tags: ["folk tales", "water"] };
  await client.patch(`${BOOKS}/${book.id}`, { ...body, series: { name: "Tales", position: 2 } });
  const { text, rows } = await read("");
  expect(text.startsWith(`\uFEFF${COLUMNS}\r\n`)).toBe(true);
  const [listed] = (await client.get(BOOKS)).body.books;
  expect(rows[1]).toEqual({
    id: book.id,
    slug: "the-deep-well",
    titleEn: "The Deep Well",
    sortOrder: String(listed.sortOrder),
    isActive: "1",
    createdAt: listed.createdAt,
    updatedAt: listed.updatedAt,
    authors: "Ana Núñez; Ben Okoro",
    tags: "folk tales; water",
    series: "Tales",
    seriesPosition: "2",
    translationsCount: String(listed.translationsCount),
    filesCount: "2",
    languages: "ar; es",
    totalDownloads: "0",
    publishedLanguages: listed.publishedLanguages.join("; "),
    fileTypes: listed.fileTypes.join("; "),
    hasCover: "false",
    publishAt: "",
    unpublishAt: "",
  });
  const zoned = (await read("timezone=Africa/Nairobi")).rows[1];
  expect(zoned?.updatedAt).toMatch(/\+03:00$/);
});

it("has the books and the order of the list, of all its pages", async () => {
  const { make, client, titles } = await start();
  const books = Array.from({ length: 450 }, (_, number) => ({ titleEn: `Book ${(number * 7) % 450}` }));
  await client.post(`${BOOKS}/bulk`, { books });
  const archived = await make.book("Archived");
  await client.delete(`${BOOKS}/${archived.id}`);
  for (const query of [
    "",
    "sort=-title",
    "status=archived",
    "search=book%201&sort=title",
    "status=active&sort=createdAt",
  ]) {
    const listed: string[] = [];
    for (let page = 1; page <= 3; page += 1)
      for (const book of (await client.get(`${BOOKS}?${query}&limit=200&page=${page}`)).body.books)
        listed.push(book.titleEn);
    expect(await titles(query), query).toEqual(listed);
  }
});

it("lists what a language lacks, and says so in its name", async () => {
  const { make, read, titles } = await start();
  const { id: parentId } = await make.language("es");
  await make.language("es-MX", { parentId });
  await make.published("Complete", "es");
  await make.book("Without a file");
  for (const [query, name, left] of [
    ["missing=file&missingIn=es", "books-without-file-es-", ["Without a file"]],
    ["missing=file&missingIn=es-MX", "books-without-file-es-MX-", ["Without a file"]],
    ["missing=cover", "books-without-cover-", ["Complete", "Without a file"]],
    ["search=complete", "books-filtered-", ["Complete"]],
    ["status=archived", "books-filtered-", []],
    ["sort=-title", "books-all-", ["Without a file", "Complete"]],
    ["languageCode=zz", "books-filtered-", []],
  ] as const) {
    expect((await read(query)).name, query).toMatch(new RegExp(`^${name}\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    expect(await titles(query), query).toEqual(left);
  }
});
