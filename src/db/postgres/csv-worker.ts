/** The export thread: reads rows from PostgreSQL and formats them as CSV, so that a page doesn't block the event loop. */
import { z } from "zod";
import { formatCsvRecords } from "../csv-records.ts";
import type { CsvQuestion } from "../workers/csv-reader.ts";
import { createWorkerHandler } from "../workers/worker-handler.ts";
import { createPool, type PoolOptions, replaceNul, types, withConnection } from "./connection.ts";

const cells = z.array(z.array(z.union([z.string(), z.number(), z.null()])));

export default createWorkerHandler((options: PoolOptions) => {
  let pool: ReturnType<typeof createPool> | undefined;
  return {
    async respond({ sql, parameters, csv }: CsvQuestion) {
      pool ??= createPool(options);
      const values = parameters.map(replaceNul);
      const { fields, rows } = await withConnection(pool, (client) =>
        client.query({ text: sql, values, rowMode: "array", types }),
      );
      return formatCsvRecords(
        fields.map(({ name }) => name),
        cells.parse(rows),
        csv,
      );
    },
    close: () => pool?.end(),
  };
});
