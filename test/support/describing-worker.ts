/** A worker thread that responds with what it was given. */
import { workerData } from "node:worker_threads";
import { createWorkerHandler } from "../../src/db/workers/worker-handler.ts";

export default createWorkerHandler(() => ({ data: workerData, variables: Object.keys(process.env) }));
