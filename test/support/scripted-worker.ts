/** A worker thread that does what each question says, and returns the questions so far. */
import { setTimeout as wait } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { workerHandler } from "../../src/db/workers/worker-handler.ts";

const done: unknown[] = [];

export default workerHandler(async (question: unknown) => {
  if (question === "wait") await wait(20);
  if (question === "never answer") await wait(1e9);
  if (question === "throw") throw Object.assign(new Error("It was told to throw"), { code: "EIO" });
  if (question === "throw a word") throw "a word";
  if (question === "exit") process.exit(1);
  if (question === "crash") {
    setImmediate(() => JSON.parse("{"));
    await wait(1e9);
  }
  done.push(question);
  return { data: workerData, variables: Object.keys(process.env), done: [...done] };
});
