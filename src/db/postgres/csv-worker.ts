/** The export thread: reads rows from PostgreSQL and formats them as CSV, so that a page doesn't block the event loop. */
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { formatCsvRecords } from "../csv-records.ts";
import type { CsvQuestion } from "../workers/csv-reader.ts";
import { createWorkerHandler } from "../workers/worker-handler.ts";
import { createPool, replaceNul, types, withConnection } from "./connection.ts";

const cells = z.array(z.array(z.union([z.string(), z.number(), z.null()])));

const pool = createPool(workerData);

export default createWorkerHandler(async ({ sql, parameters, csv }: CsvQuestion) => {
  const values = parameters.map(replaceNul);
  const { fields, rows } = await withConnection(pool, (client) =>
    client.query({ text: sql, values, rowMode: "array", types }),
  );
  return formatCsvRecords(
    fields.map(({ name }) => name),
    cells.parse(rows),
    csv,
  );
});
