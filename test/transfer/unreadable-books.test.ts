/** Books whose metadata or cover can't be read: they are imported, with a remark, and nothing of a library is said. */
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { importSummary } from "../../src/operation/transfer/report.ts";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { createEpub, createMp3, createPdf, writeFiles } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { startImports } from "../support/import-scene.ts";
import { runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

const COVER = `<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>`;
const titled = (title: string) => `<dc:title>${title}</dc:title><dc:language>en</dc:language>`;

it("are imported by the names of their files, and listed", async () => {
  const { app, client, plan } = await startImports();
  const picture = await createPicture("red", { type: "png" });
  const files = {
    "en/broken-package.epub": await createEpub({ opf: randomBytes(500) }),
    "en/cut-off.pdf": (await createPdf({})).subarray(0, 300),
    "en/half-a-frame.mp3": createMp3({ TALB: "Aloud" }).subarray(0, -3000),
    "en/no-cover.epub": await createEpub({ metadata: titled("Bare"), items: COVER }),
    "en/damaged-cover.epub": await createEpub({
      metadata: titled("Damaged"),
      items: COVER,
      entries: { "OEBPS/c.png": picture.subarray(0, 60) },
    }),
    "en/book.m4a": Buffer.from("\0\0\0\x14ftypM4A \0\0\0\0M4A ", "latin1"),
  };
  const folder = createTempFolder();
  writeFiles(folder, files);
  const { books } = await plan(files);
  expect(
    books.flatMap((book) =>
      book.files.map(({ path, title, remarks }) => [path, title, ...remarks.map(({ code }) => code)]),
    ),
  ).toEqual([
    ["en/book.m4a", null],
    ["en/broken-package.epub", null, "metadata_unreadable"],
    ["en/cut-off.pdf", null, "metadata_unreadable"],
    ["en/damaged-cover.epub", "Damaged"],
    ["en/half-a-frame.mp3", "Aloud"],
    ["en/no-cover.epub", "Bare", "cover_missing"],
  ]);
  const report = await runImport(app, folder, { reader });
  expect(report.failures).toEqual([]);
  const summary = importSummary(describeReport(report), false);
  expect(summary).toContain(`Imported by the name of the file: 2 files whose metadata can't be read
  en/broken-package.epub: Its metadata can't be read. Its package document (OPF) is not XML.
  en/cut-off.pdf: Its metadata can't be read. It is damaged, or written in an unusual way.
Without its cover: 2 files with a cover that is missing or can't be used
  en/no-cover.epub
  cover of damaged-cover in en: The image is damaged or incomplete.
`);
  const { books: stored } = (await client.get("/api/admin/books")).body;
  expect(stored.map(({ slug, titleEn }: { slug: string; titleEn: string }) => [slug, titleEn])).toEqual([
    ["book", "Book"],
    ["broken-package", "Broken package"],
    ["cut-off", "Cut off"],
    ["damaged-cover", "Damaged"],
    ["half-a-frame", "Aloud"],
    ["no-cover", "Bare"],
  ]);
});
