/** Imports in tests: by the command's own classes, and as a program does them over the API. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { silent } from "../../src/operation/progress.ts";
import { DirectTarget } from "../../src/operation/transfer/direct-target.ts";
import { LibraryExport } from "../../src/operation/transfer/export.ts";
import { LibraryImport } from "../../src/operation/transfer/import.ts";
import type { MetadataReader } from "../../src/operation/transfer/metadata/metadata-reader.ts";
import { readLibrary } from "../../src/operation/transfer/open-source.ts";
import type { ImportPlan } from "../../src/schemas/imports.schemas.ts";
import { startApp, type TestApp } from "./app.ts";
import { hashBytes } from "./stored-files.ts";
import { createTempFolder } from "./temp-folder.ts";

export const PLANS = "/api/admin/imports/plans";

export type Files = Record<string, Buffer | string>;

export async function startImports() {
  const app = await startApp();
  const client = await app.admin();
  const examine = async (bytes: Buffer, name: string) => {
    const response = await client.upload("post", "/api/admin/files/examine", { file: { bytes, name } });
    expect(response.status).toBe(200);
  };
  const send = (files: Files, more: object = {}) =>
    client.post(PLANS, {
      files: Object.entries(files).map(([path, content]) => ({
        path,
        sha256: hashBytes(Buffer.from(content)),
      })),
      ...more,
    });
  /** Examines what isn't empty, and plans. */
  const plan = async (files: Files, more: object = {}): Promise<ImportPlan> => {
    for (const [path, content] of Object.entries(files))
      if (content.length > 0) await examine(Buffer.from(content), path.replace(/^.*\//, ""));
    const response = await send(files, more);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body;
  };
  return { ...app, app, client, examine, send, plan };
}

/** What the command makes of a folder. */
export async function runImport(
  { container }: Pick<TestApp, "container">,
  folder: string,
  { isDryRun = false, reader }: { isDryRun?: boolean; reader: MetadataReader },
) {
  const target = new DirectTarget({ ...container, maxUploadBytes: container.config.maxUploadBytes });
  const options = { isDryRun, overwrites: false, onlyLanguages: false, languagesCommand: "" };
  const source = { folder, catalogue: undefined, grouping: "auto", languageCode: undefined } as const;
  const run = new LibraryImport({ target, reader, progress: silent }, options);
  return run.run((deps) => readLibrary(source, deps));
}

/** The files below a folder by their paths, with slashes. */
export function readFolder(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)]),
  );
}

/** Everything that an export has, with the hashes of the files. */
export async function exportAll({ container }: Pick<TestApp, "container">) {
  const folder = createTempFolder();
  await new LibraryExport({ ...container, progress: silent }, folder).run();
  const { "catalogue.json": catalogue = "", ...files } = readFolder(folder);
  const { languages, books } = JSON.parse(catalogue.toString());
  const bySlug = (one: { slug: string }, other: { slug: string }) => (one.slug < other.slug ? -1 : 1);
  return {
    languages,
    books: books.toSorted(bySlug),
    files: Object.fromEntries(
      Object.entries(files).map(([path, bytes]) => [path, hashBytes(Buffer.from(bytes))]),
    ),
  };
}
