/** The worker thread that makes plans: the dry run of an import, on files that are known by their hashes. */
import { workerData } from "node:worker_threads";
import type { DatabaseSource } from "../../../db/database.ts";
import type { Db } from "../../../db/kysely.ts";
import { openReaders } from "../../../db/open-database.ts";
import { createWorkerHandler } from "../../../db/workers/worker-handler.ts";
import { OperatorError } from "../../../errors.ts";
import { createCatalogueRepositories } from "../../../repositories/index.ts";
import type { ImportPlan } from "../../../schemas/imports.schemas.ts";
import { LibraryImport } from "../import.ts";
import { describePlan } from "./describe-plan.ts";
import { PlannedFilesReader } from "./planned-files.ts";
import { type LibraryRequest, openPlannedLibrary, readDescriptions, readRules } from "./planned-library.ts";
import { ReadingTarget } from "./reading-target.ts";

export interface PlanData {
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
}

export interface PlanQuestion extends LibraryRequest {
  detailsOf?: readonly string[] | undefined;
}

/** The objection is about the catalogue, as a sentence. */
export type PlanOutcome = { plan: ImportPlan } | { objection: string };

const OPTIONS = { isDryRun: true, onlyLanguages: false, languagesCommand: "" };

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
  { detailsOf, ...request }: PlanQuestion,
  db: Db,
  cloudAllowHosts: readonly string[],
): Promise<ImportPlan> {
  const { known, read, ...facts } = await openPlannedLibrary(request, db);
  const target = new ReadingTarget(createCatalogueRepositories(db), cloudAllowHosts);
  const progress = { begin() {}, end() {} };
  const run = new LibraryImport(
    { target, reader: new PlannedFilesReader(known), progress },
    { ...OPTIONS, ...readRules(request.rules) },
  );
  const detailed = new Set(detailsOf);
  const report = await run.run(async (deps) => {
    const library = await read(deps);
    const ofDetailed = library.books.filter(({ slug }) => detailed.has(slug)).flatMap((book) => book.files);
    await readDescriptions(ofDetailed, db);
    return library;
  });
  const changed = report.plans.filter(({ item }) => item !== undefined);
  const found = await target.findErrors(changed.flatMap(({ item }) => item ?? []));
  const errors = new Map(changed.map((plan, index) => [plan, found[index] ?? []]));
  return describePlan(report, { ...facts, catalogue: request.catalogue?.name, errors, detailed });
}
