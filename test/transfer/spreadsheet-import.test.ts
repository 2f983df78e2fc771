/** What an import makes of a spreadsheet, and says of it: the same in a dry run and in a real one. */
import { describe, expect, it } from "vitest";
import { importSummary, importTable } from "../../src/operation/transfer/report.ts";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

async function run(app: TestApp, folder: string, isDryRun = false) {
  const report = await runImport(app, folder, { reader, isDryRun });
  return {
    failures: report.failures,
    summary: importSummary(describeReport(report), isDryRun),
    table: importTable(describeReport(report)),
  };
}

async function editionsOf({ container }: TestApp, slug: string) {
  const { books } = await container.services.bookList.list({ page: 1, limit: 200, status: "all" });
  const { translations } = await container.services.books.readDetails(
    books.find((book) => book.slug === slug)?.id ?? "",
  );
  return translations;
}

async function folderWith(catalogue: string): Promise<string> {
  const folder = createTempFolder();
  writeFiles(folder, {
    "catalogue.csv": catalogue,
    "files/lune.epub": await createTitledEpub("La Lune et le Poisson", "fr"),
    "files/moon.txt": "The moon.",
  });
  return folder;
}

const DRY = " Dry run: nothing was changed.";

/** A dry run before the import says what the import says. */
async function runTwice(app: TestApp, folder: string) {
  const dry = await run(app, folder, true);
  const real = await run(app, folder);
  expect(dry.failures).toEqual(real.failures);
  expect(dry.summary.replace(DRY, "")).toBe(real.summary);
  return { ...real, table: dry.table };
}

describe("rows without a title", () => {
  it.each(["Lune,fr", "Lune,"])("get the title of their file, and keep the rest: %s", async (start) => {
    const app = await startApp();
    const folder = await folderWith(
      `title_en,language,file,isbn,license,publisher,description,contributors\n${start},files/lune.epub,978-3-16-148410-0,CC-BY-4.0,Acme,Un texte,Ana (translator)`,
    );
    expect(await runTwice(app, folder)).toMatchObject({ failures: [] });
    expect(await editionsOf(app, "lune")).toMatchObject([
      {
        languageCode: "fr",
        title: "La Lune et le Poisson",
        isbn: "9783161484100",
        license: "CC-BY-4.0",
        publisher: "Acme",
        description: "Un texte",
        contributors: [{ name: "Ana", role: "translator" }],
      },
    ]);
  });

  it("get the English title in an English edition", async () => {
    const app = await startApp();
    const folder = await folderWith("title_en,language,file,license\nThe Moon,en,files/moon.txt,CC0");
    expect(await runTwice(app, folder)).toMatchObject({ failures: [] });
    expect(await editionsOf(app, "the-moon")).toMatchObject([
      { languageCode: "en", title: "The Moon", license: "CC0" },
    ]);
  });

  it("are reported if no title is known", async () => {
    const app = await startApp();
    const folder = await folderWith("title_en,language,file,license\nThe Moon,sw,files/moon.txt,CC0");
    const { failures, summary } = await runTwice(app, folder);
    expect(failures).toMatchObject([
      {
        subject: "line 2 of catalogue.csv, column title",
        reason: "The edition in sw needs a title: neither the catalogue nor a file has one.",
      },
    ]);
    expect(summary).toContain("1 failure.");

    writeFiles(folder, { "catalogue.csv": "title_en,language,title,file\nThe Moon,sw,Mwezi,files/moon.txt" });
    expect(await run(app, folder)).toMatchObject({ failures: [] });
    writeFiles(folder, {
      "catalogue.csv": "title_en,language,file,license\nThe Moon,sw,files/moon.txt,CC0",
    });
    // The one in the service stays.
    expect(await run(app, folder)).toMatchObject({
      failures: [],
      summary: expect.stringMatching(/^1 updated book\.\n$/m),
    });
    expect(await editionsOf(app, "the-moon")).toMatchObject([{ title: "Mwezi", license: "CC0" }]);
  });
});

it("skips and reports a book none of whose files can be imported", async () => {
  const app = await startApp();
  const folder = await folderWith(
    "title_en,language,title,file\nTib,bo,Zla ba,files/tib.epub\nLune,fr,,files/lune.epub\nLune,en,,files/none.epub",
  );
  const { failures, summary, table } = await runTwice(app, folder);
  expect(failures).toMatchObject([
    {
      subject: "line 2 of catalogue.csv, column file, “files/tib.epub”",
      reason: "There is no such file in the folder of the catalogue.",
    },
    {
      subject: "line 4 of catalogue.csv, column file, “files/none.epub”",
      reason: "There is no such file in the folder of the catalogue.",
    },
  ]);
  expect(table).not.toContain("tib");
  expect(summary).toContain(
    "\nskipped    tib  none of its files can be imported\n1 new language, 1 new book, 1 new file, 1 skipped book, 2 failures.\n",
  );
  const { languages } = await app.container.services.languages.list();
  expect(languages.map(({ code }) => code)).toEqual(["fr"]);
});

it("reports where an English title must be given", async () => {
  const app = await startApp();
  const folder = await folderWith("language,file\nfr,files/lune.epub");
  const { table } = await run(app, folder, true);
  expect(table).toContain(
    "Change it with a column title_en in catalogue.csv, or later on the page of the book in the console.",
  );
});

it("suggests a file with a similar name", async () => {
  const app = await startApp();
  const paths = ["files/LUNE.EPUB", "moon.txt", "files/moone.txt", "files/nothing.pdf", "../moon.txt"];
  const folder = await folderWith(
    `title_en,language,file\n${paths.map((path, index) => `Book ${index},en,${path}`).join("\n")}`,
  );
  const { failures } = await runTwice(app, folder);
  expect(failures.map(({ subject }) => subject.replace(/^.*column file, /, ""))).toEqual([
    "“files/LUNE.EPUB” (did you mean files/lune.epub?)",
    "“moon.txt” (did you mean files/moon.txt?)",
    "“files/moone.txt” (did you mean files/moon.txt?)",
    "“files/nothing.pdf”",
    "“../moon.txt” (did you mean files/moon.txt?)",
  ]);
});

it.each(["NFC", "NFD"] as const)(
  "finds a file whose name has letters in the other form: %s",
  async (form) => {
    const app = await startApp();
    const folder = createTempFolder();
    const other = form === "NFC" ? "NFD" : "NFC";
    writeFiles(folder, {
      "catalogue.csv": `title_en,language,file\nThe moon,en,Bücher/Möön.txt\n`.normalize(form),
      ["Bücher/Möön.txt".normalize(other)]: "The moon.",
    });
    const { failures, summary } = await runTwice(app, folder);
    expect(failures).toEqual([]);
    expect(summary).toContain("1 new book, 1 new file");
  },
);
