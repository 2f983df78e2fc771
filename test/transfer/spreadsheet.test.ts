import { describe, expect, it } from "vitest";
import { readBooks } from "../../src/operation/transfer/spreadsheet/books.ts";
import { readCsv } from "../../src/operation/transfer/spreadsheet/table.ts";
import type { ImportNotice } from "../../src/schemas/import-notices.schemas.ts";
import { measureWork } from "../support/own-work.ts";

const read = (text: string | Buffer, ignoresUnknown = false) => {
  const failures: { subject: string; reason: string }[] = [];
  const notices: ImportNotice[] = [];
  const described = readBooks(readCsv(Buffer.from(text), "/a/books.csv"), ignoresUnknown, {
    failures,
    notices,
    remarks: [],
  });
  return { books: described.map(({ book }) => book), failures, notices };
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
    [
      "mixed line ends",
      [`${HEADER}\r\n${ROWS[0]}`, ...ROWS.slice(1)].join("\n").replace(/\n(?=[^\n]*$)/, "\r"),
    ],
    ["semicolons", text.replaceAll(";", "¦").replaceAll(",", ";").replaceAll("Ana¦ Ben", '"Ana; Ben"')],
    ["tabs in UTF-16", Buffer.from(`\ufeff${text.replaceAll(",", "\t")}`, "utf16le")],
    [
      "other names of columns",
      text.replace(HEADER, "Slug,English title,Language code,TITLE,Path,Author,Licence"),
    ],
  ])("with %s gives one book for its rows", (_, given) => {
    expect(read(given)).toEqual({ books: [expect.objectContaining(WELL)], failures: [], notices: [] });
  });

  it("groups the rows of a book by its English title, too", () => {
    const { books } = read(
      "title_en,language,title\nThe Well,en,The Well\nThe Well,es,El pozo\nA Hill,en,A Hill",
    );
    expect(books.map(({ titleEn, translations }) => [titleEn, translations?.length])).toEqual([
      ["The Well", 2],
      ["A Hill", 1],
    ]);
  });

  it("uses the title of the English edition for the book", () => {
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

  it("has the format of a file, what it replaces, and cells that an export has guarded", () => {
    const { books, failures } = read(
      "title,language,file,File type,replace\n'=Well,es,'-a.txt,KEPUB,file; title\n'Tis,en,b.txt,,\nHill,es,c.txt,doc,book",
    );
    expect(books).toMatchObject([
      {
        translations: [{ title: "=Well" }],
        localFiles: [{ path: "-a.txt", fileType: "kepub", replace: ["file", "title"] }],
      },
      { translations: [{ title: "'Tis" }], localFiles: [{ path: "b.txt" }] },
    ]);
    expect(failures.map(({ subject }) => subject)).toEqual([
      "line 4 of books.csv, column File type, “doc”",
      "line 4 of books.csv, column replace, “book”",
    ]);
  });

  it("has the text of a cell that a program has made a formula, and replaces in any case", () => {
    const { books, failures } = read(
      'title,language,file,isbn,replace\nWell,es,a.txt,"=""9783161484100""",File',
    );
    expect(failures).toEqual([]);
    expect(books).toMatchObject([
      { translations: [{ isbn: "9783161484100" }], localFiles: [{ replace: ["file"] }] },
    ]);
  });

  it("has the dates of a book, and names the column of a wrong one", () => {
    const { books, failures } = read(
      "title_en,language,title,publish_at,Unpublish at\nWell,es,Pozo,2026-04-01T12:00:00+03:00,2026-05-01T00:00:00Z\nHill,es,Monte,,tomorrow",
    );
    expect(books).toMatchObject([
      { publishAt: "2026-04-01T09:00:00.000Z", unpublishAt: "2026-05-01T00:00:00.000Z" },
    ]);
    expect(failures.map(({ subject }) => subject)).toEqual([
      "line 3 of books.csv, column Unpublish at, “tomorrow”",
    ]);
  });

  it("keeps the metadata of an edition without a title, by its language or its file", () => {
    const { books, failures } = read(
      "title_en,language,file,isbn,license,contributors\nLune,fr,a.epub,978-3-16-148410-0,CC-BY-4.0,Ana (translator)\nSol,,b.epub,,CC0,\nMar,es,c.epub,,,",
    );
    expect(failures).toEqual([]);
    expect(books.map(({ translations }) => translations)).toMatchObject([
      [
        {
          languageCode: "fr",
          isbn: "9783161484100",
          license: "CC-BY-4.0",
          contributors: [{ name: "Ana", role: "translator" }],
        },
      ],
      [{ path: "b.epub", license: "CC0" }],
      [],
    ]);
  });

  it("keeps the authors of an edition only if they differ from those of the book", () => {
    const { books } = read(
      "title_en,language,file,authors\nWell,en,a.pdf,Ana\nWell,es,b.pdf,Ana\nWell,ar,c.pdf,آنا",
    );
    expect(books).toMatchObject([
      { authors: ["Ana"], translations: [{ languageCode: "ar", authors: ["آنا"] }] },
    ]);
  });

  it("reports line and column of each error once, and keeps the other books", () => {
    const { books, failures } = read(
      'title_en,language,description,file,isbn,series,series_position\n"Well",Frensh,"Two\nlines",a.epub,123,,\n\nHill,en,,b.epub,,,\nSea,en,,c.epub,,Tales,first',
    );
    expect(books).toMatchObject([{ titleEn: "Hill" }]);
    expect(failures).toMatchObject([
      {
        subject: "line 2 of books.csv, column language, “Frensh”",
        reason:
          "Must be the BCP 47 code of a language, such as en or pt-BR, or its name (did you mean fr (French)?).",
      },
      {
        subject: "line 2 of books.csv, column isbn, “123”",
        reason: "Must be an ISBN-10 or ISBN-13 with a correct check digit, or empty.",
      },
      { subject: "line 5 of books.csv, column series_position, “first”", reason: "Must be a number." },
    ]);
  });

  it.each([
    [
      "a title without language and file",
      "slug,Title\nwell,The Well",
      "column language",
      /needs its language/,
    ],
    ["a cell without a column", "slug,title,language\nwell,Well, and water,en", "column 4", /no name for it/],
    ["the error of a formula", "slug,title,language\nwell,#REF!,en", "column title", /error #REF!/],
  ])("reports %s", (_, given, column, reason) => {
    const { books, failures } = read(given);
    expect(books).toEqual([]);
    expect(failures[0]).toMatchObject({
      subject: expect.stringContaining(`line 2 of books.csv, ${column}`),
      reason: expect.stringMatching(reason),
    });
  });

  it("reports values for which a book or an edition has no second field", () => {
    const { books, notices } = read(
      "slug,language,file,isbn,tags\nwell,en,a.epub,3-16-148410-X,water\nwell,en,a.pdf,0-306-40615-2,water\nwell,es,b.pdf,,agua",
    );
    expect(books).toMatchObject([{ tags: ["water"], translations: [{ isbn: "9783161484100" }] }]);
    const later = (line: number, column: string, text: string, first: string) => ({
      code: "later_value",
      message: `Left out: line ${line} of books.csv, column ${column}, “${text}”, because line 2 of books.csv, column ${column}, “${first}” is used.`,
      names: [text],
      line,
      column,
    });
    expect(notices).toEqual([
      later(4, "tags", "agua", "water"),
      later(3, "isbn", "0-306-40615-2", "3-16-148410-X"),
    ]);
  });

  const columns = "slug,File name,Year,File,Path,Licens,\na,b,1999,c,,,";

  it("reports all unknown and repeated columns, each with the nearest known one", () => {
    expect(() => read(columns)).toThrow(
      [
        "/a/books.csv has columns that can't be read:",
        "  “File name” is unknown: did you mean file?",
        "  “Year” is unknown",
        "  “Licens” is unknown: did you mean license?",
        "  “File” and “Path” are both file",
        "The columns are slug, title_en,",
      ].join("\n"),
    );
  });

  it("ignores and reports unknown columns on demand", () => {
    const given = columns.replace("Path", "");
    expect(read(given, true)).toMatchObject({
      books: [{ slug: "a", localFiles: [{ path: "c" }] }],
      notices: [
        {
          code: "unknown_columns",
          message: "Columns left out of books.csv: “File name”, “Year”, “Licens”.",
          names: ["File name", "Year", "Licens"],
        },
      ],
    });
    expect(() => read(columns, true)).toThrow(
      /read:\n {2}“File” and “Path” are both file\nThe columns are .*unpublish_at\.$/,
    );
  });

  it.each([
    ["neither files nor titles", "slug,tags\na,b", /neither a column “file” nor a column “title”/],
    ["no text", "\n\n", /neither a column/],
    ["an open quote", 'slug,title\na,"b', /is not CSV: a quotation mark isn't closed/],
    [
      "a quote after the begin of a value",
      'slug,title\na,The "Well"',
      /is not CSV: a quotation mark in line 2 is/,
    ],
    ["a quote in its header", 'slug,the "title"\na,b', /is not CSV: a quotation mark in line 1 is/],
    [
      "a quote before the end of a value",
      'slug,title\na,"The" Well',
      /is not CSV: a quotation mark in line 2 is/,
    ],
    ["another encoding", Buffer.from("title\nTschüss", "latin1"), /not in UTF-8/],
  ])("is rejected with %s", (_, given, reason) => {
    expect(() => read(given)).toThrow(reason);
  });
});

describe("a spreadsheet that is costly to read", () => {
  it.each(["title", "contributors", "authors", "slug", "file"])(
    "is rejected if a cell has more than 10,000 characters: %s",
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
      expect(failures).toMatchObject([
        { subject: `line 2 of books.csv, column ${column}`, reason: "It has more than 10000 characters." },
      ]);
    },
  );

  it("is read in time proportional to its length", () => {
    const people = `a${" ".repeat(9_990)}(b`;
    const rows = Array.from({ length: 500 }, (_, index) => `book-${index},en,Book,"${people}"`);
    const took = measureWork(() => {
      const { books } = read(["slug,language,title,contributors", ...rows].join("\n"));
      expect(books).toEqual([]);
    });
    // 0.1 s; the square of the length took 100 ms for each row.
    expect(took).toBeLessThan(10_000);
  });

  it("bounds what it says about one book", () => {
    const { failures } = read(`slug,language,file${"\nwell,eng1ish?,a.epub".repeat(1_000)}`);
    expect(failures).toHaveLength(21);
    expect(failures[20]).toMatchObject({
      subject: "line 2 of books.csv",
      reason: "The book has 980 more errors.",
    });
  });
});

it("takes an underscore in the code of a language as a hyphen, also of one edition in two rows", () => {
  const { books, failures } = read("slug,language,title,file\nfox,pt_BR,Raposa,a.txt\nfox,pt-BR,,a.epub");
  expect(failures).toEqual([]);
  expect(books).toMatchObject([{ slug: "fox", translations: [{ languageCode: "pt-BR", title: "Raposa" }] }]);
});

it.each([
  ["Ben (x) (translator)", { name: "Ben (x)", role: "translator" }],
  ["Ben(translator)", { name: "Ben", role: "translator" }],
  ["(translator)", { name: "(translator)" }],
  ["Ben ()", { name: "Ben ()" }],
  ["Ben (translator) B.", { name: "Ben (translator) B." }],
  ["Ben )translator(", { name: "Ben )translator(" }],
])("parses the contributor %s", (text, contributor) => {
  const { books } = read(`title,language,contributors\nWell,en,${text}`);
  expect(books).toMatchObject([{ translations: [{ contributors: [contributor] }] }]);
});

it.each([",", ";", "\t"])("finds the separator %j below empty lines", (separator) => {
  const lines = [["slug", "language", "title"].join(separator), ["well", "es", "El pozo"].join(separator)];
  expect(read(`\r\n \r\n${lines.join("\r\n")}`).books).toMatchObject([{ slug: "well" }]);
});

it.each([
  ["2", 2],
  ["1,5", 1.5],
  ["٢", 2],
  ["0.5", 0.5],
])("reads the position %s in a series", (written, position) => {
  const { books, failures } = read(`title;language;series;series_position\nWell;en;Tales;${written}`);
  expect(failures).toEqual([]);
  expect(books).toMatchObject([{ series: { name: "Tales", position } }]);
});

it("separates names by the semicolons of any script", () => {
  const { books } = read(
    "title,language,authors,contributors\nWell,zh,王丽；李明؛ منى,张三（translator）；李四",
  );
  expect(books).toMatchObject([
    {
      authors: ["王丽", "李明", "منى"],
      translations: [{ contributors: [{ name: "张三", role: "translator" }, { name: "李四" }] }],
    },
  ]);
});

describe("a first line that names the separator", () => {
  it.each([
    ["sep=;\r\n", ";"],
    ["sep=;\n", ";"],
    ["sep=,\n", ","],
    ["SEP=\t\r", "\t"],
    ["sep=|\r\n", "|"],
    ["\ufeffsep=;\r\n", ";"],
    ['"sep=;"\r\n', ";"],
    ["sep=;;;;;;;\r\n", ";"],
    ['"sep=,",,,,\n', ","],
  ])("isn't a row: %j", (line, separator) => {
    const heading = ["slug", "title_en", "language", "title"].join(separator);
    const row = ["well", '"A, B; C"', "es", "Pozo"].join(separator);
    const { books, failures } = read(`${line}${heading}\n${row}\n`);
    expect(failures).toEqual([]);
    expect(books).toMatchObject([{ slug: "well", titleEn: "A, B; C" }]);
  });

  it("doesn't count as a line, as in a spreadsheet", () => {
    const { failures } = read("sep=;\nslug;title_en;language;title;isbn\nwell;The Well;es;El pozo;123\n");
    expect(failures).toMatchObject([{ subject: "line 2 of books.csv, column isbn, “123”" }]);
  });
});
