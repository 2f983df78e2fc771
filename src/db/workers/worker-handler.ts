/** The worker side of a WorkerThread. */
import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { codeOf, messageOf } from "../../lib/node-errors.ts";
import type { Outcome } from "./worker-thread.ts";

/** What a thread does on the data that it got. Opens what it needs with the first question, so that a failure only affects that. */
export interface ThreadWork<Question, Response> {
  respond(question: Question): Response | Promise<Response>;
  /** Closes what it has opened, for a thread that goes on with other data. A service's thread keeps its data until it ends. */
  close(): void | PromiseLike<void>;
}

/** Creates the function that a worker module exports as its default. */
export const createWorkerHandler = <Data, Question, Response>(
  begin: (data: Data) => ThreadWork<Question, Response>,
) => Object.assign(createResponder(begin(workerData)), { begin });

export const createResponder =
  <Question, Response>({ respond }: Pick<ThreadWork<Question, Response>, "respond">) =>
  async (question: Question) => {
    try {
      const response = await respond(question);
      const outcome: Outcome<Response> = { response };
      // Buffers are transferred: a copy would stay here until it is garbage-collected.
      return response instanceof ArrayBuffer
        ? move({ [transferableSymbol]: response, [valueSymbol]: outcome })
        : outcome;
    } catch (error) {
      const outcome: Outcome<Response> = {
        error: messageOf(error),
        code: codeOf(error),
      };
      return outcome;
    }
  };
