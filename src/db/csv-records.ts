/** Rows of a query as CSV records. */
import { zonedTime } from "../lib/calendar.ts";
import { type CsvCell, type CsvFormat, recordFormatter } from "../lib/csv.ts";

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
 * @param rows each is changed, and released before the next is read: otherwise the garbage collector would copy the
 * rows of a page repeatedly, which takes as much processor time as the rest
 * @returns UTF-8
 */
export function csvRecords(
  columns: readonly string[],
  rows: Iterable<CsvCell[]>,
  { raw, delimiter, timezone, isLastFirst }: RecordsOptions,
): ArrayBuffer {
  const times = columns.flatMap((name, index) => (name.endsWith("At") ? [index] : []));
  const recordOf = recordFormatter({ raw, delimiter });
  const records: Buffer[] = [];
  for (const row of rows) {
    for (const index of times) {
      const time = row[index];
      if (typeof time === "number") row[index] = zonedTime(time, timezone);
    }
    records.push(Buffer.from(recordOf(row)));
  }
  if (isLastFirst) records.reverse();
  // A copy: a small Buffer shares its memory with others, so it can't be transferred to another thread.
  return new Uint8Array(Buffer.concat(records)).buffer;
}
