import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { AdminClient } from "../../src/adapters/admin-client.ts";
import { silent } from "../../src/operation/progress.ts";
import type { SourceOptions } from "../../src/operation/transfer/open-source.ts";
import { RemoteImport } from "../../src/operation/transfer/remote/remote-import.ts";
import { readSentFolder } from "../../src/operation/transfer/remote/sent-folder.ts";
import { importSummary, importTable } from "../../src/operation/transfer/report.ts";
import { describeReport, type Reported } from "../../src/operation/transfer/reported.ts";
import { addressOf, listen } from "../../tools/lib/listening.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createEpub, createPdf, createTitledEpub, writeFiles } from "../support/book-files.ts";
import { createPicture, readColor } from "../support/covers.ts";
import { PASSWORD } from "../support/factory.ts";
import { runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

const urlOf = ({ server }: Pick<TestApp, "server">): URL => new URL(addressOf(server));

interface Options extends Partial<SourceOptions> {
  isDryRun?: boolean;
  overwrites?: boolean;
  onlyLanguages?: boolean;
  archives?: boolean;
}

interface Outcome extends Reported {
  table: string;
  summary: string;
}

/** Imports a folder into a service in one of the ways of the command. */
type Run = (folder: string, options?: Options) => Promise<Outcome>;

const LANGUAGES_COMMAND = "(the command)";

const directly =
  (app: TestApp): Run =>
  async (
    folder,
    { isDryRun = false, overwrites = false, onlyLanguages = false, archives, ...source } = {},
  ) => {
    const options = { reader, isDryRun, overwrites, onlyLanguages, languagesCommand: LANGUAGES_COMMAND };
    const report = await runImport(app, folder, { ...options, ...(archives && { archives }), source });
    return describeOutcome(describeReport(report), isDryRun);
  };

const remotely =
  (client: AdminClient, createsLanguages: boolean): Run =>
  async (folder, given = {}) => {
    const { isDryRun = false, overwrites = false, onlyLanguages = false, archives = false } = given;
    const run = new RemoteImport(
      { client, progress: silent, say() {}, pollMs: 20 },
      {
        rules: { grouping: given.grouping, languageCode: given.languageCode, overwrite: overwrites },
        ignoreUnknownColumns: false,
        archived: archives,
        isDryRun,
        onlyLanguages,
        createsLanguages,
        languagesCommand: LANGUAGES_COMMAND,
        announce: () => [],
      },
    );
    const sent = await readSentFolder({ folder, catalogue: given.catalogue }, silent);
    return describeOutcome(await run.run(sent), isDryRun);
  };

const describeOutcome = (report: Reported, isDryRun: boolean): Outcome => ({
  ...report,
  table: importTable(report),
  summary: importSummary(report, isDryRun),
});

async function asUser(app: TestApp): Promise<Run> {
  const { email } = await app.make.user("editor");
  return remotely(await AdminClient.logIn(urlOf(app), email, PASSWORD), true);
}

async function withKey(app: TestApp): Promise<Run> {
  const { key } = await app.make.apiKey();
  return remotely(AdminClient.withKey(urlOf(app), key), false);
}

/** The books with translations, active files and covers, without what differs between services. */
async function catalogueOf(app: TestApp) {
  const { books, bookList } = app.container.services;
  const list = await bookList.list({ page: 1, limit: 200, status: "all" });
  return Promise.all(
    list.books.map(async ({ id, slug }) => {
      const { book, translations, files } = await books.readDetails(id);
      const { covers } = await app.container.services.covers.listOfBook(id);
      return {
        slug,
        titleEn: book.titleEn,
        authors: book.authors,
        titles: Object.fromEntries(translations.map(({ languageCode, title }) => [languageCode, title])),
        files: files
          .filter(({ isActive }) => isActive)
          .map((file) => `${file.languageCode} ${file.fileType}`)
          .sort(),
        covers: covers.map(({ languageCode }) => languageCode),
      };
    }),
  );
}

/** Every change of the catalogue raises it. */
const versionOf = ({ container }: TestApp) =>
  container.database.read.selectFrom("catalogue_version").selectAll().execute();

async function library(): Promise<string> {
  const folder = createTempFolder();
  const author = "<dc:creator>Ana</dc:creator><dc:rights>CC-BY</dc:rights>";
  const items = `<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>`;
  writeFiles(folder, {
    "ar/well.epub": await createTitledEpub("البئر", "en", author),
    "es/well.epub": await createEpub({
      metadata: `<dc:title>El pozo</dc:title><dc:language>es</dc:language>${author}`,
      items,
      entries: { "OEBPS/c.png": await createPicture("red", { type: "png" }) },
    }),
    "es/well.pdf": await createPdf({ info: { Title: "well" } }),
    "hill.en.epub": await createTitledEpub("The Hill", "en-US", author),
    "hill.jpg": await createPicture("green"),
    "hill.fr.txt": "Une colline.",
    "README.txt": "About these books.",
    "notes.docx.bak": "Nothing.",
    ".hidden/secret.epub": "No.",
  });
  return folder;
}

const SAYS_OTHER = `1 file says another language, title or ISBN than folder, name or catalogue, which count:
  well  ar  ar/well.epub: its language is en
`;

const LEFT_OUT = `Left out: 1 file of another type (.bak 1)
  notes.docx.bak
Left out: 1 text about the collection
  README.txt
`;

const CATALOGUE = [
  {
    slug: "hill",
    titleEn: "The Hill",
    authors: ["Ana"],
    titles: { en: "The Hill" },
    files: ["en epub", "fr txt"],
    covers: ["default"],
  },
  {
    slug: "well",
    titleEn: "البئر",
    authors: ["Ana"],
    titles: { ar: "البئر", es: "El pozo" },
    files: ["ar epub", "es epub", "es pdf"],
    covers: ["es"],
  },
];

describe("an import", () => {
  it.each([
    ["directly", async (app: TestApp) => directly(app)],
    ["over HTTP", asUser],
  ])(
    "creates languages, books, files and covers %s, and changes nothing the second time",
    async (_, runOf) => {
      const app = await startApp();
      const run = await runOf(app);
      const folder = await library();
      const dry = await run(folder, { isDryRun: true });
      expect(dry.table).toContain("New languages: ar (Arabic), en (English), es (Spanish), fr (French)");
      expect(dry.table).toMatch(/^create {5}well {2}ar es {2}3 new files, 1 cover {2}البئر \*$/m);
      expect(dry.summary).toBe(
        `${LEFT_OUT}${SAYS_OTHER}4 new languages, 2 new books, 5 new files, 2 covers. Dry run: nothing was changed.\n`,
      );
      expect(dry.table).toContain("\nReaders: 2 books become public in 4 languages; --archived makes");
      expect(importTable(dry, { archives: true })).toContain("\n2 books will be archived: readers get none");
      expect(await catalogueOf(app)).toEqual([]);

      const first = await run(folder);
      expect(first.failures).toEqual([]);
      expect(first.languages).toEqual(["ar", "en", "es", "fr"]);
      expect(await catalogueOf(app)).toEqual(CATALOGUE);
      const arabic = (await app.container.services.languages.list()).languages[0];
      expect(arabic).toMatchObject({ code: "ar", name: "Arabic", nativeName: "العربية", direction: "rtl" });

      const version = await versionOf(app);
      const second = await run(folder);
      expect(second.summary).toBe(`${LEFT_OUT}2 unchanged books.\n`);
      expect(second.table).not.toMatch(/create|update|Readers/);
      expect(await versionOf(app)).toEqual(version);
    },
  );

  it("archives new books as it makes them, and leaves known ones as they are", async () => {
    const app = await startApp();
    const run = directly(app);
    const folder = await library();
    await run(folder);
    writeFiles(folder, { "es/tree.txt": "El árbol." });
    const archiving = { archives: true, overwrites: true };
    await run(folder, archiving);
    const stateOf = async () => {
      const list = await app.container.services.bookList.list({ page: 1, limit: 200, status: "all" });
      return Object.fromEntries(list.books.map(({ slug, isActive }) => [slug, isActive]));
    };
    expect(await stateOf()).toEqual({ hill: 1, well: 1, tree: 0 });
    const version = await versionOf(app);
    await run(folder, archiving);
    expect(await versionOf(app)).toEqual(version);
  });

  it("fills only empty fields, unless overwriting is requested", async () => {
    const app = await startApp();
    const run = directly(app);
    const folder = await library();
    await run(folder);
    const more = "<dc:creator>Ben</dc:creator><dc:description>New</dc:description>";
    writeFiles(folder, {
      "es/well.epub": await createTitledEpub("El pozo profundo", "es", more),
      "es/well.jpg": await createPicture("blue"),
      "en/well.epub": await createTitledEpub("The Well", "en"),
    });
    const filled = await run(folder);
    const differences = [
      "differs    well  es  title, authors, file es/well.epub",
      "2 texts and 1 file with other content stayed as stored; --overwrite replaces them.",
    ];
    expect(filled.summary).toContain(`\n${differences.join("\n")}\n`);
    const [, well] = await catalogueOf(app);
    expect(well).toMatchObject({ titleEn: "The Well", titles: { es: "El pozo" } });
    const details = await app.api.get("/api/books/well?languageCode=es");
    expect(details.body).toMatchObject({ description: "New", authors: ["Ana"] });
    const fileId = details.body.files.find((file: { languageCode: string }) => file.languageCode === "es").id;

    expect((await run(folder, { overwrites: true })).failures).toEqual([]);
    const after = await app.api.get("/api/books/well?languageCode=es");
    expect(after.body).toMatchObject({ title: "El pozo profundo" });
    expect(after.body.files.map(({ id }: { id: string }) => id)).toContain(fileId);
    const cover = await app.api.get("/api/books/well/cover?languageCode=es");
    expect(await readColor(cover.body)).toBe("blue");
    // Covers are sent again, and the service finds that they are equal.
    const version = await versionOf(app);
    expect((await run(folder, { overwrites: true })).summary).not.toMatch(/new|replaced/);
    expect(await versionOf(app)).toEqual(version);
  });

  it("names what fails, and imports the rest", async () => {
    const app = await startApp({ MAX_UPLOAD_BYTES: "20000" });
    const run = directly(app);
    const folder = createTempFolder();
    writeFiles(folder, {
      "broken.en.epub": (await createTitledEpub("Broken", "en")).subarray(0, 300),
      "large.en.txt": "x".repeat(20_001),
      "nowhere.txt": "A text in no language.",
      "well.en.txt": "A text.",
      "well.en.png": "no image",
      "en/well.txt": "The same place.",
    });
    const { failures } = await run(folder);
    expect(failures.map(({ subject }) => subject).sort()).toEqual([
      "broken.en.epub",
      "large.en.txt",
      "nowhere.txt",
      "well.en.png",
      "well.en.txt",
    ]);
    // Directly, the book of the large file is made without it.
    const withFiles = (await catalogueOf(app)).filter(({ files }) => files.length > 0);
    expect(withFiles).toMatchObject([{ slug: "well", files: ["en txt"] }]);
  });
});

it("reads the language of a file from its EPUB, and the books of Calibre's folders", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  writeFiles(folder, {
    "Ana Núñez/El pozo (12)/El pozo - Ana Núñez.epub": await createTitledEpub("El pozo", "es"),
    "Ana Núñez/El pozo (12)/El pozo - Ana Núñez.pdf": await createPdf({ lang: "en-US" }),
    "Ana Núñez/El pozo (12)/El pozo - Ana Núñez.txt": "El pozo.",
    "Ana Núñez/El pozo (12)/cover.jpg": await createPicture("red"),
    "Ana Núñez/El pozo (12)/metadata.opf": "<package/>",
    "Ben/A Hill (13)/A Hill.txt": "A hill.",
  });
  const { failures } = await directly(app)(folder, { languageCode: "en" });
  expect(failures).toEqual([]);
  expect(await catalogueOf(app)).toMatchObject([
    { slug: "a-hill", titleEn: "A Hill", files: ["en txt"] },
    { slug: "el-pozo-12", titleEn: "El pozo", files: ["es epub", "es pdf", "es txt"], covers: ["default"] },
  ]);
});

