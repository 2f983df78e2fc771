/** Results of services that are sent as bytes, images, CSV or JSON documents. */
import type { ByteHandle } from "../../adapters/files/file-store.ts";
import { dayOf } from "../../lib/calendar.ts";
import type { CsvCell } from "../../lib/csv.ts";
import type { DateQuery } from "../../lib/date-range.ts";
import type { CsvOptions } from "../../schemas/queries.ts";

interface ImageFacts {
  contentType: string;
  /** The language in which it was requested, if the service has it. */
  languageCode?: string | undefined;
}

/** A small image in memory. */
export interface ImageBytes extends ImageFacts {
  bytes: Buffer;
  /** Strong entity tag in quotes. */
  etag: string;
}

/** An image in a file. */
export interface ImageFile extends ImageFacts {
  /** Open for reading; the caller closes it. */
  handle: ByteHandle;
  sizeBytes: number;
  /** Strong entity tag in quotes. */
  etag: string;
  /** Epoch milliseconds; undefined if unknown. */
  modifiedAt: number | undefined;
  /** Range requests aren't supported. */
  isSentWhole?: boolean;
}

export type Image = ImageBytes | ImageFile;

/** The media types that a client accepts. */
export interface Accepted {
  /** Media ranges in lower case, highest preference first. */
  ranges: readonly string[];
  /** Whether the client accepts this type, by name or by a wildcard. */
  takes(type: string): boolean;
}

export type { CsvCell } from "../../lib/csv.ts";

export type CsvPage = readonly (readonly CsvCell[])[];

export interface CsvDocument extends CsvOptions {
  /** Including the file extension. */
  fileName: string;
  columns: readonly string[];
  /**
   * A page is read when the client has received the previous one; no statement stays open while the export waits. A
   * Buffer contains records that were formatted elsewhere in the same CSV format.
   */
  pages: AsyncIterable<CsvPage | Buffer>;
}

/** The CSV options of a query. */
export const csvOptionsOf = ({ bom, raw, delimiter }: CsvOptions): CsvOptions => ({ bom, raw, delimiter });

/** Parameters of exports that don't leave rows out; a range of days has a part of the name to itself. */
const NO_FILTERS = new Set([
  ...["startDate", "endDate", "timezone", "from", "until"],
  ...["bom", "raw", "delimiter", "format", "includeBots"],
]);

export const isFiltered = (query: object): boolean =>
  Object.entries(query).some(([name, value]) => value !== undefined && !NO_FILTERS.has(name));

/**
 * The file name of an export, with its range or the day on which it was made: exports of different content must not look
 * alike in a folder of downloads. `downloads-from-2026-03-01.csv`, `audit-log-filtered-2026-11-27.csv`
 * @param contents by default whether everything is in it
 */
export function formatExportName(noun: string, query: DateQuery, now: number, contents?: string): string {
  const { startDate, endDate, timezone = "UTC" } = query;
  const from = startDate && `-from-${dateOf(startDate)}`;
  const to = endDate && `-to-${dateOf(endDate)}`;
  const range = `${from ?? ""}${to ?? ""}`;
  const all = range === "" ? "-all" : "";
  const what = contents === undefined ? (isFiltered(query) ? "-filtered" : all) : `-${contents}`;
  return `${noun}${what}${range || `-${dayOf(now, timezone)}`}.csv`;
}

/** The day of a date or an instant; file names can't contain the colons of a time. */
const dateOf = (date: string): string => date.slice(0, 10);

/** A page is read when the client has received the previous one; no statement stays open while the export waits. */
export type JsonPages = AsyncIterable<readonly unknown[]>;

/** A document of the type `T`. */
export interface JsonDocument<T> {
  /** Including the file extension. */
  fileName: string;
  /** The short part of the document: at least one field. */
  head: object;
  /** The long lists by name. */
  lists: Readonly<Record<string, JsonPages>>;
  /** Never there: it has the type of the whole document. */
  readonly typeOnly?: T;
}
