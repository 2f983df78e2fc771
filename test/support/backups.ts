/** What backups are made of, and what a folder holds, for comparisons. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { createContainer } from "../../src/container.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { createTempFolder } from "./temp-folder.ts";

/** The bytes of a text file. */
export const createBook = (sizeBytes: number): Buffer => Buffer.alloc(sizeBytes, "A line of the book.\n");

/** A data folder with a published book of so many bytes, on which no server runs. */
export async function createFilledFolder(sizeBytes: number): Promise<string> {
  const dataDir = join(createTempFolder(), "data");
  const [by, languageCode] = [createSystemAuthor("test"), "en"];
  const container = await createContainer(readConfig({ DATA_DIR: dataDir }), pino({ level: "silent" }));
  const { languages, books, files } = container.services;
  await languages.create(by, { code: languageCode, name: "English", nativeName: "English" });
  const { id } = await books.create(by, { titleEn: "The book" });
  const bytes = Readable.from([createBook(sizeBytes)]);
  const received = await container.store.receive(bytes, { maxBytes: sizeBytes });
  await files.addUpload(by, id, { languageCode, fileType: "txt" }, { ...received, originalName: "book.txt" });
  await container.close();
  return dataDir;
}

/** Pages that are whole, and in the wrong place: only a look at the rows tells it. */
export const SWAP_INDEXES = `
  pragma writable_schema = on;
  update sqlite_master set rootpage = (
    select sum(rootpage) from sqlite_master where name in ('book_files_book', 'book_files_language')
  ) - rootpage where name in ('book_files_book', 'book_files_language')`;

/** One bit of a file becomes another, somewhere in its middle. */
export function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Every file below a folder with its bytes; locks and empty folders aside. */
export function readContents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && !/\.lock(-journal)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path).toString("base64")]),
  );
}

/** Paths below a folder that others than its owner may read or enter. */
export function openToOthers(folder: string): string[] {
  const names = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
  return names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
}
