/** Runs an import: a thread decides, and this side writes what it asks for. */
import { receiveMessageOnPort } from "node:worker_threads";
import type { Logger } from "../../../adapters/logger.ts";
import type { DatabaseSource } from "../../../db/database.ts";
import { WorkerThread } from "../../../db/workers/worker-thread.ts";
import { bodyError, conflict, invalidInput } from "../../../errors.ts";
import type { ImportCreation } from "../../../schemas/import-runs.schemas.ts";
import type { PlanData } from "../plans/plan-worker.ts";
import type { PlannedCatalogue } from "../plans/planned-library.ts";
import { describeError, type ImportWriter } from "./import-writer.ts";
import type { ImportProgress, MessageOfThread, WriteOutcome } from "./import-writes.ts";
import type { RunOutcome, RunQuestion } from "./run-worker.ts";

interface ImportRunDeps {
  source: DatabaseSource;
  cloudAllowHosts: readonly string[];
  log: Logger;
}

interface Run {
  request: Omit<ImportCreation, "catalogue">;
  catalogue: PlannedCatalogue | undefined;
  createsLanguages: boolean;
  writer: ImportWriter;
  /** Aborted: the books that have begun are written, and no further one. */
  signal: AbortSignal;
  report(progress: ImportProgress): void;
}

/** @returns the result as JSON, also of an import that was stopped */
export async function runImport(deps: ImportRunDeps, run: Run): Promise<string> {
  const { source, cloudAllowHosts } = deps;
  const data: PlanData = { source, cloudAllowHosts };
  const thread = new WorkerThread<RunQuestion, RunOutcome>({
    script: new URL("./run-worker.ts", import.meta.url),
    data,
    youngMegabytes: 16,
  });
  const stop = new Uint8Array(new SharedArrayBuffer(1));
  const end = () => Atomics.store(stop, 0, 1);
  const { port1, port2 } = new MessageChannel();
  const served = serveWrites(port1, run);
  run.signal.addEventListener("abort", end);
  if (run.signal.aborted) end();
  try {
    const { files, corrections, rules, archived: archives = false } = run.request;
    const { catalogue, createsLanguages } = run;
    const decided = { files, catalogue, corrections, rules };
    const question = { ...decided, createsLanguages, archives, port: port2, stop };
    const outcome = await thread.ask(question, port2);
    served.receiveRest();
    return readOutcome(outcome);
  } catch (error) {
    // The thread knows only that a write has failed.
    throw served.fatal() ?? error;
  } finally {
    run.signal.removeEventListener("abort", end);
    port1.close();
    await thread.close();
  }
}

function readOutcome(outcome: RunOutcome): string {
  if ("result" in outcome) return outcome.result;
  if ("missingLanguages" in outcome)
    throw conflict(
      "languages_missing",
      `These languages don't exist yet, and an API key can't create languages: ${outcome.missingLanguages.join(", ")}.`,
    );
  throw invalidInput([bodyError("catalogue", outcome.objection, "invalid_format")]);
}

function serveWrites(port: MessagePort, { writer, report }: Pick<Run, "writer" | "report">) {
  let fatal: unknown;
  const write = async ({ number, write: wanted }: Extract<MessageOfThread, { kind: "write" }>) => {
    let outcome: WriteOutcome;
    try {
      outcome = { number, result: await writer.write(wanted) };
    } catch (error) {
      const described = describeError(error);
      if (described.status >= 500) fatal ??= error;
      outcome = { number, result: undefined, error: described };
    }
    port.postMessage(outcome);
  };
  const receive = (message: MessageOfThread) => {
    if (message.kind === "progress") report(message.progress);
    else void write(message);
  };
  port.onmessage = ({ data }: { data: MessageOfThread }) => receive(data);
  return {
    fatal: () => fatal,
    /** What the thread sent before its outcome, which comes over another port and can overtake it. */
    receiveRest(): void {
      for (let rest = receiveMessageOnPort(port); rest; rest = receiveMessageOnPort(port))
        receive(rest.message);
    },
  };
}
