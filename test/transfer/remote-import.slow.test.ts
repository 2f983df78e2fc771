/** `import --server`: what is sent, what is shown before the start, and that the rows are those of the other ways. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { startApp, startWithAdmin } from "../support/app.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import type { Client } from "../support/client.ts";
import { run as runByService, startImports } from "../support/import-scene.ts";
import {
  exportAll,
  readFolder,
  readLibraryRows,
  runImport,
  runRemoteImport,
} from "../support/library-runs.ts";
import { makeMessyFolder } from "../support/messy-folder.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createXlsx, rowOf } from "../support/xlsx.ts";

const reader = createMetadataReader();

it("makes the rows and files that the command makes directly, and the service for a program", async () => {
  const folder = createTempFolder();
  await makeMessyFolder(folder);
  const [direct, remote, program] = [await startApp(), await startApp(), await startImports()];
  const known = describeReport(await runImport(direct, folder, { reader }));
  const { report } = await runRemoteImport(remote, folder);
  await runByService(program.client, readFolder(folder));
  const expected = await readLibraryRows(direct);
  for (const app of [remote, program.app]) {
    expect(await exportAll(app)).toEqual(await exportAll(direct));
    expect(await readLibraryRows(app)).toEqual(expected);
  }
  const again = await runByService(program.client, readFolder(folder));
  expect(again).toMatchObject({ state: "done", error: null });
  expect(new Set(again.result?.books.map(({ status }) => status))).toEqual(new Set(["unchanged"]));
  const rowsOf = ({ books }: typeof known) =>
    books.map(({ status, slug, codes, newFiles, covers, sayings, keptTexts, keptFiles }) => ({
      ...{ status, slug, codes, newFiles, covers, sayings, keptTexts, keptFiles },
    }));
  expect(rowsOf(report)).toEqual(rowsOf(known));
  expect(report.failures.map(({ subject }) => subject).sort()).toEqual(
    known.failures.map(({ subject }) => subject).sort(),
  );
});

it("says before the start what readers will get, and how long it can be undone", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  writeFiles(folder, { "es/well.txt": "El pozo.", "fr/well.txt": "Le puits.", "es/hill.txt": "La colina." });
  const { said } = await runRemoteImport(app, folder);
  expect(said).toEqual([
    "Readers: 2 books become public in 2 languages; --archived makes new books that readers don't get.",
    expect.stringMatching(
      /^Import \S+ has started, and goes on if this command is stopped\. It can be undone for 30 days \(POST \/api\/admin\/imports\/\S+\/undo\)\.$/,
    ),
  ]);
  writeFiles(folder, { "es/tree.txt": "El árbol." });
  const archived = await runRemoteImport(app, folder, { archived: true });
  expect(archived.said[0]).toBe(
    "1 book will be archived: readers get none of them until somebody restores them.",
  );
});

it("takes a catalogue in the folder, below it and beside it, also a workbook and one without files", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  const rows = (slug: string, file: string) => [
    ["slug", "language", "title", "file", "shelf"],
    [slug, "es", "El pozo", file, "3"],
  ];
  writeFiles(folder, {
    "in/catalogue.xlsx": await createXlsx({
      rows: rows("in", "1.txt")
        .map((row, index) => rowOf(index + 1, row))
        .join(""),
    }),
    "in/1.txt": "Uno.",
    "below/lists/b.csv": rows("below", "1.txt")
      .map((row) => row.join(","))
      .join("\n"),
    "below/lists/1.txt": "Dos.",
    "below/other.txt": "Otro.",
    "beside/c.csv": rows("beside", "books/1.txt")
      .map((row) => row.join(","))
      .join("\n"),
    "beside/books/1.txt": "Tres.",
    "links/catalogue.json": JSON.stringify({
      books: [
        {
          slug: "links",
          titleEn: "Links",
          files: [
            {
              languageCode: "es",
              fileType: "pdf",
              sourceType: "url",
              cloudUrl: "https://books.example.org/a.pdf",
              fileName: "a.pdf",
            },
          ],
        },
      ],
    }),
  });
  await expect(runRemoteImport(app, join(folder, "in"))).rejects.toThrow(/shelf/);
  const ignoring = { ignoreUnknownColumns: true };
  for (const [place, given] of [
    ["in", {}],
    ["below", { catalogue: join(folder, "below/lists/b.csv") }],
    ["beside/books", { catalogue: join(folder, "beside/c.csv") }],
    ["links", {}],
  ] as const) {
    const { report } = await runRemoteImport(app, join(folder, place), { ...ignoring, ...given });
    expect(report.failures, place).toEqual([]);
  }
  const { books } = await exportAll(app);
  expect(books.map(({ slug }: { slug: string }) => slug)).toEqual(["below", "beside", "in", "links"]);
  await expect(
    runRemoteImport(app, folder, { catalogue: join(folder, "below/lists/none.ods") }),
  ).rejects.toThrow(/XLSX/);
});

it("changes nothing in a dry run, and sends nothing twice", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  writeFiles(folder, { "es/well.epub": await createTitledEpub("El pozo", "es") });
  const dry = await runRemoteImport(app, folder, { isDryRun: true });
  expect(dry).toMatchObject({
    said: [],
    summary: "1 new language, 1 new book, 1 new file. Dry run: nothing was changed.\n",
  });
  expect((await exportAll(app)).books).toEqual([]);
  const examined = () =>
    app.container.database.read.selectFrom("examined_files").select("examinedAt").execute();
  const before = await examined();
  app.clock.advance(2 * 60_000);
  expect((await runRemoteImport(app, folder)).summary).toBe("1 new language, 1 new book, 1 new file.\n");
  expect(await examined()).toEqual(before);
  const { books } = await exportAll(app);
  expect(books).toHaveLength(1);
});

it("says when it was cancelled from elsewhere", async () => {
  const { app, client } = await startWithAdmin();
  // On a busy machine an import may end before it is cancelled: then the next one is.
  for (let round = 0; ; round += 1) {
    const folder = createTempFolder();
    const books = Array.from({ length: 120 }, (_, index) => `${round}-${index}`);
    writeFiles(folder, Object.fromEntries(books.map((book) => [`es/b${book}.txt`, `Libro ${book}.`])));
    const importing = runRemoteImport(app, folder).then(() => "done", String);
    if (await cancelWhileRunning(client, importing)) {
      expect(await importing).toMatch(/hasn't reached its end: It was cancelled\. Run the command again/);
      return;
    }
  }
});

/** @returns whether it was cancelled before it has ended */
async function cancelWhileRunning(client: Client, importing: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  void importing.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const { imports } = (await client.get("/api/admin/imports")).body;
    const running = imports.find(({ state }: { state: string }) => state === "running");
    if (running && (await client.delete(`/api/admin/imports/${running.id}`)).status === 202) return true;
  }
  return false;
}
