/** Catalogues of plans that were sent as files, also as workbooks, and what a plan says for writing books. */
import { expect, it } from "vitest";
import { type Scheduler, systemScheduler } from "../../src/adapters/system.ts";
import { startApp } from "../support/app.ts";
import { createEpub, createTitledEpub, writeFiles } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PLANS, run, startImports } from "../support/import-scene.ts";
import { exportAll, readFolder, runImport } from "../support/library-runs.ts";
import { makeMessyFolder } from "../support/messy-folder.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createXlsx, rowOf, sheetOf } from "../support/xlsx.ts";

const reader = createMetadataReader();

const HEADER = ["slug", "title_en", "language", "title", "file", "cover", "authors", "license", "tags"];
const ROWS = [
  HEADER,
  ["well", "The Well", "Swahili", "Kisima", "sw/1.txt", "well.jpg", "Ana; Ben", "CC0-1.0", "water;wells"],
  ["well", "", "bo", "ཁྲོན་པ།", "bo.epub", "", "", "", ""],
  ["moon", "The Moon", "Spanish", "La luna", "", "", "", "", ""],
];

const createWorkbook = (rows: readonly (readonly string[])[]) =>
  createXlsx({
    rows: rows.map((row, index) => rowOf(index + 1, row)).join(""),
    sheets: sheetOf("Books", "r1") + sheetOf("Notes", "r4"),
  });

/** An EPUB with a cover and a description of ten thousand characters. */
const createFullEpub = async (language: string) =>
  createEpub({
    metadata: `<dc:title>Full</dc:title><dc:language>${language}</dc:language><dc:description>${"Long text. ".repeat(900)}</dc:description>`,
    items: '<item id="c" href="c.jpg" media-type="image/jpeg" properties="cover-image"/>',
    entries: { "OEBPS/c.jpg": await createPicture("green") },
  });

/** Writes a folder as a program does, and again. */
async function importOverApi(folder: string) {
  const scene = await startImports();
  const files = readFolder(folder);
  const name = ["catalogue.json", "catalogue.csv", "catalogue.xlsx"].find((each) => each in files);
  const catalogue = name && { name, sha256: hashBytes(Buffer.from(files[name] ?? "")) };
  await run(scene.client, files, { catalogue });
  // Also long texts are the same.
  const { books } = await scene.plan(files, { catalogue });
  expect(books.map(({ status, keptTexts }) => [status, keptTexts])).toEqual(
    books.map(() => ["unchanged", []]),
  );
  return scene;
}

it.each([
  ["a folder without a catalogue", makeMessyFolder],
  [
    "covers inside of files, and long descriptions",
    async (folder: string) =>
      writeFiles(folder, {
        "full.epub": await createFullEpub("en"),
        "full.es.epub": await createFullEpub("es"),
        "full.es.txt": createTxt("Texto."),
      }),
  ],
  [
    "a workbook",
    async (folder: string) =>
      writeFiles(folder, {
        "catalogue.xlsx": await createWorkbook(ROWS),
        "sw/1.txt": createTxt("Kisima."),
        "bo.epub": await createTitledEpub("ཁྲོན་པ།", "bo"),
        "well.jpg": await createPicture("red"),
        "other.txt": createTxt("Not named."),
      }),
  ],
  [
    "a catalogue with sub-languages and links",
    async (folder: string) =>
      writeFiles(folder, {
        "catalogue.json": JSON.stringify({
          languages: [
            { code: "es-MX", parentCode: "es", isActive: 0, legacyDownloadCount: 7 },
            { code: "es", name: "Castilian", customDomain: "es.example.org" },
          ],
          books: [
            {
              slug: "well",
              titleEn: "The Well",
              series: { name: "Water", position: 2 },
              translations: [
                { languageCode: "es", title: "El pozo", contributors: [{ name: "Eva", role: "translator" }] },
              ],
              localFiles: [{ path: "1.bin", fileName: "pozo.txt", languageCode: "es", fileType: "txt" }],
              files: [
                {
                  languageCode: "es-MX",
                  fileName: "w.pdf",
                  fileType: "pdf",
                  cloudUrl: "https://cloud.example.org/w.pdf",
                  sourceType: "url",
                },
              ],
            },
          ],
        }),
        "1.bin": createTxt("Pozo."),
      }),
  ],
] as const)("a program writes %s as the command does", async (_, makeFolder) => {
  const folder = createTempFolder();
  await makeFolder(folder);
  const command = await startImports();
  await runImport(command.app, folder, { reader });
  const program = await importOverApi(folder);
  expect(await exportAll(program)).toEqual(await exportAll(command));
});

