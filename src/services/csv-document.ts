/** A table that goes out as CSV, page by page. */
import type { CsvCell } from "../lib/csv.ts";
import type { DateQuery } from "../lib/date-range.ts";
import type { CsvOptions } from "../schemas/csv.schemas.ts";

export type { CsvCell } from "../lib/csv.ts";

export type CsvPage = readonly (readonly CsvCell[])[];

export interface CsvDocument extends CsvOptions {
  /** With its ending. */
  fileName: string;
  columns: readonly string[];
  /**
   * Pages are read when the client has taken the former ones; none holds a statement open while it waits. Bytes are
   * records that have been written elsewhere, in the same format.
   */
  pages: AsyncIterable<CsvPage | Buffer>;
}

/** How a query wants a document. */
export const csvOptionsOf = ({ bom, raw, delimiter }: CsvOptions): CsvOptions => ({ bom, raw, delimiter });

/** The name of an export, with the first and the last day that were asked for: `audit-log-from-2026-03-01.csv` */
export function exportName(noun: string, { startDate, endDate }: DateQuery): string {
  const from = startDate && `-from-${dayOf(startDate)}`;
  const to = endDate && `-to-${dayOf(endDate)}`;
  return `${noun}${from ?? ""}${to ?? ""}.csv`;
}

/** Of a day or an instant; colons of a time are no part of a file's name. */
const dayOf = (date: string): string => date.slice(0, 10);
