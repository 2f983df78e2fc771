/** Chooses how a folder is read: with a catalogue, a spreadsheet, or by its paths. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { catalogueLibrary, MAX_CATALOGUE_BYTES, withFiles } from "./catalogue-source.ts";
import { type FolderOptions, folderLibrary, type SourceDeps } from "./folder-source.ts";
import type { Library } from "./library.ts";
import { filesBelow, readSmallFile } from "./local-files.ts";
import { spreadsheetBooks } from "./spreadsheet.ts";

export interface SourceOptions extends FolderOptions {
  folder: string;
  /** A JSON or CSV file; by default `catalogue.json` or `catalogue.csv` in the folder, if there is one. */
  catalogue: string | undefined;
}

const USUAL_NAMES = ["catalogue.json", "catalogue.csv"];

/** @throws OperatorError if the folder or the catalogue can't be read */
export async function readLibrary(options: SourceOptions, deps: SourceDeps): Promise<Library> {
  const folder = resolve(options.folder);
  const usual = USUAL_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  const catalogue = options.catalogue === undefined ? usual : resolve(options.catalogue);
  if (catalogue === undefined) return folderLibrary(await filesBelow(folder), options, deps);
  if (!/\.csv$/i.test(catalogue)) return catalogueLibrary(catalogue, deps);
  const bytes = await readSmallFile(catalogue, MAX_CATALOGUE_BYTES);
  const books = spreadsheetBooks(bytes, catalogue, deps.failures);
  return { languages: [], books: await withFiles(dirname(catalogue), books, deps) };
}
