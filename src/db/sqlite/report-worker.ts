/** The report thread: runs read-only statements, so that long ones don't block the event loop. */
import { workerData } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { zonedTime } from "../../lib/calendar.ts";
import { type CsvCell, type CsvFormat, csvText } from "../../lib/csv.ts";
import { type Connection, openReader } from "./connection.ts";
import { withStatementCache } from "./statement-cache.ts";
import { workerHandler } from "../workers/worker-handler.ts";

/** A statement that Kysely has compiled. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** How rows are formatted as CSV records. */
export interface RecordsOptions extends CsvFormat {
  /** IANA name of the time zone for times; UTC if missing. */
  timezone?: string | undefined;
  /** Whether the statement's last row is the first record. */
  isLastFirst: boolean;
}

/** The response contains the rows or, with `csv`, their records in UTF-8. */
export interface ReportQuestion extends Statement {
  csv?: RecordsOptions;
}

/** Keeps an export of any size, which uses two of these threads, below 64 MB. */
const CACHE_KIBIBYTES = 4_000;

/** Enough for several concurrent exports: each uses one statement for all its pages except the first and the last. */
const MAX_EXPORTS = 20;

/** Opened by the first question, so that a failure only affects that question. */
let opened: ReturnType<typeof open> | undefined;

function open() {
  const connection = openReader(String(workerData), CACHE_KIBIBYTES);
  const exports = new LRUCache<string, ReturnType<typeof preparedExport>>({
    max: MAX_EXPORTS,
    memoMethod: (sql) => preparedExport(connection, sql),
  });
  return { statements: withStatementCache(connection), exports };
}

export default workerHandler(({ csv, ...statement }: ReportQuestion) => {
  opened ??= open();
  if (csv) return recordsOf(opened.exports.memo(statement.sql), statement, csv);
  return opened.statements.prepare(statement.sql).all(statement.parameters);
});

/**
 * Columns whose names end with `At` contain epoch milliseconds, and are formatted as times in UTC or the given zone.
 */
function preparedExport(connection: Connection, sql: string) {
  const statement = connection.prepare<unknown[], CsvCell[]>(sql).raw();
  const times = statement.columns().flatMap(({ name }, index) => (name.endsWith("At") ? [index] : []));
  return { statement, times };
}

function recordsOf(
  { statement, times }: ReturnType<typeof preparedExport>,
  { parameters }: Statement,
  { raw, delimiter, timezone, isLastFirst }: RecordsOptions,
): ArrayBuffer {
  const rows = statement.all(...parameters);
  for (const row of rows) {
    for (const index of times) {
      const time = row[index];
      if (typeof time === "number") row[index] = zonedTime(time, timezone);
    }
  }
  if (isLastFirst) rows.reverse();
  return new TextEncoder().encode(csvText(rows, { raw, delimiter })).buffer;
}
