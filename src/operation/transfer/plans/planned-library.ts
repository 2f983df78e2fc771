/** The files and the catalogue of a plan or an import, with what is corrected of them, as a library that the rules read. */
import { posix } from "node:path";
import type { Db } from "../../../db/kysely.ts";
import { splitIntoBatches } from "../../../lib/collections.ts";
import { isHiddenPath } from "../../../lib/hidden-names.ts";
import { ExaminedFilesRepository } from "../../../repositories/examined-files.repository.ts";
import { storedExamination } from "../../../schemas/examinations.schemas.ts";
import type { ImportCorrection } from "../../../schemas/import-corrections.schemas.ts";
import type { ImportRules } from "../../../schemas/import-rules.schemas.ts";
import type { PlannedFile } from "../../../schemas/imports.schemas.ts";
import { CatalogueFolder } from "../catalogue-folder.ts";
import { readCatalogueLibrary } from "../catalogue-source.ts";
import { readFolderLibrary } from "../folder-source.ts";
import type { BookFile, Library } from "../library.ts";
import type { LocalFile } from "../local-files.ts";
import type { SheetTexts } from "../metadata/metadata-messages.ts";
import { noteOtherSheets, readTableLibrary, remarkOnOthers } from "../open-source.ts";
import type { SourceDeps } from "../source.ts";
import { correctTable } from "../spreadsheet/correct-table.ts";
import { readCsv, readSheet, type Table } from "../spreadsheet/table.ts";
import { describeFile, findInList, type KnownFile, type KnownFiles } from "./planned-files.ts";

export interface PlannedCatalogue {
  name: string;
  /** Of a workbook its first sheet, otherwise the bytes of JSON or CSV. */
  content: { sheet: SheetTexts } | { bytes: Uint8Array };
  ignoreUnknownColumns: boolean;
}

export interface LibraryRequest {
  files: readonly PlannedFile[];
  catalogue: PlannedCatalogue | undefined;
  corrections?: readonly ImportCorrection[] | undefined;
  rules?: ImportRules | undefined;
}

interface Decided {
  catalogue: PlannedCatalogue | undefined;
  corrections: readonly ImportCorrection[];
  rules: ImportRules;
}

/** As the rules of an import take them. */
export const readRules = ({ overwrite, sameBook, keepKnown }: ImportRules = {}) => ({
  overwrites: overwrite ?? false,
  isSameBook: sameBook ?? false,
  keepsKnown: keepKnown ?? false,
});

const HASHES_AT_ONCE = 1000;

/** What a request describes, before it is read as a library. */
export async function openPlannedLibrary(
  { files: given, catalogue, corrections = [], rules = {} }: LibraryRequest,
  db: Db,
) {
  const byPath = new Map(corrections.map((correction) => [correction.path, correction]));
  const isLeftOut = (path: string) => byPath.get(path)?.leaveOut === true;
  const hidden = given.map(({ path }) => path).filter(isHiddenPath);
  const unseen = new Set(hidden);
  const shown = given.filter(({ path }) => !unseen.has(path));
  const known = await readKnown(new Set(given.map(({ sha256 }) => sha256)), db);
  const files = shown
    .filter(({ path }) => !isLeftOut(path) || catalogue !== undefined)
    .map((file) => describeFile(file, known, byPath.get(file.path)))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  return {
    hidden,
    known,
    paths: given.map(({ path }) => path),
    leftOut: shown.map(({ path }) => path).filter(isLeftOut),
    completeTexts: (ofBooks: readonly BookFile[]) => completeTexts(ofBooks, known, db),
    read: (deps: SourceDeps) => readLibrary(files, { catalogue, corrections, rules }, deps),
  };
}

async function readKnown(hashes: ReadonlySet<string>, db: Db): Promise<KnownFiles> {
  const examinedFiles = new ExaminedFilesRepository(db);
  const known = new Map<string, KnownFile>();
  for (const batch of splitIntoBatches([...hashes], HASHES_AT_ONCE)) {
    for (const { sha256, sizeBytes, examination } of await examinedFiles.list(batch))
      known.set(sha256, { sizeBytes, ...readExamination(examination) });
  }
  return known;
}

/** Of ten thousand files whole descriptions take hundreds of megabytes: those of a few books are read when they are planned. */
const MAX_DESCRIPTION = 100;

function readExamination(text: string): Pick<KnownFile, "examination" | "isCut"> {
  const found = storedExamination.parse(JSON.parse(text));
  const { metadata } = found;
  const whole = metadata?.description ?? null;
  const description = whole?.slice(0, MAX_DESCRIPTION).toWellFormed() ?? null;
  return {
    isCut: description !== whole,
    examination: { ...found, metadata: metadata && { ...metadata, description } },
  };
}

/** Gives files their whole descriptions, in place of their beginnings. */
async function completeTexts(files: readonly BookFile[], known: KnownFiles, db: Db): Promise<void> {
  const examinedFiles = new ExaminedFilesRepository(db);
  const cut = files.filter(({ file: { sha256 = "" } }) => known.get(sha256)?.isCut);
  for (const batch of splitIntoBatches(cut, HASHES_AT_ONCE)) {
    const hashes = new Set(batch.flatMap(({ file: { sha256 } }) => sha256 ?? []));
    const found = new Map<string | undefined, string | undefined>();
    for (const { sha256, examination } of await examinedFiles.list([...hashes])) {
      const { metadata } = storedExamination.parse(JSON.parse(examination));
      found.set(sha256, metadata?.description ?? undefined);
    }
    for (const file of batch) file.metadata = { ...file.metadata, description: found.get(file.file.sha256) };
  }
}

async function readLibrary(
  files: readonly LocalFile[],
  {
    catalogue,
    corrections,
    rules: { grouping = "auto", languageCode, keepKnown: keepsKnown = false },
  }: Decided,
  deps: SourceDeps,
): Promise<Library> {
  if (!catalogue) return readFolderLibrary(files, { grouping, languageCode, keepsKnown }, deps);
  const { name: path } = catalogue;
  const parent = posix.dirname(path.replaceAll("\\", "/"));
  const folder = new CatalogueFolder(findInList(files, parent));
  const library = await readCatalogue(catalogue, folder, corrections, deps);
  const named = [path, ...deps.failures.map(({ subject }) => posix.join(parent, subject))];
  const others = files.filter(({ correction }) => correction?.leaveOut !== true);
  remarkOnOthers(others, library, named, deps.remarks);
  return library;
}

function readCatalogue(
  { name: path, content, ignoreUnknownColumns }: PlannedCatalogue,
  folder: CatalogueFolder,
  corrections: readonly ImportCorrection[],
  deps: SourceDeps,
): Promise<Library> {
  const readTable = (table: Table) =>
    readTableLibrary(correctTable(table, corrections, deps.failures), folder, ignoreUnknownColumns, deps);
  if ("sheet" in content) {
    deps.notices.push(...noteOtherSheets(content.sheet, path));
    return readTable(readSheet(content.sheet.lines, path));
  }
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
  return path.toLowerCase().endsWith(".csv")
    ? readTable(readCsv(bytes, path))
    : readCatalogueLibrary({ path, folder, bytes }, deps);
}
