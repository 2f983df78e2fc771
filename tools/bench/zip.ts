/** What a ZIP costs: sent from the cache against a plain file, and built through the cache against archiver alone. */
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, open, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipArchive } from "archiver";
import type { Built } from "../../src/adapters/files/file-cache.ts";
import { writeZip, type ZipEntry } from "../../src/adapters/files/zip-archive.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { downloadSpeed } from "./download-load.ts";
import { startMeasured } from "./measured-process.ts";
import { cacheKeyOf, PLAIN_FILES_PROCESS, plainFilesFacts, zipCacheIn } from "./plain-files-process.ts";
import { type BenchRow, compare, speedRow } from "./row.ts";

const BOOKS = 50;
const BOOK_BYTES = 4_000_000;

export async function run(): Promise<BenchRow[]> {
  using folder = temporaryFolder("bench-zip");
  const books = Array.from({ length: BOOKS }, (_, index) => join(folder.path, `${index}.epub`));
  for (const [index, book] of books.entries()) await writeFile(book, Buffer.alloc(BOOK_BYTES, index + 1));
  return [await compareBuilding(folder.path, books), await compareSending(folder.path, books)];
}

const nameOf = (index: number): string => `${index} - A book [en].epub`;

async function buildOurs(books: readonly string[], output: Writable): Promise<Built> {
  const entries: ZipEntry[] = books.map((book, index) => ({
    name: nameOf(index),
    open: async () => createReadStream(book, { highWaterMark: 1024 * 1024 }),
  }));
  await writeZip(entries, output);
  return {};
}

/** As its documentation shows. */
async function buildByArchiverAlone(books: readonly string[], path: string): Promise<void> {
  const archive = new ZipArchive({ store: true });
  for (const [index, book] of books.entries()) archive.file(book, { name: nameOf(index) });
  const written = pipeline(archive, createWriteStream(path));
  await archive.finalize();
  await written;
}

async function compareBuilding(folder: string, books: readonly string[]): Promise<BenchRow> {
  const cacheFolder = join(folder, "cold");
  const ours = async () => {
    const cache = zipCacheIn(cacheFolder);
    const start = performance.now();
    const { handle, sizeBytes } = await cache.obtain(cacheKeyOf(folder), (output) =>
      buildOurs(books, output),
    );
    const seconds = (performance.now() - start) / 1000;
    await handle.close();
    await waitUntilReadOnly(join(cacheFolder, `${cacheKeyOf(folder)}.zip`));
    await rm(cacheFolder, { recursive: true });
    return sizeBytes / 1e6 / seconds;
  };
  const other = async () => {
    const path = join(folder, "alone.zip");
    const start = performance.now();
    await buildByArchiverAlone(books, path);
    const seconds = (performance.now() - start) / 1000;
    const { size } = await stat(path);
    await bringToDisk(path);
    await rm(path);
    return size / 1e6 / seconds;
  };
  return speedRow("a ZIP of 50 x 4 MB built, against archiver alone", await compare(7, ours, other), 0.9);
}

/** The cache brings a ZIP to the disk after it has handed it out; nothing else is measured in the meantime. */
async function waitUntilReadOnly(path: string): Promise<void> {
  while (((await stat(path)).mode & 0o200) !== 0) await new Promise(setImmediate);
}

async function bringToDisk(path: string): Promise<void> {
  await using handle = await open(path, "r+");
  await handle.datasync();
}

async function compareSending(folder: string, books: readonly string[]): Promise<BenchRow> {
  const path = join(folder, "plain.zip");
  const cacheFolder = join(folder, "warm");
  const kept = join(cacheFolder, `${cacheKeyOf(path)}.zip`);
  const cache = zipCacheIn(cacheFolder);
  const { handle, sizeBytes } = await cache.obtain(cacheKeyOf(path), (output) => buildOurs(books, output));
  await handle.close();
  await waitUntilReadOnly(kept);
  await copyFile(kept, path);
  const server = await startMeasured(PLAIN_FILES_PROCESS, [path, cacheFolder], plainFilesFacts);
  try {
    const load = { port: server.facts.port, connections: 1, bytes: sizeBytes, isPart: false };
    const measured = await compare(
      11,
      () => downloadSpeed({ ...load, path: "/zip" }),
      () => downloadSpeed({ ...load, path: "/ours" }),
    );
    return speedRow("the same ZIP sent from the cache, against it as a plain file", measured, 0.9);
  } finally {
    await server.stop();
  }
}
