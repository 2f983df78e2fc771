/** Covers that can't be used: a second import of the same folder, its dry run and its plan change nothing. */
import { expect, it } from "vitest";
import { importSummary } from "../../src/operation/transfer/report.ts";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { createEpub, writeFiles } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { startImports } from "../support/import-scene.ts";
import { runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

async function bookWith(title: string, cover: Buffer, type: string) {
  return createEpub({
    metadata: `<dc:title>${title}</dc:title><dc:language>en</dc:language>`,
    items: `<item id="c" href="c" media-type="image/${type}" properties="cover-image"/>`,
    entries: { "OEBPS/c": cover },
  });
}

/** One cover of each kind that fails in another place: the reader of books, the decoder, and the size. */
async function createFolder() {
  const png = await createPicture("red", { type: "png" });
  const gif = await createPicture("blue", { type: "gif" });
  return {
    "en/whole.epub": await bookWith("Whole", await createPicture("green"), "jpeg"),
    "en/cut-off.epub": await bookWith("Cut off", png.subarray(0, 60), "png"),
    "en/animated.epub": await bookWith("Animated", gif.subarray(0, 40), "gif"),
    "en/no-picture.epub": await bookWith("No picture", Buffer.from("no picture"), "jpeg"),
    "en/vector.epub": await bookWith(
      "Vector",
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'"),
      "svg+xml",
    ),
    "beside/en/beside.epub": await createEpub({
      metadata: "<dc:title>Beside</dc:title><dc:language>en</dc:language>",
    }),
    "beside/en/beside.png": png.subarray(0, 60),
  };
}

it("change nothing when they are imported again", async () => {
  const { app, client } = await startImports();
  const files = await createFolder();
  const folder = createTempFolder();
  writeFiles(folder, files);
  const summarise = async (isDryRun: boolean) =>
    importSummary(describeReport(await runImport(app, folder, { isDryRun, reader })), isDryRun)
      .trimEnd()
      .split("\n")
      .at(-1);
  expect(await summarise(false)).toBe("1 new language, 6 new books, 6 new files, 1 cover, 1 failure.");
  const { body: before } = await client.get("/api/admin/audit");
  for (let time = 0; time < 2; time += 1) {
    expect(await summarise(true)).toBe("6 unchanged books, 1 failure. Dry run: nothing was changed.");
    expect(await summarise(false)).toBe("6 unchanged books, 1 failure.");
  }
  expect((await client.get("/api/admin/audit")).body).toEqual(before);
  writeFiles(folder, { "en/cut-off.epub": await bookWith("Cut off", await createPicture("red"), "jpeg") });
  writeFiles(folder, { "beside/en/beside.png": await createPicture("blue", { type: "png" }) });
  expect(await summarise(true)).toMatch(/^2 updated books, 4 unchanged books, 2 covers\. Dry run/);
  expect(await summarise(false)).toBe("2 updated books, 4 unchanged books, 2 covers.");
});

it("are in no plan for a book that is stored already", async () => {
  const { app, plan, clock } = await startImports();
  const files = await createFolder();
  const folder = createTempFolder();
  writeFiles(folder, files);
  const statuses = async () =>
    Object.fromEntries(
      (await plan(files)).books.map(({ slug, status, covers }) => [slug, [status, covers.length]]),
    );
  expect(await statuses()).toMatchObject({ "cut-off": ["create", 0], beside: ["create", 1] });
  await runImport(app, folder, { reader });
  const unchanged = {
    whole: ["unchanged", 0],
    "cut-off": ["unchanged", 0],
    animated: ["unchanged", 0],
    "no-picture": ["unchanged", 0],
    vector: ["unchanged", 0],
    beside: ["unchanged", 0],
  };
  expect(await statuses()).toEqual(unchanged);
  expect(await statuses()).toEqual(unchanged);
  clock.advance(2 * 60 * 60_000);
  await app.container.services.examinations.forgetOld();
  expect(await statuses()).toEqual(unchanged);
});
