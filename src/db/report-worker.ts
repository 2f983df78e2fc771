/** The worker thread of the report handle: runs read-only statements so that long ones don't hold up the event loop. */
import { parentPort, workerData } from "node:worker_threads";
import { openReader } from "./connection.ts";
import { reportQuestion } from "./report-protocol.ts";
import { withStatementCache } from "./statement-cache.ts";

if (parentPort === null || typeof workerData !== "string") {
  throw new Error("The report worker is started by the report dialect, with the path of the database");
}
const port = parentPort;
const database = withStatementCache(openReader(workerData));

port.on("message", (message: unknown) => {
  const question = reportQuestion.parse(message);
  try {
    const rows = database.prepare(question.sql).all(question.parameters);
    port.postMessage({ id: question.id, rows });
  } catch (error) {
    port.postMessage({ id: question.id, fault: error instanceof Error ? error.message : String(error) });
  }
});