it("keeps two books of the same name apart", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  writeFiles(folder, { "a/x.en.txt": "A", "a/y.en.txt": "B", "b/x.en.txt": "C" });
  const { failures } = await directly(app)(folder);
  expect(failures).toEqual([
    {
      subject: "b/x.en.txt",
      reason: expect.stringMatching(/^Its name is that of another book\./),
      detail: "as a/x.en.txt, both English",
      code: "name_taken",
      by: "a/x.en.txt",
    },
  ]);
});

describe("an import with an API key", () => {
  it("reports missing languages, and changes nothing", async () => {
    const app = await startApp();
    await app.make.language("es");
    await expect((await withKey(app))(await library())).rejects.toThrow(
      /an API key can't create languages: ar, en, fr\..*\(the command\)$/s,
    );
    expect(await catalogueOf(app)).toEqual([]);
  });

  it("works once an editor has created the languages", async () => {
    const app = await startApp();
    const created = await (await asUser(app))(await library(), { onlyLanguages: true });
    expect(created).toMatchObject({ summary: "4 new languages.\n", failures: [] });
    expect(await catalogueOf(app)).toEqual([]);
    expect((await (await withKey(app))(await library())).failures).toEqual([]);
    expect(await catalogueOf(app)).toEqual(CATALOGUE);
  });
});

