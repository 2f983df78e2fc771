/** The thread of widget-source.ts: TypeScript in, JavaScript out. */
import { stripTypeScriptTypes } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

parentPort?.postMessage(stripTypeScriptTypes(String(workerData)));
