/** The worker side of a WorkerThread. */
import { move, transferableSymbol, valueSymbol } from "piscina";
import { codeOf, messageOf } from "../../lib/node-errors.ts";
import type { Outcome } from "./worker-thread.ts";

/** Creates the function that a worker module exports as its default. */
export const createWorkerHandler =
  <Question, Response>(respond: (question: Question) => Response | Promise<Response>) =>
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
