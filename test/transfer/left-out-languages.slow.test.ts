/** What is left out of an import needs no language, for whichever reason: an import that writes nothing creates nothing. */
import { describe, expect, it } from "vitest";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { run, startImports } from "../support/import-scene.ts";
import { type Files, runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTxt } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();
const WELL = createTxt("El pozo.");

/** What the library has before. */
const stored = async (): Promise<Files> => ({
  "es/well.txt": WELL,
  "es/hill.epub": await createTitledEpub("La colina", "es"),
});

async function start() {
  const scene = await startImports();
  await run(scene.client, await stored());
  const readState = async () => {
    const { body } = await scene.client.get("/api/admin/languages");
    const versions = await scene.container.database.read
      .selectFrom("catalogue_version")
      .selectAll()
      .execute();
    return { codes: body.languages.map(({ code }: { code: string }) => code), versions };
  };
  return { ...scene, readState };
}

const table = (...rows: string[]) => ({
  "catalogue.csv": ["slug,title_en,language,title,file,publish_at,license", ...rows].join("\n"),
});

const CASES: readonly [reason: string, files: () => Files | Promise<Files>][] = [
  ["the library has it elsewhere", () => ({ "fr/puits.txt": WELL })],
  ["another file of the folder has its bytes", () => ({ "es/well.txt": WELL, "fr/well.txt": WELL })],
  [
    "its book could be a known one",
    async () => ({
      "es/hill.epub": await createTitledEpub("Otra colina", "es"),
      "fr/hill.epub": await createTitledEpub("Une autre colline", "fr"),
    }),
  ],
  [
    "a cell of its row is wrong",
    () => ({ ...table("moon,Moon,fr,La lune,moon.txt,tomorrow,"), "moon.txt": createTxt("La lune.") }),
  ],
  ["its file is missing", () => table("moon,Moon,fr,La lune,moon.txt,,")],
  [
    "no title is known",
    () => ({ ...table("moon,,fr,,moon.txt,,CC0-1.0"), "moon.txt": createTxt("La lune.") }),
  ],
];

describe("an import creates no language for what is left out, because", () => {
  it.each(CASES)("%s", async (_, files) => {
    const { app, client, plan, readState } = await start();
    const before = await readState();
    expect(before.codes).toEqual(["es"]);
    const given = await files();
    const folder = createTempFolder();
    writeFiles(folder, given);
    for (const isDryRun of [true, false])
      expect((await runImport(app, folder, { reader, isDryRun })).languages).toEqual([]);
    expect((await runImport(app, folder, { reader, onlyLanguages: true })).languages).toEqual([]);
    const csv = given["catalogue.csv"];
    const catalogue = csv && { catalogue: { name: "catalogue.csv", text: csv.toString() } };
    expect((await plan(given, { ...catalogue })).languages).toEqual([]);
    expect(await run(client, given, { ...catalogue })).toMatchObject({ state: "done" });
    expect(await readState()).toEqual(before);
  });

  it.each([
    ["somebody has left it out", { leaveOut: true }],
    ["the book that was chosen for it is gone", { book: "01a1fb60-3c5e-7d21-8a4b-5f6071829304" }],
  ])("%s", async (_, correction) => {
    const { client, plan, readState } = await start();
    const before = await readState();
    const files = { "fr/lune.txt": createTxt("La lune.") };
    const corrections = [{ path: "fr/lune.txt", ...correction }];
    expect((await plan(files, { corrections })).languages).toEqual([]);
    expect(await run(client, files, { corrections })).toMatchObject({ state: "done" });
    expect(await readState()).toEqual(before);
  });

  it("a new book was chosen for a file that the library has elsewhere", async () => {
    const { client, plan, send, readState } = await start();
    const before = await readState();
    const files = { "fr/puits.txt": WELL };
    await plan(files);
    const corrections = [{ path: "fr/puits.txt", book: "new" }];
    expect((await send(files, { corrections })).body).toMatchObject({ languages: [] });
    const { result } = await run(client, files, { corrections });
    expect(result?.books).toMatchObject([
      { status: "unchanged", bookId: null, files: [{ path: "fr/puits.txt", status: "known" }] },
    ]);
    expect(await readState()).toEqual(before);
  });
});

it("creates the languages of what is imported, also of one that is wanted although the library has it", async () => {
  const { client, send, plan, readState } = await start();
  const files = { "fr/puits.txt": WELL, "de/mond.txt": createTxt("Der Mond.") };
  await plan(files);
  const corrections = [{ path: "fr/puits.txt", leaveOut: false }];
  const { body } = await send(files, { corrections });
  expect(body.languages.map(({ code }: { code: string }) => code)).toEqual(["de", "fr"]);
  expect(await run(client, files)).toMatchObject({ state: "done" });
  expect((await readState()).codes.sort()).toEqual(["de", "es"]);
  expect(await run(client, files, { corrections })).toMatchObject({ state: "done" });
  expect((await readState()).codes.sort()).toEqual(["de", "es", "fr"]);
});
