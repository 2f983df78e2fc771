/** What lies in the file store, and small files of each kind to put there. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, inject } from "vitest";
import { HOUR } from "../../src/lib/time.ts";
import { makeEpub } from "../../tools/demo/epub.ts";
import type { TestApp } from "./app.ts";
import { storageSettings } from "./on-s3.ts";

export const hashBytes = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A text file; the smallest thing that may be uploaded. */
export const createTxt = (text: string): Buffer => Buffer.from(text);

/** A PDF by its signature, different for each text. */
export const createPdf = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n% ${text}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`);

/** A whole EPUB, different for each title. */
export const createEpub = (title: string): Promise<Buffer> =>
  makeEpub({ languageCode: "en", direction: "ltr", title, description: "", paragraphs: [title] });

/** What the store of a data folder holds: names below `files`, with their folders, and their contents; not what is set aside. */
async function readStoredFiles(dataDir: string): Promise<Map<string, Buffer>> {
  if (inject("s3")) {
    const { readContents } = await import("./s3-bucket.ts");
    return readContents(storageSettings(dataDir));
  }
  const files = join(dataDir, "files");
  const entries = existsSync(files) ? readdirSync(files, { recursive: true, withFileTypes: true }) : [];
  const paths = entries
    .filter(
      (entry) => !entry.isDirectory() && !isApart(join(entry.parentPath, entry.name).slice(files.length + 1)),
    )
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(files.length + 1), readFileSync(path)]));
}

const isApart = (path: string): boolean => path === "service-id" || path.startsWith("removed");

/** The names below `files`, sorted. */
export const listStoredNames = async (dataDir: string): Promise<string[]> =>
  [...(await readStoredFiles(dataDir)).keys()].sort();

/** How many bytes the store holds. */
export const sumStoredBytes = async (dataDir: string): Promise<number> =>
  (await readStoredFiles(dataDir)).values().reduce((sum, { length }) => sum + length, 0);

/**
 * The store holds exactly these contents, each once and under the name of its hash, and nothing is left of an upload
 * that is over.
 */
export async function expectStored(dataDir: string, ...contents: readonly Buffer[]): Promise<void> {
  const expected = [...new Set(contents.map(hashBytes))].map((hash) => join(hash.slice(0, 2), hash));
  const stored = await readStoredFiles(dataDir);
  expect([...stored.keys()].sort()).toEqual(expected.sort());
  for (const [name, bytes] of stored) expect(hashBytes(bytes)).toBe(name.slice(3));
}

/** An hour later, what was released before is removed. What was replaced stays. */
export async function removeReleased({
  clock,
  container,
}: Pick<TestApp, "clock" | "container">): Promise<void> {
  clock.advance(HOUR);
  await container.released.run();
}

/** Replaces the stored bytes of a file, as a failing disk or store does; the file keeps its name. */
export async function replaceStored(dataDir: string, sha256: string, bytes: Buffer): Promise<void> {
  const path = join("files", sha256.slice(0, 2), sha256);
  if (inject("s3")) {
    const { openBucket } = await import("./s3-bucket.ts");
    return openBucket(storageSettings(dataDir)).upload(path, Readable.from([bytes]));
  }
  await writeFile(join(dataDir, path), bytes);
}
