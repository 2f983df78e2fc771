/** Interfaces of CSV exports, which read a long table in ranges. */
import type { RecordsOptions } from "../../db/csv-records.ts";

/** The rows after one row, up to and including another; a missing bound is open. */
export interface RowRange<Cursor> {
  after: Cursor | undefined;
  upTo: Cursor | undefined;
}

export type RecordsFormat = Omit<RecordsOptions, "isLastFirst">;

export interface CsvExport<Filter, Cursor> {
  /** The last of the next `count` rows, counted before filtering; undefined if fewer remain. */
  findPageEnd(count: number, filter: Filter, after: Cursor | undefined): Promise<Cursor | undefined>;
  /** The rows of a range that match the filter, as records in UTF-8. */
  readRecords(filter: Filter, range: RowRange<Cursor>, format: RecordsFormat): Promise<ArrayBuffer>;
}