it("a catalogue that was examined is read as one in the request, and a workbook says which sheet", async () => {
  const { plan } = await startImports();
  const workbook = await createWorkbook(ROWS);
  const text = ROWS.map((row) => row.join(",")).join("\n");
  const files = { "sw/1.txt": createTxt("Kisima."), "bo.epub": await createTitledEpub("x", "bo") };
  const all = { ...files, "catalogue.csv": text, "catalogue.xlsx": workbook };
  const inText = await plan(all, { catalogue: { name: "catalogue.csv", text } });
  const inFile = await plan(all, {
    catalogue: { name: "catalogue.csv", sha256: hashBytes(Buffer.from(text)) },
  });
  expect(inFile).toEqual(inText);
  const sheet = await plan(all, { catalogue: { name: "catalogue.xlsx", sha256: hashBytes(workbook) } });
  const inWorkbook: unknown = JSON.parse(
    JSON.stringify(inText.books).replaceAll("catalogue.csv", "catalogue.xlsx"),
  );
  expect(sheet.books).toEqual(inWorkbook);
  const message = "Read the first sheet of catalogue.xlsx, “Books”, and not “Notes”.";
  expect(sheet.notices).toEqual([{ code: "other_sheets", message, names: ["Notes"] }]);
});

it("a catalogue of four megabytes is planned and imported, with long texts of 450 books", async () => {
  const { client, plan, make } = await startImports();
  await make.language("es");
  const text = "A long text. ".repeat(740);
  const rows = Array.from(
    { length: 450 },
    (_, index) => `book-${index},Book ${index},es,Libro ${index},${text}`,
  );
  const files = { "catalogue.csv": ["slug,title_en,language,title,description", ...rows].join("\n") };
  expect(files["catalogue.csv"].length).toBeGreaterThan(4 * 1024 * 1024);
  const catalogue = { name: "catalogue.csv", sha256: hashBytes(Buffer.from(files["catalogue.csv"])) };
  const { books } = await plan(files, { catalogue });
  expect([books.length, new Set(books.map(({ status }) => status))]).toEqual([450, new Set(["create"])]);
  const ended = await run(client, files, { catalogue });
  expect([ended.state, ended.progress]).toEqual(["done", { files: 0, books: 450 }]);
});

it("columns that aren't known are an error, unless they are ignored", async () => {
  const { plan, send } = await startImports();
  const files = { "1.txt": createTxt("Kisima.") };
  await plan(files);
  const catalogue = { name: "books.csv", text: "slug,title,language,file,shelf\nkisima,Kisima,sw,1.txt,A\n" };
  expectProblem(await send(files, { catalogue }), 400, {
    errors: ["catalogue.text invalid_format", "catalogue.columns.shelf unknown_field"],
  });
  const { books, notices } = await plan(files, { catalogue: { ...catalogue, ignoreUnknownColumns: true } });
  expect(books).toMatchObject([{ slug: "kisima" }]);
  const message = "Columns left out of books.csv: “shelf”.";
  expect(notices).toEqual([{ code: "unknown_columns", message, names: ["shelf"] }]);
});

