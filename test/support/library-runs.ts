/** Imports and exports of folders by the command's own classes, for the tests of any runner. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { silent } from "../../src/operation/progress.ts";
import { DirectTarget } from "../../src/operation/transfer/direct-target.ts";
import { findCoverError } from "../../src/operation/transfer/explain-error.ts";
import { LibraryExport } from "../../src/operation/transfer/export.ts";
import { type ImportOptions, LibraryImport } from "../../src/operation/transfer/import.ts";
import type { MetadataReader } from "../../src/operation/transfer/metadata/metadata-reader.ts";
import { readLibrary } from "../../src/operation/transfer/open-source.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";
import type { TestApp } from "./service.ts";

export type Files = Record<string, Buffer | string>;

/** What the command makes of a folder. */
export async function runImport(
  { container }: Pick<TestApp, "container">,
  folder: string,
  { reader, ...given }: Partial<ImportOptions> & { reader: MetadataReader },
) {
  const target = new DirectTarget({ ...container, maxUploadBytes: container.config.maxUploadBytes });
  const options = {
    isDryRun: false,
    overwrites: false,
    onlyLanguages: false,
    languagesCommand: "",
    ...given,
  };
  const source = { folder, catalogue: undefined, grouping: "auto", languageCode: undefined } as const;
  const run = new LibraryImport(
    {
      target,
      reader,
      progress: silent,
      findCoverError: (cover) => findCoverError(cover, container.images),
    },
    options,
  );
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
  using folder = temporaryFolder("bds-export");
  await new LibraryExport({ ...container, progress: silent }, folder.path).run();
  const { "catalogue.json": catalogue = "", ...files } = readFolder(folder.path);
  const { languages, books } = JSON.parse(catalogue.toString());
  const bySlug = (one: { slug: string }, other: { slug: string }) => (one.slug < other.slug ? -1 : 1);
  return {
    languages,
    books: books.toSorted(bySlug),
    files: Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, hash("sha256", bytes)])),
  };
}
