/** Makes plans of imports in a worker thread, so that a folder of thousands of files delays no other request. */
import pLimit from "p-limit";
import type { DatabaseSource } from "../../../db/database.ts";
import { WorkerThread } from "../../../db/workers/worker-thread.ts";
import { bodyError, invalidInput } from "../../../errors.ts";
import type { ImportPlan, ImportPlanRequest } from "../../../schemas/imports.schemas.ts";
import type { ExaminationsService } from "../../../services/files/examinations.service.ts";
import type { PlanData, PlanOutcome } from "./plan-worker.ts";

interface ImportPlansDeps {
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
  examinations: Pick<ExaminationsService, "examineStored">;
}

export class ImportPlans {
  readonly #deps: ImportPlansDeps;
  /** Each plan has a thread of its own, which takes memory. */
  readonly #queue = pLimit(1);
  #thread: WorkerThread<ImportPlanRequest, PlanOutcome> | undefined;

  constructor(deps: ImportPlansDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 400 for a catalogue that can't be read */
  async plan(request: ImportPlanRequest): Promise<ImportPlan> {
    await this.#deps.examinations.examineStored(request.files.map(({ sha256 }) => sha256));
    const outcome = await this.#queue(() => this.#ask(request));
    if ("plan" in outcome) return outcome.plan;
    throw invalidInput([bodyError("catalogue.text", outcome.objection, "invalid_format")]);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  async #ask(request: ImportPlanRequest): Promise<PlanOutcome> {
    const { source, cloudAllowHosts } = this.#deps;
    const data: PlanData = { source, cloudAllowHosts };
    const thread = new WorkerThread<ImportPlanRequest, PlanOutcome>({
      script: new URL("./plan-worker.ts", import.meta.url),
      data,
      youngMegabytes: 16,
    });
    this.#thread = thread;
    try {
      return await thread.ask(request);
    } finally {
      this.#thread = undefined;
      await thread.close();
    }
  }
}
