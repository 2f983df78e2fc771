/** The checkpoint thread: moves committed pages from the WAL into the file, as far as readers permit. */
import { workerData } from "node:worker_threads";
import { createWorkerHandler } from "../workers/worker-handler.ts";
import { type Connection, openCheckpointer } from "./connection.ts";

let connection: Connection | undefined;

export default createWorkerHandler(() => {
  connection ??= openCheckpointer(String(workerData));
  // Every other checkpoint mode takes the writer's lock, for which the event loop would have to wait.
  connection.pragma("wal_checkpoint(PASSIVE)");
});