it("a catalogue has to be known, of a bounded size, and a workbook where its name says so", async () => {
  const { examine, send } = await startImports();
  const files = { "1.txt": "one" };
  const ask = (name: string, content: Buffer) =>
    send(files, { catalogue: { name, sha256: hashBytes(content) } });
  expectProblem(await ask("catalogue.xlsx", createTxt("never sent")), 404, { code: "content_unknown" });
  const large = Buffer.alloc(16 * 1024 * 1024 + 1, "a,b\n");
  const broken = (await createWorkbook(ROWS)).subarray(0, 300);
  for (const [name, content, error] of [
    ["large.csv", large, "too_big"],
    ["large.xlsx", large, "too_big"],
    ["broken.xlsx", broken, "invalid_format"],
    ["text.xlsx", createTxt("No workbook."), "invalid_format"],
    ["catalogue.json", createTxt("No JSON."), "invalid_format"],
  ] as const) {
    await examine(content, name);
    expectProblem(await ask(name, content), 400, { errors: [`catalogue.sha256 ${error}`] });
  }
  const sha256 = hashBytes(broken);
  for (const [catalogue, error] of [
    [{ name: "a.xlsx", text: "a" }, "catalogue.sha256 missing"],
    [{ name: "a.csv" }, "catalogue.text missing"],
    [{ name: "a.csv", text: "a", sha256 }, "catalogue.sha256 invalid_value"],
  ] as const)
    expectProblem(await send(files, { catalogue }), 400, { errors: [error] });
});

it("a plan that takes more than two minutes, or more memory than it may, is an error of its request", {
  timeout: 180_000,
}, async () => {
  const isPlan = (delayMs: number) => delayMs === 120_000;
  const schedule: Scheduler = (delayMs, work) => systemScheduler(isPlan(delayMs) ? 0 : delayMs, work);
  const late = await startApp({}, { schedule });
  const files = [{ path: "a.txt", sha256: hashBytes(createTxt("a")) }];
  const catalogue = { name: "a.csv", text: "slug,title,language\na,A,en\n" };
  const plan = async (more: object) => (await late.admin()).post(PLANS, { files, ...more });
  expectProblem(await plan({ catalogue }), 400, { errors: ["catalogue.text too_big"] });
  expectProblem(await plan({}), 400, { errors: ["files too_big"] });
  const { examine, send } = await startImports();
  const rows = Buffer.from(`slug,title,language\n${"a,A,en\n".repeat(2_000_000)}`);
  await examine(rows, "rows.csv");
  const large = { name: "rows.csv", sha256: hashBytes(rows) };
  expectProblem(await send({ "a.txt": "a" }, { catalogue: large }), 400, {
    errors: ["catalogue.sha256 too_big"],
  });
  expect((await send({ "a.txt": "a" })).status).toBe(200);
});

it.each(["NFC", "NFD"] as const)("has the file whose name only Unicode distinguishes: %s", async (form) => {
  const { plan } = await startImports();
  const path = "Library/Bücher/Möön.txt".normalize(form === "NFC" ? "NFD" : "NFC");
  const text = "title_en,language,file\nThe moon,en,Bücher/Möön.txt\n".normalize(form);
  const catalogue = { name: "Library/catalogue.csv", text };
  const { books, leftOut } = await plan({ [path]: createTxt("The moon.") }, { catalogue });
  expect(leftOut).toEqual([]);
  expect(books).toMatchObject([{ titleEn: "The moon", files: [{ path, languageCode: "en" }] }]);
});

it.each(['slug,title\na,The "Well"', '[{"titleEn": "The Well"}]'])(
  "names a quotation mark that makes it no CSV: %s",
  async (text) => {
    const { send } = await startImports();
    const catalogue = { name: "catalogue.csv", text };
    const response = await send({ "well.txt": "x" }, { catalogue });
    expectProblem(response, 400, { errors: ["catalogue.text invalid_format"] });
    expect(response.body.errors[0].message).toContain("a quotation mark in line");
  },
);
