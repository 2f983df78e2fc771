/** Rows of a query as CSV records. */
import { formatZonedTime } from "../lib/calendar.ts";
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

/** UTF-8 needs at most this many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** Reused by all pages: memory for each record would leave ten megabytes to the garbage collector. */
let encoded = Buffer.alloc(256 * 1024);

/**
 * Columns whose names end with `At` contain epoch milliseconds, and are formatted as times in UTC or the given zone.
 * @param rows each is changed, and released before the next is read: otherwise the garbage collector would copy the
 * rows of a page repeatedly, which adds more than half to the processor time
 * @returns UTF-8
 */
export function formatCsvRecords(
  columns: readonly string[],
  rows: Iterable<CsvCell[]>,
  { raw, delimiter, timezone, isLastFirst }: RecordsOptions,
): ArrayBuffer {
  const times = columns.flatMap((name, index) => (name.endsWith("At") ? [index] : []));
  const recordOf = recordFormatter({ raw, delimiter });
  const ends = [0];
  let end = 0;
  for (const row of rows) {
    for (const index of times) {
      const time = row[index];
      if (typeof time === "number") row[index] = formatZonedTime(time, timezone);
    }
    const record = recordOf(row);
    reserve(end, record.length * BYTES_PER_UNIT);
    end += encoded.write(record, end);
    ends.push(end);
  }
  const records = encoded.subarray(0, end);
  return isLastFirst ? reverseRecords(records, ends) : new Uint8Array(records).buffer;
}

function reserve(end: number, bytes: number): void {
  if (end + bytes <= encoded.length) return;
  const larger = Buffer.alloc(2 * (end + bytes));
  encoded.copy(larger, 0, 0, end);
  encoded = larger;
}

/** @param ends of the records, after a 0 */
function reverseRecords(records: Uint8Array, ends: readonly number[]): ArrayBuffer {
  const reversed = new Uint8Array(records.length);
  let at = 0;
  for (let record = ends.length - 1; record > 0; record -= 1) {
    const bytes = records.subarray(ends[record - 1], ends[record]);
    reversed.set(bytes, at);
    at += bytes.length;
  }
  return reversed.buffer;
}
