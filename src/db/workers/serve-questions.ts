/** The worker's side of an AskedWorker: answers questions one after the other. */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { codeOf } from "../../lib/node-errors.ts";
import { numberedQuestion } from "./asked-worker.ts";

interface Responses {
  response(question: unknown): unknown | Promise<unknown>;
  /** What is done once an answer has been given, and before the next question. */
  afterwards?(): void;
}

/** @param start gets what the worker was started with */
export function serveQuestions(start: (deps: unknown) => Responses): void {
  const port = parentPort;
  if (port === null) throw new Error("A worker is started by the AskedWorker that asks it");
  const responses = start(workerData);
  let turn: Promise<void> = Promise.resolve();
  const settle = async (message: unknown) => {
    const { id, question } = numberedQuestion.parse(message);
    try {
      const response = await responses.response(question);
      // Bytes change hands: a copy would stay here until the collector comes.
      port.postMessage({ id, response }, response instanceof ArrayBuffer ? [response] : []);
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      port.postMessage({ id, error: failure, code: codeOf(error) });
    }
    responses.afterwards?.();
  };
  port.on("message", (message: unknown) => {
    turn = turn.then(() => settle(message));
  });
}

// Threads for reports and exports go behind the event loop where both want the same core.

/**
 * Lowers the priority of the thread that calls it. Without that, an export keeps the event loop waiting for whole
 * slices of the scheduler.
 */
export function lowerThreadPriority(): void {
  // Elsewhere a priority is the whole process's.
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it; then requests wait a few milliseconds longer.
  }
}