describe("an import with a catalogue", () => {
  it("prefers its metadata to that of the files, and imports only the files that it names", async () => {
    const app = await startApp();
    const folder = await library();
    const catalogue = {
      books: [
        {
          titleEn: "A Well",
          translations: [{ languageCode: "es", title: "Un pozo" }],
          localFiles: [
            { languageCode: "ar", fileType: "epub", path: "ar/well.epub", fileSizeBytes: 1 },
            { languageCode: "es", path: "es/well.epub" },
            { languageCode: "es", path: "es/missing.epub" },
            { languageCode: "es", path: "../../etc/passwd" },
          ],
          localCovers: [{ path: "hill.jpg" }],
        },
        { titleEn: "Wrong", colour: "red" },
        { localFiles: [{ languageCode: "fr", path: "hill.fr.txt" }] },
      ],
    };
    writeFiles(folder, { "catalogue.json": JSON.stringify(catalogue) });
    const { failures } = await directly(app)(folder);
    expect(failures.map(({ subject }) => subject)).toEqual([
      "books.1 of the catalogue",
      "es/missing.epub",
      "../../etc/passwd",
    ]);
    expect(await catalogueOf(app)).toEqual([
      {
        slug: "a-well",
        titleEn: "A Well",
        authors: ["Ana"],
        titles: { ar: "البئر", es: "Un pozo" },
        files: ["ar epub", "es epub"],
        covers: ["default", "es"],
      },
      expect.objectContaining({ slug: "hill", titleEn: "Hill", files: ["fr txt"] }),
    ]);
  });

  it("reads a catalogue that a spreadsheet program has saved", async () => {
    const app = await startApp();
    const folder = await library();
    const rows = [
      "slug;language;title;file;cover",
      "w;es;Un pozo;es/well.epub;hill.jpg",
      "w;ar;;ar/well.epub;",
    ];
    writeFiles(folder, { "books.csv": rows.join("\n") });
    const { failures } = await directly(app)(folder, { catalogue: `${folder}/books.csv` });
    expect(failures).toEqual([]);
    expect(await catalogueOf(app)).toMatchObject([
      { slug: "w", titles: { es: "Un pozo", ar: "البئر" }, files: ["ar epub", "es epub"], covers: ["es"] },
    ]);
  });

  it.each([
    ["{", /is not JSON/],
    ['{"items":[]}', /is not a catalogue:\n {2}books: is required\n {2}items: /],
  ])("rejects a catalogue that is malformed: %s", async (text, reason) => {
    const app = await startApp();
    const folder = createTempFolder();
    writeFiles(folder, { "catalogue.json": text });
    await expect(directly(app)(folder)).rejects.toThrow(reason);
  });
});

