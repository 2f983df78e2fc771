import { describe, expect, it } from "vitest";
import { spreadsheetBooks } from "../../src/transfer/spreadsheet.ts";

const read = (text: string | Buffer) => {
  const failures: { subject: string; reason: string }[] = [];
  return { books: spreadsheetBooks(Buffer.from(text), "books.csv", failures), failures };
};

const HEADER = "slug,title_en,language,title,file,authors,license";
const ROWS = [
  "well,The Deep Well,es,El pozo,es/pozo.epub,Ana; Ben,CC-BY",
  "well,,ar,البئر,ar/well.epub,,",
  "well,,es,,es/pozo.pdf,,",
];
const WELL = {
  slug: "well",
  titleEn: "The Deep Well",
  authors: ["Ana", "Ben"],
  translations: [
    { languageCode: "es", title: "El pozo", license: "CC-BY", authors: ["Ana", "Ben"] },
    { languageCode: "ar", title: "البئر" },
  ],
  localFiles: [
    { path: "es/pozo.epub", languageCode: "es" },
    { path: "ar/well.epub", languageCode: "ar" },
    { path: "es/pozo.pdf", languageCode: "es" },
  ],
};
const text = [HEADER, ...ROWS].join("\r\n");

describe("a spreadsheet", () => {
  it.each([
    ["commas", text],
    ["a byte order mark and an empty row", `\ufeff${text}\r\n,,,,,,\r\n`],
    ["semicolons", text.replaceAll(";", "¦").replaceAll(",", ";").replaceAll("Ana¦ Ben", '"Ana; Ben"')],
    ["tabs in UTF-16", Buffer.from(`\ufeff${text.replaceAll(",", "\t")}`, "utf16le")],
    [
      "other names of columns",
      text.replace(HEADER, "Slug,English title,Language code,TITLE,Path,Author,Licence"),
    ],
  ])("with %s has one book of its rows", (_, given) => {
    expect(read(given)).toEqual({ books: [expect.objectContaining(WELL)], failures: [] });
  });

  it("finds the rows of a book by its English title, too", () => {
    const { books } = read(
      "title_en,language,title\nThe Well,en,The Well\nThe Well,es,El pozo\nA Hill,en,A Hill",
    );
    expect(books.map(({ titleEn, translations }) => [titleEn, translations?.length])).toEqual([
      ["The Well", 2],
      ["A Hill", 1],
    ]);
  });

  it("takes the title of the English edition", () => {
    const { books } = read(
      "slug,language,title,description\nwell,en,The Well,About water\nwell,es,El pozo,Del agua",
    );
    expect(books).toMatchObject([{ titleEn: "The Well", description: "About water" }]);
  });

  it("has series, tags and contributors", () => {
    const { books } = read(
      'title,language,series,series_position,tags,contributors,isbn\nWell,en,Tales,1.5,a;b,"Ben Okoro (translator); Cleo",3-16-148410-X',
    );
    expect(books).toMatchObject([
      {
        series: { name: "Tales", position: 1.5 },
        tags: ["a", "b"],
        translations: [
          {
            contributors: [{ name: "Ben Okoro", role: "translator" }, { name: "Cleo" }],
            isbn: "9783161484100",
          },
        ],
      },
    ]);
  });

  it("names the rows that are wrong, and has the others", () => {
    const { books, failures } = read("slug,language,title\nwell,english,The Well\nhill,en,A Hill");
    expect(books).toHaveLength(1);
    expect(failures).toEqual([
      { subject: "line 2 of books.csv", reason: expect.stringContaining("translations.0.languageCode") },
    ]);
  });

  it.each([
    ["a column that nobody knows", "slug,file,colour\na,b,c", /unknown column “colour”/],
    ["neither files nor titles", "slug,tags\na,b", /neither a column “file” nor a column “title”/],
    ["an open quote", 'slug,title\na,"b', /is not CSV/],
    ["another encoding", Buffer.from("title\nTschüss", "latin1"), /not in UTF-8/],
  ])("is rejected with %s", (_, given, reason) => {
    expect(() => read(given)).toThrow(reason);
  });
});

describe("a spreadsheet that costs more than its length", () => {
  it.each(["title", "contributors", "authors", "slug", "file"])(
    "is rejected where a cell has more than 10,000 characters: %s",
    (column) => {
      const cells = {
        slug: "well",
        language: "en",
        title: "The Well",
        contributors: "",
        authors: "",
        file: "",
      };
      const row = Object.values({ ...cells, [column]: `a${" ".repeat(100_000)}b` });
      const { books, failures } = read(`${Object.keys(cells)}\n${row}\nhill,en,A Hill,,,`);
      expect(books).toMatchObject([{ slug: "hill" }]);
      expect(failures).toEqual([
        { subject: "line 2 of books.csv", reason: `${column}: must have at most 10000 characters` },
      ]);
    },
  );

  it("is read in proportion to its length", () => {
    const people = `a${" ".repeat(9_990)}(b`;
    const rows = Array.from({ length: 500 }, (_, index) => `book-${index},en,Book,"${people}"`);
    const start = performance.now();
    const { books } = read(["slug,language,title,contributors", ...rows].join("\n"));
    expect(books).toEqual([]);
    // 0.1 s; the square of the length took 100 ms for each row.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("bounds what it says about one book", () => {
    const { failures } = read(`slug,language,file${"\nwell,english,a.epub".repeat(1_000)}`);
    expect(failures[0]?.reason).toMatch(/^localFiles\.0\..*; and 980 more errors$/);
  });
});

it.each([
  ["Ben (x) (translator)", { name: "Ben (x)", role: "translator" }],
  ["Ben(translator)", { name: "Ben", role: "translator" }],
  ["(translator)", { name: "(translator)" }],
  ["Ben ()", { name: "Ben ()" }],
  ["Ben (translator) B.", { name: "Ben (translator) B." }],
  ["Ben )translator(", { name: "Ben )translator(" }],
])("reads the contributor %s", (text, contributor) => {
  const { books } = read(`title,language,contributors\nWell,en,${text}`);
  expect(books).toMatchObject([{ translations: [{ contributors: [contributor] }] }]);
});
