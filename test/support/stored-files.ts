/** What lies in the file store, and small files of each kind to put there. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { makeEpub } from "../../tools/demo/epub.ts";

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A text file; the smallest thing that may be uploaded. */
export const txt = (text: string): Buffer => Buffer.from(text);

/** A PDF by its signature, different for each text. */
export const pdf = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n% ${text}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`);

/** A whole EPUB, different for each title. */
export const epub = (title: string): Promise<Buffer> =>
  makeEpub({ languageCode: "en", direction: "ltr", title, description: "", paragraphs: [title] });

/** Names below `files`, with their folders. */
function storedNames(dataDir: string): string[] {
  const files = join(dataDir, "files");
  const entries = existsSync(files) ? readdirSync(files, { recursive: true, withFileTypes: true }) : [];
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(files.length + 1));
}

/** How many bytes the store holds. */
export const bytesStored = (dataDir: string): number =>
  storedNames(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, "files", name)).size, 0);

/**
 * The store holds exactly these contents, each once and under the name of its hash, and nothing is left of an upload
 * that is over.
 */
export function expectStored(dataDir: string, ...contents: readonly Buffer[]): void {
  const expected = [...new Set(contents.map(sha256Of))].map((hash) => join(hash.slice(0, 2), hash));
  const stored = storedNames(dataDir);
  expect(stored.sort()).toEqual(expected.sort());
  for (const name of stored) expect(sha256Of(readFileSync(join(dataDir, "files", name)))).toBe(name.slice(3));
}
