/** The worker thread that makes plans: the dry run of an import, on files that are known by their hashes. */
import { posix } from "node:path";
import { workerData } from "node:worker_threads";
import type { DatabaseSource } from "../../../db/database.ts";
import type { Db } from "../../../db/kysely.ts";
import { openReaders } from "../../../db/open-database.ts";
import { createWorkerHandler } from "../../../db/workers/worker-handler.ts";
import { OperatorError } from "../../../errors.ts";
import { splitIntoBatches } from "../../../lib/collections.ts";
import { ExaminedFilesRepository } from "../../../repositories/examined-files.repository.ts";
import { createCatalogueRepositories } from "../../../repositories/index.ts";
import { type Examination, storedExamination } from "../../../schemas/examinations.schemas.ts";
import type { ImportPlan, ImportPlanRequest } from "../../../schemas/imports.schemas.ts";
import { CatalogueFolder } from "../catalogue-folder.ts";
import { readCatalogueLibrary } from "../catalogue-source.ts";
import { readFolderLibrary } from "../folder-source.ts";
import { LibraryImport } from "../import.ts";
import type { BookFile, Library } from "../library.ts";
import { isHidden, type LocalFile } from "../local-files.ts";
import type { SheetTexts } from "../metadata/metadata-messages.ts";
import { describeOtherSheets, readTableLibrary, remarkOnOthers } from "../open-source.ts";
import type { SourceDeps } from "../source.ts";
import { readCsv, readSheet } from "../spreadsheet/table.ts";
import { describePlan } from "./describe-plan.ts";
import {
  describeFile,
  findInList,
  type KnownFile,
  type KnownFiles,
  PlannedFilesReader,
} from "./planned-files.ts";
import { ReadingTarget } from "./reading-target.ts";

export interface PlanData {
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
}

export interface PlannedCatalogue {
  name: string;
  /** Of a workbook its first sheet, otherwise the bytes of JSON or CSV. */
  content: { sheet: SheetTexts } | { bytes: Uint8Array };
  ignoreUnknownColumns: boolean;
}

export interface PlanQuestion extends Omit<ImportPlanRequest, "catalogue"> {
  catalogue: PlannedCatalogue | undefined;
}

/** The objection is about the catalogue, as a sentence. */
export type PlanOutcome = { plan: ImportPlan } | { objection: string };

const OPTIONS = { isDryRun: true, overwrites: false, onlyLanguages: false, languagesCommand: "" };
const HASHES_AT_ONCE = 1000;

export default createWorkerHandler(async (request: PlanQuestion): Promise<PlanOutcome> => {
  const { source, cloudAllowHosts }: PlanData = workerData;
  const { db } = await openReaders(source);
  try {
    return { plan: await createPlan(request, db, cloudAllowHosts) };
  } catch (error) {
    if (error instanceof OperatorError) return { objection: error.message };
    throw error;
  } finally {
    await db.destroy();
  }
});

async function createPlan(
  { files: given, catalogue, detailsOf }: PlanQuestion,
  db: Db,
  cloudAllowHosts: readonly string[],
): Promise<ImportPlan> {
  const paths = given.map(({ path }) => path);
  const hidden = new Set(paths.filter((path) => path.split("/").some(isHidden)));
  const known = await readKnown(new Set(given.map(({ sha256 }) => sha256)), db);
  const files = given
    .filter(({ path }) => !hidden.has(path))
    .map((file) => describeFile(file, known))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const target = new ReadingTarget(createCatalogueRepositories(db), cloudAllowHosts);
  const progress = { begin() {}, end() {} };
  const run = new LibraryImport({ target, reader: new PlannedFilesReader(known), progress }, OPTIONS);
  const detailed = new Set(detailsOf);
  const report = await run.run(async (deps) => {
    const library = await readLibrary(files, catalogue, deps);
    const ofDetailed = library.books.filter(({ slug }) => detailed.has(slug)).flatMap((book) => book.files);
    await readDescriptions(ofDetailed, db);
    return library;
  });
  const changed = report.plans.filter(({ item }) => item !== undefined);
  const found = await target.findErrors(changed.flatMap(({ item }) => item ?? []));
  const errors = new Map(changed.map((plan, index) => [plan, found[index] ?? []]));
  return describePlan(report, { paths, catalogue: catalogue?.name, hidden: [...hidden], errors, detailed });
}

async function readKnown(hashes: ReadonlySet<string>, db: Db): Promise<KnownFiles> {
  const examinedFiles = new ExaminedFilesRepository(db);
  const known = new Map<string, KnownFile>();
  for (const batch of splitIntoBatches([...hashes], HASHES_AT_ONCE)) {
    for (const { sha256, sizeBytes, examination } of await examinedFiles.list(batch))
      known.set(sha256, { sizeBytes, examination: readExamination(examination) });
  }
  return known;
}

/** Whether there is a description matters, and not its end: ten thousand whole ones take hundreds of megabytes. */
const MAX_DESCRIPTION = 100;

function readExamination(text: string): Examination {
  const found = storedExamination.parse(JSON.parse(text));
  const { metadata } = found;
  const description = metadata?.description?.slice(0, MAX_DESCRIPTION).toWellFormed() ?? null;
  return { ...found, metadata: metadata && { ...metadata, description } };
}

/** For the descriptions of detailed books; those of fifty books are far below. */
const MAX_DESCRIPTIONS = 4 * 1024 * 1024;

/** In full, in place of their beginnings. */
async function readDescriptions(files: readonly BookFile[], db: Db): Promise<void> {
  const examinedFiles = new ExaminedFilesRepository(db);
  let room = MAX_DESCRIPTIONS;
  for (const batch of splitIntoBatches(files, HASHES_AT_ONCE)) {
    const hashes = batch.flatMap(({ file: { sha256 } }) => sha256 ?? []);
    const found = new Map<string | undefined, string | undefined>();
    for (const { sha256, examination } of hashes.length > 0 ? await examinedFiles.list(hashes) : []) {
      const { metadata } = storedExamination.parse(JSON.parse(examination));
      room -= metadata?.description?.length ?? 0;
      found.set(sha256, room < 0 ? undefined : (metadata?.description ?? undefined));
    }
    for (const file of batch) file.metadata = { ...file.metadata, description: found.get(file.file.sha256) };
  }
}

async function readLibrary(
  files: readonly LocalFile[],
  catalogue: PlannedCatalogue | undefined,
  deps: SourceDeps,
): Promise<Library> {
  if (!catalogue) return readFolderLibrary(files, { grouping: "auto", languageCode: undefined }, deps);
  const { name: path } = catalogue;
  const parent = posix.dirname(path.replaceAll("\\", "/"));
  const folder = new CatalogueFolder(findInList(files, parent));
  const library = await readCatalogue(catalogue, folder, deps);
  const named = [path, ...deps.failures.map(({ subject }) => posix.join(parent, subject))];
  remarkOnOthers(files, library, named, deps.remarks);
  return library;
}

function readCatalogue(
  { name: path, content, ignoreUnknownColumns }: PlannedCatalogue,
  folder: CatalogueFolder,
  deps: SourceDeps,
): Promise<Library> {
  if ("sheet" in content) {
    deps.notices.push(...describeOtherSheets(content.sheet, path));
    return readTableLibrary(readSheet(content.sheet.lines, path), folder, ignoreUnknownColumns, deps);
  }
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
  return path.toLowerCase().endsWith(".csv")
    ? readTableLibrary(readCsv(bytes, path), folder, ignoreUnknownColumns, deps)
    : readCatalogueLibrary({ path, folder, bytes }, deps);
}
