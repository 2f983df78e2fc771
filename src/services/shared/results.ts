/** Results of services that are sent as bytes, images, CSV or JSON documents. */
import type { ByteHandle } from "../../adapters/files/file-store.ts";
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

/** The file name of an export with the first and last requested day: `audit-log-from-2026-03-01.csv` */
export function formatExportName(noun: string, { startDate, endDate }: DateQuery): string {
  const from = startDate && `-from-${dayOf(startDate)}`;
  const to = endDate && `-to-${dayOf(endDate)}`;
  return `${noun}${from ?? ""}${to ?? ""}.csv`;
}

/** The day of a date or an instant; file names can't contain the colons of a time. */
const dayOf = (date: string): string => date.slice(0, 10);

/** A page is read when the client has received the previous one; no statement stays open while the export waits. */
export type JsonPages = AsyncIterable<readonly unknown[]>;

/** `T` is the type of the whole document; it exists at compile time only. */
export interface JsonDocument<T> {
  /** Including the file extension. */
  fileName: string;
  /** The short part of the document: at least one field. */
  head: object;
  /** The long lists by name. */
  lists: Readonly<Record<string, JsonPages>>;
  readonly says?: T;
}
