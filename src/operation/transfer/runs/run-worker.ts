/** The worker thread that runs imports: it decides by the rules, and asks the service for each write. */
import { openReaders } from "../../../db/open-database.ts";
import { createWorkerHandler } from "../../../db/workers/worker-handler.ts";
import { OperatorError } from "../../../errors.ts";
import { createCatalogueRepositories } from "../../../repositories/index.ts";
import { LibraryImport } from "../import.ts";
import { MissingLanguagesError } from "../language-codes.ts";
import type { PlanData } from "../plans/plan-worker.ts";
import { PlannedFilesReader } from "../plans/planned-files.ts";
import { type LibraryRequest, openPlannedLibrary, readRules } from "../plans/planned-library.ts";
import { describeResult } from "./describe-result.ts";
import { RemoteTarget } from "./remote-target.ts";

export interface RunQuestion extends LibraryRequest {
  createsLanguages: boolean;
  /** Whether new books are archived. */
  archives: boolean;
  port: MessagePort;
  /** Its first byte is 1 when no further book may begin. */
  stop: Uint8Array;
}

/** The result as JSON: it can have megabytes. The objection is a sentence. */
export type RunOutcome = { result: string } | { objection: string } | { missingLanguages: readonly string[] };

export default createWorkerHandler((data: PlanData) => ({
  respond: (question: RunQuestion) => respondWithResult(question, data),
  close() {},
}));

async function respondWithResult(
  question: RunQuestion,
  { source, cloudAllowHosts }: PlanData,
): Promise<RunOutcome> {
  const { db } = await openReaders(source);
  const { port, stop, createsLanguages } = question;
  try {
    const reads = createCatalogueRepositories(db);
    const target = new RemoteTarget({ reads, cloudAllowHosts, createsLanguages, port });
    const { known, read, completeTexts, ...facts } = await openPlannedLibrary(question, db);
    const progress = { files: 0, books: 0 };
    const run = new LibraryImport(
      { target, reader: new PlannedFilesReader(known), progress: { begin() {}, end() {} }, completeTexts },
      {
        isDryRun: false,
        ...readRules(question.rules),
        onlyLanguages: false,
        languagesCommand: "",
        archives: question.archives,
        isStopped: () => Atomics.load(stop, 0) === 1,
        onBook({ wanted, knownFiles }) {
          progress.books += 1;
          progress.files += wanted.files.length + knownFiles.length;
          target.report(progress);
        },
      },
    );
    const report = await run.run(read);
    const isStopped = Atomics.load(stop, 0) === 1;
    const result = describeResult(report, { ...facts, catalogue: question.catalogue?.name, isStopped });
    return { result: JSON.stringify(result) };
  } catch (error) {
    if (error instanceof MissingLanguagesError) return { missingLanguages: error.codes };
    if (error instanceof OperatorError) return { objection: error.message };
    throw error;
  } finally {
    port.close();
    await db.destroy();
  }
}
