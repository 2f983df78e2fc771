/** The side of WatchedProcess that works: it receives files one by one, and ends with its parent. */
import { Worker } from "node:worker_threads";

/** The process can be asked. */
export const READY = "ready";
/** It has received a question. */
export const BEGUN = "begun";
/** The work may take the memory of large work. */
export const LARGE = "large";

/** What ends a piece of work. */
export interface Result {
  result: unknown;
}

/** @param work doesn't throw: what is wrong with a file is a result */
export function serveParent<Question>(work: (question: Question) => Promise<unknown>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", async (message: { question: Question }) => {
    process.send?.(BEGUN);
    process.send?.({ result: await work(message.question) } satisfies Result);
  });
  // It ends the process even while a library keeps it busy.
  new Worker(new URL("./end-with-parent.ts", import.meta.url))
    .once("message", () => process.send?.(READY))
    .unref();
}

export const announceLargeWork = (): void => void process.send?.(LARGE);