it.each([
  [
    "a wrong key",
    (url: URL) => Promise.resolve(AdminClient.withKey(url, `bds_${randomUUID()}`)),
    /responds with 401/,
  ],
  [
    "a wrong password",
    (url: URL) => AdminClient.logIn(url, "unknown@example.org", "wrong pass phrase"),
    /responds with 401/,
  ],
  [
    "an address that ends with /api",
    (url: URL) => AdminClient.logIn(new URL("/api", url), "a@example.org", "b"),
    /\/api isn't the address of a Book Distribution Service: it responds to POST \/api\/api\/auth\/login with 404\./,
  ],
  [
    "an address that ends with /api, and a key",
    (url: URL) => Promise.resolve(AdminClient.withKey(new URL("/api/", url), `bds_${randomUUID()}`)),
    /\/api\/ isn't the address of a Book Distribution Service: .* Use the address below which \/api\/docs opens\.$/,
  ],
  [
    "another web server",
    async () => {
      const server = createServer((_, res) => void res.writeHead(404).end("<h1>Not found</h1>"));
      onTestFinished(() => void server.close());
      await listen(server);
      return AdminClient.logIn(urlOf({ server }), "a@example.org", "b");
    },
    /it responds to POST \/api\/auth\/login with 404\./,
  ],
  [
    "a server that isn't there",
    () => AdminClient.logIn(new URL("http://127.0.0.1:9"), "a@example.org", "b"),
    /can't be reached/,
  ],
])("stops immediately with %s", async (_, clientOf, reason) => {
  const app = await startApp();
  const importing = async () => {
    const run = remotely(await clientOf(urlOf(app)), false);
    return run(await library());
  };
  await expect(importing()).rejects.toThrow(reason);
});
