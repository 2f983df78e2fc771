/** Chooses how a folder is read: with a catalogue, a spreadsheet, or by its paths. */

import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { OperatorError } from "../../errors.ts";
import type { ImportNotice } from "../../schemas/import-notices.schemas.ts";
import { withFiles } from "./catalogue-files.ts";
import { type CatalogueFolder, openCatalogueFolder } from "./catalogue-folder.ts";
import { MAX_CATALOGUE_BYTES, readCatalogueLibrary } from "./catalogue-source.ts";
import { type FolderOptions, readFolderLibrary } from "./folder-source.ts";
import type { Library } from "./library.ts";
import {
  explainUnusable,
  findFileBelow,
  type LocalFile,
  listFilesBelow,
  readNamedFile,
  readSmallFile,
  resolveFolder,
  UnusableFileError,
} from "./local-files.ts";
import type { SheetTexts } from "./metadata/metadata-messages.ts";
import type { Remark } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";
import { readBooks } from "./spreadsheet/books.ts";
import { readCsv, readSheet, type Table } from "./spreadsheet/table.ts";

export interface SourceOptions extends FolderOptions {
  folder: string;
  /** A JSON, CSV or XLSX file; by default `catalogue.json`, `.csv` or `.xlsx` in the folder, if there is one. */
  catalogue: string | undefined;
  /** Whether columns of a spreadsheet that aren't known are left out. */
  ignoresUnknownColumns?: boolean | undefined;
}

const USUAL_NAMES = ["catalogue.json", "catalogue.csv", "catalogue.xlsx"];

/** @throws OperatorError if the folder or the catalogue can't be read */
export async function readLibrary(options: SourceOptions, deps: SourceDeps): Promise<Library> {
  const catalogue = await findCatalogue(options, deps);
  if (!catalogue) {
    const files = await listFilesBelow(await resolveFolder(options.folder), (subject, reason) => {
      deps.failures.push({ subject, reason });
    });
    return readFolderLibrary(files, options, deps);
  }
  const library = await explainUnusable(catalogue.path, readCatalogue(catalogue, options, deps));
  await remarkOnUnnamed(options.folder, catalogue, library, deps);
  return library;
}

async function readCatalogue(
  catalogue: Catalogue,
  options: SourceOptions,
  deps: SourceDeps,
): Promise<Library> {
  const { path } = catalogue;
  const folder = openCatalogueFolder(catalogue.folder);
  const table = await readTable(catalogue, deps);
  return table
    ? readTableLibrary(table, folder, options.ignoresUnknownColumns ?? false, deps)
    : readCatalogueLibrary({ path, folder, bytes: await readCatalogueBytes(catalogue) }, deps);
}

/** @throws OperatorError if the columns aren't those of a catalogue */
export async function readTableLibrary(
  table: Table,
  folder: CatalogueFolder,
  skipsUnknown: boolean,
  deps: SourceDeps,
): Promise<Library> {
  const books = readBooks(table, skipsUnknown, deps);
  const titleField = `a column title_en in ${basename(table.name)}`;
  return { languages: [], titleField, ...(await withFiles(folder, books, deps)) };
}

/** Adds the files of the folder that neither a book of the catalogue nor a failure names. */
async function remarkOnUnnamed(
  given: string,
  catalogue: Catalogue,
  library: Library,
  { failures, remarks }: SourceDeps,
): Promise<void> {
  try {
    // A link is no file that was forgotten.
    const files = await listFilesBelow(await resolveFolder(given), () => {});
    const others = [basename(catalogue.path), ...failures.map(({ subject }) => subject)];
    remarkOnOthers(
      files,
      library,
      others.map((place) => join(catalogue.folder, place)),
      remarks,
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    remarks.push({ kind: "notCompared", subject: error.message });
  }
}

/** @param named the paths of further files that aren't left out without a reason */
export function remarkOnOthers(
  files: readonly LocalFile[],
  { books }: Library,
  named: readonly string[],
  remarks: Remark[],
): void {
  const ofBooks = books.flatMap(({ files, covers }) => [...files, ...covers]).map(({ file }) => file.path);
  const known = new Set([...ofBooks, ...named]);
  const others = files.filter(({ path }) => !known.has(path));
  remarks.push(...others.map(({ place }): Remark => ({ kind: "notInCatalogue", subject: place })));
}

export interface Catalogue {
  /** For messages. */
  path: string;
  /** To which its paths are relative; without links. */
  folder: string;
  /** Undefined if the operator names it: then it can be a link, or a pipe. */
  file: LocalFile | undefined;
}

export async function findCatalogue(
  options: Pick<SourceOptions, "folder" | "catalogue">,
  { notices }: Pick<SourceDeps, "notices">,
): Promise<Catalogue | undefined> {
  if (options.catalogue !== undefined) {
    const path = resolve(options.catalogue);
    return { path, folder: await resolveFolder(dirname(path)), file: undefined };
  }
  const folder = await resolveFolder(options.folder);
  const names = (await readdir(folder)).filter((name) => USUAL_NAMES.includes(name.toLowerCase()));
  const [first, ...others] = names.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (first === undefined) return undefined;
  if (others.length > 0) {
    const message = `Read ${first}, not ${others.join(" and ")} beside it; --catalogue names another one.`;
    notices.push({ code: "other_catalogues", message, names: others });
  }
  const path = join(folder, first);
  return { path, folder, file: await explainUnusable(path, findFileBelow(folder, first)) };
}

const rankOf = (name: string): number => USUAL_NAMES.indexOf(name.toLowerCase());

/** @throws UnusableFileError for a spreadsheet of a kind that isn't read */
export function rejectOtherSpreadsheet(path: string): void {
  if (OTHER_SPREADSHEETS.has(extname(path).toLowerCase()))
    throw new UnusableFileError("Save it as XLSX, or as CSV in UTF-8.");
}

/** Undefined for JSON. */
async function readTable(catalogue: Catalogue, { reader, notices }: SourceDeps): Promise<Table | undefined> {
  const { path } = catalogue;
  const extension = extname(path).toLowerCase();
  rejectOtherSpreadsheet(path);
  if (extension === ".csv") return readCsv(await readCatalogueBytes(catalogue), path);
  if (extension !== ".xlsx") return undefined;
  const sheet = await reader.readSheet(await findFile(catalogue));
  notices.push(...noteOtherSheets(sheet, path));
  return readSheet(sheet.lines, path);
}

/** A notice if the workbook has others than the one that is read. */
export function noteOtherSheets({ name, others }: SheetTexts, path: string): ImportNotice[] {
  const unread = others.map((other) => `“${other}”`).join(", ");
  const message = `Read the first sheet of ${basename(path)}, “${name}”, and not ${unread}.`;
  return others.length > 0 ? [{ code: "other_sheets", message, names: [...others] }] : [];
}

const OTHER_SPREADSHEETS = new Set([".ods", ".xls", ".xlsb", ".xlsm", ".numbers"]);

export const readCatalogueBytes = ({ path, file }: Catalogue): Promise<Buffer> =>
  file ? readSmallFile(file, MAX_CATALOGUE_BYTES) : readNamedFile(path, MAX_CATALOGUE_BYTES);

async function findFile({ path, file }: Catalogue): Promise<LocalFile> {
  if (file) return file;
  const real = await resolveFolder(path);
  return findFileBelow(dirname(real), basename(real));
}
