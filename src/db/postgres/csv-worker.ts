/** The export thread: reads rows from PostgreSQL and formats them as CSV, so that a page doesn't block the event loop. */
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { csvRecords, type RecordsOptions, type Statement } from "../csv-records.ts";
import { workerHandler } from "../workers/worker-handler.ts";
import { newPool, types } from "./connection.ts";

export interface CsvQuestion extends Statement {
  csv: RecordsOptions;
}

const cells = z.array(z.array(z.union([z.string(), z.number(), z.null()])));

const pool = newPool(workerData);

export default workerHandler(async ({ sql, parameters, csv }: CsvQuestion) => {
  const { fields, rows } = await pool.query({
    text: sql,
    values: [...parameters],
    rowMode: "array",
    types,
  });
  return csvRecords(
    fields.map(({ name }) => name),
    cells.parse(rows),
    csv,
  );
});
