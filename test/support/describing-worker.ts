/** A worker thread that responds with what it was given. */
import { workerData } from "node:worker_threads";
import { workerHandler } from "../../src/db/workers/worker-handler.ts";

export default workerHandler(() => ({ data: workerData, variables: Object.keys(process.env) }));
