/** Makes plans of imports in a worker thread, so that a folder of thousands of files delays no other request. */
import { clientHasLeft, FairQueue, findPresentUser } from "../../../adapters/fair-queue.ts";
import { readBytes } from "../../../adapters/file-types/zip.ts";
import type { Scheduler } from "../../../adapters/system.ts";
import type { DatabaseSource } from "../../../db/database.ts";
import { currentRequest } from "../../../db/request-scope.ts";
import { WorkerThread } from "../../../db/workers/worker-thread.ts";
import { bodyError, invalidInput } from "../../../errors.ts";
import { codeOf } from "../../../lib/node-errors.ts";
import {
  type ImportPlan,
  type ImportPlanRequest,
  isWorkbook,
  MAX_PLANNED_CATALOGUE_BYTES,
} from "../../../schemas/imports.schemas.ts";
import type { ExaminationsService } from "../../../services/files/examinations.service.ts";
import type { StoredFiles } from "../../../services/files/stored-files.ts";
import { Service } from "../../../services/shared/service.ts";
import type { ContentExaminer } from "../content-examiner.ts";
import { UnusableFileError } from "../local-files.ts";
import type { UnknownColumn } from "../spreadsheet/columns.ts";
import type { PlanData, PlanOutcome } from "./plan-worker.ts";
import type { LibraryRequest, PlannedCatalogue } from "./planned-library.ts";

interface ImportPlansDeps {
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
  examinations: Pick<ExaminationsService, "examineStored" | "findUnusableCovers">;
  stored: Pick<StoredFiles, "findKnown">;
  examiner: Pick<ContentExaminer, "readSheet">;
  schedule: Scheduler;
}

/** Others wait for it. A folder of 10,000 files takes seconds. */
const MAX_MS = 2 * 60_000;

/** Each is decoded, which takes 50 ms. */
const MAX_TRIED_COVERS = 100;

/** The thread was ended because of its time, or its memory is used up. */
class PlanTooLargeError extends Error {}

type GivenCatalogue = NonNullable<ImportPlanRequest["catalogue"]>;

const invalidCatalogue = (
  given: GivenCatalogue | undefined,
  objection: string,
  code: "too_big" | "invalid_format",
  columns: readonly UnknownColumn[] = [],
) =>
  invalidInput([
    bodyError(`catalogue.${given?.sha256 === undefined ? "text" : "sha256"}`, objection, code),
    ...columns.map(({ text, nearest }) => ({
      ...bodyError(`catalogue.columns.${text}`, "is unknown", "unknown_field"),
      ...(nearest !== undefined && { suggestion: nearest }),
    })),
  ]);

const TOO_LARGE = "takes too much time or memory to plan; divide it";

export class ImportPlans extends Service<ImportPlansDeps> {
  /** Each plan has a thread of its own, which takes memory. Users take turns. */
  readonly #queue = new FairQueue();
  #thread: WorkerThread<LibraryRequest, PlanOutcome> | undefined;

  /**
   * Given up when the client leaves.
   * @throws AppError 400 for a catalogue that can't be read, 404 `content_unknown` for one that the service doesn't have
   */
  async plan({ catalogue: given, ...request }: ImportPlanRequest): Promise<ImportPlan> {
    const signal = currentRequest()?.signal;
    const catalogue = given && (await this.readCatalogue(given, signal));
    await this.deps.examinations.examineStored(request.files.map(({ sha256 }) => sha256));
    const ask = () => this.#ask({ ...request, catalogue }, signal);
    const askInTurn = () => this.#queue.run(findPresentUser(), ask, signal);
    const outcome = await this.#askOfUsableCovers(askInTurn, signal).catch((error: unknown) => {
      if (!(error instanceof PlanTooLargeError)) throw error;
      throw given
        ? invalidCatalogue(given, TOO_LARGE, "too_big")
        : invalidInput([bodyError("files", TOO_LARGE, "too_big")]);
    });
    if ("plan" in outcome) return outcome.plan;
    throw invalidCatalogue(given, outcome.objection, "invalid_format", outcome.columns);
  }

  /** A cover that can't be used would be in each plan for its book: what known books lack is tried, and remembered. */
  async #askOfUsableCovers(ask: () => Promise<PlanOutcome>, signal: AbortSignal | undefined) {
    const outcome = await ask();
    if (!("plan" in outcome) || outcome.untriedCovers.length === 0) return outcome;
    const tried = outcome.untriedCovers.slice(0, MAX_TRIED_COVERS);
    const isOther = await this.deps.examinations.findUnusableCovers(tried, signal);
    return isOther ? ask() : outcome;
  }

  /** @throws AppError 400 if it can't be read, 404 `content_unknown` if the service doesn't have it */
  async readCatalogue(given: GivenCatalogue, signal: AbortSignal | undefined): Promise<PlannedCatalogue> {
    const { name, text = "", sha256, ignoreUnknownColumns = false } = given;
    if (sha256 === undefined)
      return { name, ignoreUnknownColumns, content: { bytes: new TextEncoder().encode(text) } };
    const { stored, examiner } = this.deps;
    const found = await stored.findKnown(sha256);
    if (found.sizeBytes > MAX_PLANNED_CATALOGUE_BYTES)
      throw invalidCatalogue(given, `has more than ${MAX_PLANNED_CATALOGUE_BYTES} bytes`, "too_big");
    try {
      if (isWorkbook(name))
        return { name, ignoreUnknownColumns, content: { sheet: await examiner.readSheet(found, signal) } };
      await using handle = await found.open();
      return { name, ignoreUnknownColumns, content: { bytes: await readBytes(handle, 0, found.sizeBytes) } };
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      throw invalidCatalogue(given, `${name} can't be read. ${error.message}`, "invalid_format");
    }
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  async #ask(request: LibraryRequest, signal: AbortSignal | undefined): Promise<PlanOutcome> {
    const { source, cloudAllowHosts, schedule } = this.deps;
    const data: PlanData = { source, cloudAllowHosts };
    const thread = new WorkerThread<LibraryRequest, PlanOutcome>({
      script: new URL("./plan-worker.ts", import.meta.url),
      data,
      // What is known of 10,000 files lives as long as the plan: with 16 MB it is copied too often.
      youngMegabytes: 48,
    });
    this.#thread = thread;
    let isLate = false;
    const end = () => void thread.close();
    const cancel = schedule(MAX_MS, () => {
      isLate = true;
      end();
    });
    signal?.addEventListener("abort", end);
    try {
      return await thread.ask(request);
    } catch (error) {
      if (signal?.aborted) throw clientHasLeft();
      throw isLate || isOutOfMemory(error) ? new PlanTooLargeError(TOO_LARGE, { cause: error }) : error;
    } finally {
      cancel();
      signal?.removeEventListener("abort", end);
      this.#thread = undefined;
      await thread.close();
    }
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && codeOf(error.cause) === "ERR_WORKER_OUT_OF_MEMORY";
