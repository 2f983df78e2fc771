/** Imports and exports of folders by the command's own classes, for the tests of any runner. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AdminClient } from "../../src/adapters/admin-client.ts";
import { columnsOf } from "../../src/db/schema.ts";
import { silent } from "../../src/operation/progress.ts";
import { DirectTarget } from "../../src/operation/transfer/direct-target.ts";
import { findCoverError } from "../../src/operation/transfer/explain-error.ts";
import { LibraryExport } from "../../src/operation/transfer/export.ts";
import { type ImportOptions, LibraryImport } from "../../src/operation/transfer/import.ts";
import type { MetadataReader } from "../../src/operation/transfer/metadata/metadata-reader.ts";
import { readLibrary, type SourceOptions } from "../../src/operation/transfer/open-source.ts";
import { RemoteImport } from "../../src/operation/transfer/remote/remote-import.ts";
import { readSentFolder } from "../../src/operation/transfer/remote/sent-folder.ts";
import { formatNewForReaders, importSummary } from "../../src/operation/transfer/report.ts";
import { addressOf } from "../../tools/lib/listening.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";
import { PASSWORD } from "./factory.ts";
import type { TestApp } from "./service.ts";

export type Files = Record<string, Buffer | string>;

interface RunOptions extends Partial<ImportOptions> {
  reader: MetadataReader;
  source?: Partial<SourceOptions>;
}

/** What the command makes of a folder. */
export async function runImport(
  { container }: Pick<TestApp, "container">,
  folder: string,
  { reader, source, ...given }: RunOptions,
) {
  const target = new DirectTarget({ ...container, maxUploadBytes: container.config.maxUploadBytes });
  const options = {
    isDryRun: false,
    overwrites: false,
    onlyLanguages: false,
    languagesCommand: "",
    ...given,
  };
  const place = {
    folder,
    catalogue: undefined,
    grouping: "auto",
    languageCode: undefined,
    ...source,
  } as const;
  const run = new LibraryImport(
    {
      target,
      reader,
      progress: silent,
      findCoverError: (cover) => findCoverError(cover, container.images),
    },
    options,
  );
  return run.run((deps) => readLibrary(place, deps));
}

interface RemoteOptions {
  catalogue?: string;
  archived?: boolean;
  isDryRun?: boolean;
  ignoreUnknownColumns?: boolean;
}

/** What the command makes of a folder over HTTP, as a new user. */
export async function runRemoteImport(
  { server, make }: Pick<TestApp, "server" | "make">,
  folder: string,
  { catalogue, archived = false, isDryRun = false, ignoreUnknownColumns = false }: RemoteOptions = {},
) {
  const { email } = await make.user("editor");
  const client = await AdminClient.logIn(new URL(addressOf(server)), email, PASSWORD);
  const said: string[] = [];
  const run = new RemoteImport(
    { client, progress: silent, say: (line) => said.push(line) },
    {
      rules: {},
      ignoreUnknownColumns,
      archived,
      isDryRun,
      onlyLanguages: false,
      createsLanguages: true,
      languagesCommand: "",
      announce: ({ books }) => formatNewForReaders(books, archived),
    },
  );
  const report = await run.run(await readSentFolder({ folder, catalogue }, silent));
  return { report, said, summary: importSummary(report, isDryRun) };
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

const LIBRARY_TABLES = ["languages", "books", "translations", "book_files", "covers", "contents"] as const;

/** Differs between services: when and by whom it was written, and its identifier. */
const OF_ITS_OWN = /^(?:id|createdAt|updatedAt|archivedAt|archivedBy)$/;

/** All rows of a library, with codes and slugs in place of identifiers. */
export async function readLibraryRows({ container: { database } }: Pick<TestApp, "container">) {
  const names = new Map<unknown, string>();
  for (const { id, code } of await database.read.selectFrom("languages").select(["id", "code"]).execute())
    names.set(id, code);
  for (const { id, slug } of await database.read.selectFrom("books").select(["id", "slug"]).execute())
    names.set(id, slug);
  const describe = ([column, value]: [string, unknown]) => {
    if (/^(?:bookId|languageId|parentId)$/.test(column)) return [column, names.get(value) ?? null];
    // It has the identifier of the book in it.
    return column === "coverImagePath" ? [column, value !== null] : [column, value];
  };
  const tables = LIBRARY_TABLES.map(async (table) => {
    const rows = await database.read.selectFrom(table).select(columnsOf(table)).execute();
    const described = rows.map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([column]) => !OF_ITS_OWN.test(column))
          .map(describe),
      ),
    );
    return [table, described.sort()];
  });
  return Object.fromEntries(await Promise.all(tables));
}
