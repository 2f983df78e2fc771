/**
 * Loaded first by the processes of tests, and by the threads and processes that they start: all keep one priority. Those
 * that lower their own, as in production, would hardly run beside other work, and a test would wait for them in vain.
 * test/db/thread-priority.deep.test.ts runs without it.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import os from "node:os";
import threads from "node:worker_threads";

os.setPriority = () => {};

class SamePriorityWorker extends threads.Worker {
  constructor(file, options) {
    const execArgv = options?.execArgv ?? process.execArgv;
    super(file, { ...options, execArgv: [...execArgv, "--import", import.meta.url] });
  }
}

if (threads.isMainThread) threads.Worker = SamePriorityWorker;
else {
  try {
    // With this, Piscina lowers the priority of its threads.
    createRequire(import.meta.url)("@napi-rs/nice").nice = () => {};
  } catch {
    // It is an optional package: without it, nothing is lowered.
  }
}
syncBuiltinESMExports();
