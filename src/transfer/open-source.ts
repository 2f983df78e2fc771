/** Chooses how a folder is read: with a catalogue, a spreadsheet, or by its paths. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { OperatorError } from "../errors.ts";
import { withFiles } from "./catalogue-files.ts";
import { type CatalogueFile, catalogueLibrary, MAX_CATALOGUE_BYTES } from "./catalogue-source.ts";
import { type FolderOptions, folderLibrary } from "./folder-source.ts";
import type { Library } from "./library.ts";
import {
  fileBelow,
  filesBelow,
  readNamedFile,
  readSmallFile,
  realFolder,
  UnusableFileError,
} from "./local-files.ts";
import type { Remark } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";
import { booksOfTable } from "./spreadsheet/books.ts";
import { readCsv } from "./spreadsheet/table.ts";

export interface SourceOptions extends FolderOptions {
  folder: string;
  /** A JSON or CSV file; by default `catalogue.json` or `catalogue.csv` in the folder, if there is one. */
  catalogue: string | undefined;
  /** Whether columns of a spreadsheet that aren't known are left out. */
  ignoresUnknownColumns?: boolean | undefined;
}

const USUAL_NAMES = ["catalogue.json", "catalogue.csv"];

/** @throws OperatorError if the folder or the catalogue can't be read */
export async function readLibrary(options: SourceOptions, deps: SourceDeps): Promise<Library> {
  const catalogue = await catalogueOf(options);
  if (!catalogue) {
    const files = await filesBelow(await realFolder(options.folder), (subject, reason) => {
      deps.failures.push({ subject, reason });
    });
    return folderLibrary(files, options, deps);
  }
  const library = await readCatalogue(catalogue, options, deps);
  await remarkOnUnnamed(options.folder, catalogue, library, deps);
  return library;
}

async function readCatalogue(
  catalogue: CatalogueFile,
  options: SourceOptions,
  deps: SourceDeps,
): Promise<Library> {
  if (!/\.csv$/i.test(catalogue.path)) return catalogueLibrary(catalogue, deps);
  const table = readCsv(catalogue.bytes, catalogue.path);
  const books = booksOfTable(table, options.ignoresUnknownColumns ?? false, deps);
  const titleField = `a column title_en in ${basename(catalogue.path)}`;
  return { languages: [], titleField, ...(await withFiles(catalogue.folder, books, deps)) };
}

/** Adds the files of the folder that neither a book of the catalogue nor a failure names. */
async function remarkOnUnnamed(
  given: string,
  catalogue: CatalogueFile,
  { books }: Library,
  { failures, remarks }: SourceDeps,
): Promise<void> {
  const named = new Set([
    join(catalogue.folder, basename(catalogue.path)),
    ...books.flatMap(({ files, covers }) => [...files, ...covers]).map(({ file }) => file.path),
    ...failures.map(({ subject }) => join(catalogue.folder, subject)),
  ]);
  try {
    // A link is no file that was forgotten.
    const files = await filesBelow(await realFolder(given), () => {});
    const unnamed = files.filter(({ path }) => !named.has(path));
    remarks.push(...unnamed.map(({ place }): Remark => ({ kind: "notInCatalogue", subject: place })));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    remarks.push({ kind: "notCompared", subject: error.message });
  }
}

/** The one that the operator names can be a link; one that comes with the folder can't. */
async function catalogueOf(options: SourceOptions): Promise<CatalogueFile | undefined> {
  if (options.catalogue !== undefined) {
    const path = resolve(options.catalogue);
    const bytes = await readNamedFile(path, MAX_CATALOGUE_BYTES);
    return { path, folder: await realFolder(dirname(path)), bytes };
  }
  const folder = await realFolder(options.folder);
  const path = USUAL_NAMES.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (path === undefined) return undefined;
  try {
    const file = await fileBelow(folder, basename(path));
    return { path, folder, bytes: await readSmallFile(file, MAX_CATALOGUE_BYTES) };
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    throw new OperatorError(`${path} can't be read. ${error.message}`);
  }
}
