/** Rows of a query as CSV records. */
import { zonedTime } from "../lib/calendar.ts";
import { type CsvCell, type CsvFormat, csvText } from "../lib/csv.ts";

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

/**
 * Columns whose names end with `At` contain epoch milliseconds, and are formatted as times in UTC or the given zone.
 * @param rows are changed
 * @returns UTF-8
 */
export function csvRecords(
  columns: readonly string[],
  rows: CsvCell[][],
  { raw, delimiter, timezone, isLastFirst }: RecordsOptions,
): ArrayBuffer {
  const times = columns.flatMap((name, index) => (name.endsWith("At") ? [index] : []));
  for (const row of rows) {
    for (const index of times) {
      const time = row[index];
      if (typeof time === "number") row[index] = zonedTime(time, timezone);
    }
  }
  if (isLastFirst) rows.reverse();
  return new TextEncoder().encode(csvText(rows, { raw, delimiter })).buffer;
}
