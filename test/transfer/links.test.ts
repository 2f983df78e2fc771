import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silent } from "../../src/operation/progress.ts";
import type { FolderOptions } from "../../src/operation/transfer/folder-source.ts";
import { Languages } from "../../src/operation/transfer/language-codes.ts";
import type { Failure } from "../../src/operation/transfer/library.ts";
import {
  findFileBelow,
  hashFile,
  readSmallFile,
  resolveFolder,
} from "../../src/operation/transfer/local-files.ts";
import { readLibrary } from "../../src/operation/transfer/open-source.ts";
import { writeFiles } from "../support/book-files.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();
const OPTIONS: FolderOptions = { grouping: "auto", languageCode: "en" };
const IS_LINK = "It is a link; links aren't followed.";
const MISSING = "There is no such file in the folder of the catalogue.";

/** A folder beside which a secret is that no import may read. */
function scene(files: Readonly<Record<string, string>>) {
  const folder = createTempFolder();
  const books = join(folder, "books");
  mkdirSync(books);
  writeFiles(folder, { "secret.txt": "A secret.", "outside/secret.txt": "A secret." });
  writeFiles(books, files);
  return { folder, books };
}

async function read(folder: string, catalogue?: string) {
  const failures: Failure[] = [];
  const languages = new Languages({ findExisting: async () => [] });
  const deps = { languages, reader, failures, notices: [], remarks: [], progress: silent };
  const { books } = await readLibrary({ ...OPTIONS, folder, catalogue }, deps);
  const files = books.flatMap(({ files, covers }) => [...files, ...covers]).map(({ file }) => file.place);
  return { files: files.sort(), failures };
}

/** The path at the end of a cell's place, or the whole subject. */
const pathIn = (subject: string): string => /“(.+)”$/.exec(subject)?.[1] ?? subject;

it("follows no link in the folder, wherever it leads, and names each", async () => {
  const { folder, books } = scene({ "en/well.txt": "Text.", "en/inside.txt": "Other." });
  symlinkSync(join(folder, "secret.txt"), join(books, "en/absolute.txt"));
  symlinkSync("../../secret.txt", join(books, "en/relative.txt"));
  symlinkSync("well.txt", join(books, "en/same.txt"));
  symlinkSync("nowhere.txt", join(books, "en/broken.txt"));
  symlinkSync("../outside", join(books, "folder"));
  symlinkSync("..", join(books, "circle"));
  symlinkSync(join(folder, "secret.txt"), join(books, "en/well.jpg"));
  const { files, failures } = await read(books);
  expect(files).toEqual(["en/inside.txt", "en/well.txt"]);
  expect(failures.map(({ subject }) => subject).sort()).toEqual([
    "circle",
    "en/absolute.txt",
    "en/broken.txt",
    "en/relative.txt",
    "en/same.txt",
    "en/well.jpg",
    "folder",
  ]);
  expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set([IS_LINK]));
});

it.each(["catalogue.json", "catalogue.csv"])("follows no link that %s names", async (name) => {
  const paths = ["link.txt", "folder/secret.txt", "deep/well.txt", "../secret.txt", "x/../../secret.txt"];
  const text =
    name === "catalogue.csv"
      ? ["title,language,file,cover", ...paths.map((path, index) => `Book ${index},en,${path},`)]
          .join("\n")
          .concat("\nCover,en,,cover.jpg")
      : JSON.stringify({
          books: [
            ...paths.map((path, index) => ({
              titleEn: `Book ${index}`,
              localFiles: [{ path, languageCode: "en" }],
            })),
            { titleEn: "Cover", localCovers: [{ path: "cover.jpg" }] },
          ],
        });
  const { folder, books } = scene({ [name]: text, "deep/well.txt": "Text." });
  symlinkSync(join(folder, "secret.txt"), join(books, "link.txt"));
  symlinkSync(join(folder, "outside"), join(books, "folder"));
  symlinkSync(join(folder, "secret.txt"), join(books, "cover.jpg"));
  const { files, failures } = await read(books);
  expect(files).toEqual(["deep/well.txt"]);
  expect(Object.fromEntries(failures.map(({ subject, reason }) => [pathIn(subject), reason]))).toEqual({
    "link.txt": IS_LINK,
    "folder/secret.txt": IS_LINK,
    "../secret.txt": MISSING,
    "x/../../secret.txt": MISSING,
    "cover.jpg": IS_LINK,
  });
});

it.each(["well.txt/x.txt", "a\0b.txt", `${"long".repeat(1000)}.txt`])(
  "reports a path of a catalogue that can't be read, and continues: %#",
  async (path) => {
    const named = [path, "well.txt"].map((each, index) => ({
      titleEn: `Book ${index}`,
      localFiles: [{ path: each, languageCode: "en" }],
    }));
    const { books } = scene({ "catalogue.json": JSON.stringify({ books: named }), "well.txt": "Text." });
    const { files, failures } = await read(books);
    expect(files).toEqual(["well.txt"]);
    expect(failures).toMatchObject([
      { subject: path, reason: expect.stringMatching(/^It can't be read|no such file/) },
    ]);
  },
);

it.each(["catalogue.json", "catalogue.csv"])(
  "doesn't read a %s in the folder that is a link",
  async (name) => {
    const { folder, books } = scene({});
    symlinkSync(join(folder, "secret.txt"), join(books, name));
    await expect(read(books)).rejects.toThrow(`${name} can't be read. ${IS_LINK}`);
  },
);

it("accepts the folder and the catalogue as links, since the operator names them", async () => {
  const { folder, books } = scene({ "well.txt": "Text." });
  symlinkSync(books, join(folder, "link"));
  expect(await read(join(folder, "link"))).toEqual({ files: ["well.txt"], failures: [] });
  writeFiles(folder, { "list.csv": "title,language,file\nWell,en,well.txt" });
  symlinkSync(join(folder, "list.csv"), join(books, "link.csv"));
  expect(await read(books, join(folder, "link/link.csv"))).toEqual({ files: ["well.txt"], failures: [] });
});

it.each([
  ["a link", (path: string, secret: string) => symlinkSync(secret, path)],
  ["another file", (path: string) => writeFileSync(path, "Other")],
])("doesn't open a file that has become %s since it was checked", async (_, replace) => {
  const { folder, books } = scene({ "well.txt": "Text." });
  const file = await findFileBelow(await resolveFolder(books), "well.txt");
  renameSync(file.path, join(books, "before.txt"));
  replace(file.path, join(folder, "secret.txt"));
  for (const open of [() => file.open(), () => hashFile(file), () => readSmallFile(file, 100)]) {
    await expect(open()).rejects.toThrow(/^It was replaced during the import/);
  }
});

it("doesn't open a file whose folder has become a link since it was checked", async () => {
  const { folder, books } = scene({ "en/secret.txt": "Text." });
  const file = await findFileBelow(await resolveFolder(books), "en/secret.txt");
  rmSync(join(books, "en"), { recursive: true });
  symlinkSync(join(folder, "outside"), join(books, "en"));
  await expect(file.open()).rejects.toThrow(/^It was replaced during the import/);
});
