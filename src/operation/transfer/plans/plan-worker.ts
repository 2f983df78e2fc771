/** The worker thread that makes plans: the dry run of an import, on files that are known by their hashes. */
import type { DatabaseSource } from "../../../db/database.ts";
import type { Db } from "../../../db/kysely.ts";
import { openReaders } from "../../../db/open-database.ts";
import { createWorkerHandler } from "../../../db/workers/worker-handler.ts";
import { OperatorError } from "../../../errors.ts";
import { createCatalogueRepositories } from "../../../repositories/index.ts";
import type { ImportPlan } from "../../../schemas/imports.schemas.ts";
import { LibraryImport } from "../import.ts";
import { ColumnsError, type UnknownColumn } from "../spreadsheet/columns.ts";
import type { WantedCover } from "../wanted.ts";
import { describePlan } from "./describe-plan.ts";
import { PlannedFilesReader } from "./planned-files.ts";
import { type LibraryRequest, openPlannedLibrary, readRules } from "./planned-library.ts";
import { ReadingTarget } from "./reading-target.ts";

export interface PlanData {
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
}

/**
 * The objection is about the catalogue, as a sentence.
 * `untriedCovers`: hashes of files whose covers known books lack, without knowing whether they can be used
 */
export type PlanOutcome = { plan: ImportPlan; untriedCovers: string[] } | Objection;

interface Objection {
  objection: string;
  /** Those of a spreadsheet that are unknown. */
  columns: readonly UnknownColumn[];
}

const OPTIONS = { isDryRun: true, onlyLanguages: false, languagesCommand: "" };

export default createWorkerHandler((data: PlanData) => ({
  respond: (request: LibraryRequest) => respondWithPlan(request, data),
  close() {},
}));

async function respondWithPlan(
  request: LibraryRequest,
  { source, cloudAllowHosts }: PlanData,
): Promise<PlanOutcome> {
  const { db } = await openReaders(source);
  try {
    return await createPlan(request, db, cloudAllowHosts);
  } catch (error) {
    if (error instanceof OperatorError)
      return { objection: error.message, columns: error instanceof ColumnsError ? error.unknown : [] };
    throw error;
  } finally {
    await db.destroy();
  }
}

async function createPlan(
  request: LibraryRequest,
  db: Db,
  cloudAllowHosts: readonly string[],
): Promise<PlanOutcome> {
  const { known, read, completeTexts, ...facts } = await openPlannedLibrary(request, db);
  const target = new ReadingTarget(createCatalogueRepositories(db), cloudAllowHosts);
  const progress = { begin() {}, end() {} };
  const untried = new Set<string>();
  const findCoverError = async ({ sha256 = "" }: WantedCover) => {
    const coverError = known.get(sha256)?.examination.coverError;
    if (coverError === undefined) untried.add(sha256);
    return coverError ?? undefined;
  };
  const reader = new PlannedFilesReader(known);
  const run = new LibraryImport(
    { target, reader, progress, completeTexts, findCoverError },
    {
      ...OPTIONS,
      ...readRules(request.rules),
    },
  );
  const report = await run.run(read);
  const changed = report.plans.filter(({ item }) => item !== undefined);
  const found = await target.findErrors(changed.flatMap(({ item }) => item ?? []));
  const errors = new Map(changed.map((plan, index) => [plan, found[index] ?? []]));
  const plan = describePlan(report, { ...facts, catalogue: request.catalogue?.name, errors });
  return { plan, untriedCovers: [...untried] };
}
