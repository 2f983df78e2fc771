/** The report thread: runs read-only statements, so that long ones don't block the event loop. */
import { LRUCache } from "lru-cache";
import type { CsvCell } from "../../lib/csv.ts";
import { formatCsvRecords, type Statement } from "../csv-records.ts";
import type { CsvQuestion } from "../workers/csv-reader.ts";
import { createWorkerHandler } from "../workers/worker-handler.ts";
import { type Connection, openReader } from "./connection.ts";
import { withStatementCache } from "./statement-cache.ts";

/** The response contains the rows or, with `csv`, their records in UTF-8. */
export type ReportQuestion = Statement & Partial<CsvQuestion>;

/** Keeps an export of any size, which uses two of these threads, below 64 MB. */
const CACHE_KIBIBYTES = 4_000;

/** Enough for several concurrent exports: each uses one statement for all its pages except the first and the last. */
const MAX_EXPORTS = 20;

function open(file: string) {
  const connection = openReader(file, CACHE_KIBIBYTES);
  const exports = new LRUCache<string, ReturnType<typeof prepareExport>>({
    max: MAX_EXPORTS,
    memoMethod: (sql) => prepareExport(connection, sql),
  });
  return { statements: withStatementCache(connection), exports };
}

export default createWorkerHandler((file: string) => {
  let opened: ReturnType<typeof open> | undefined;
  return {
    respond({ csv, ...statement }: ReportQuestion) {
      opened ??= open(file);
      if (csv) {
        const { columns, prepared } = opened.exports.memo(statement.sql);
        return formatCsvRecords(columns, prepared.iterate(...statement.parameters), csv);
      }
      return opened.statements.prepare(statement.sql).all(statement.parameters);
    },
    close: () => opened?.statements.close(),
  };
});

function prepareExport(connection: Connection, sql: string) {
  const prepared = connection.prepare<unknown[], CsvCell[]>(sql).raw();
  return { prepared, columns: prepared.columns().map(({ name }) => name) };
}
