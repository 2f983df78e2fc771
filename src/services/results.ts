/** Results of services that are sent as bytes, images, CSV or JSON documents. */
import type { ByteHandle, FileStore, OpenedBlob } from "../adapters/files/file-store.ts";
import { AppError, unavailable } from "../errors.ts";
import type { CsvCell } from "../lib/csv.ts";
import type { DateQuery } from "../lib/date-range.ts";
import type { CoverContentType } from "../schemas/covers.schemas.ts";
import type { CsvOptions } from "../schemas/queries.ts";

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

/**
 * Much smaller than other types but not supported by every client: sent only if requested by name, not by a wildcard.
 */
const SMALL_TYPES: readonly CoverContentType[] = ["image/avif", "image/webp"];

const COMPACT_TYPES: readonly CoverContentType[] = ["image/jpeg", ...SMALL_TYPES];

/**
 * Chooses the best accepted type: a small type that is requested by name, or the type in which the cover is stored. If
 * neither is accepted, another accepted type that isn't much larger is chosen, and otherwise the stored type: a
 * photograph as PNG would be ten times as large.
 */
export function coverTypeFor(kept: CoverContentType, { ranges, takes }: Accepted): CoverContentType {
  for (const range of ranges) {
    const named = SMALL_TYPES.find((type) => type === range);
    if (named) return named;
    if (isIn(range, kept) && takes(kept)) return kept;
  }
  return (kept === "image/jpeg" ? undefined : COMPACT_TYPES.find(takes)) ?? kept;
}

const isIn = (range: string, type: string): boolean =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));

export type { CsvCell } from "../lib/csv.ts";

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
export function exportName(noun: string, { startDate, endDate }: DateQuery): string {
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

type Opener = Pick<FileStore, "open">;

/** A local file as its row describes it. */
interface NamedBytes {
  sha256: string;
  fileSizeBytes: number;
}

/**
 * Opens the file for reading; the caller closes the handle. Throws 404 `file_unavailable` if it's missing, and 503
 * `storage_unavailable` if its size differs from its row, as with a failing disk or a store that returns something else.
 */
export async function openBytes(store: Opener, row: NamedBytes): Promise<OpenedBlob> {
  const blob = await openIfComplete(store, row);
  if (blob) return blob;
  throw unavailable("storage_unavailable", "The file storage is not available.", {
    cause: new Error(`${row.sha256} doesn't have ${row.fileSizeBytes} bytes.`),
    headers: { "Retry-After": "60" },
  });
}

/** Like `openBytes`, but returns undefined for a missing file and one of another size. */
export async function openBytesIfThere(store: Opener, row: NamedBytes): Promise<OpenedBlob | undefined> {
  try {
    return await openIfComplete(store, row);
  } catch (error) {
    if (error instanceof AppError && error.code === "file_unavailable") return undefined;
    throw error;
  }
}

/** Undefined for a file of another size. */
async function openIfComplete(
  store: Opener,
  { sha256, fileSizeBytes }: NamedBytes,
): Promise<OpenedBlob | undefined> {
  const blob = await store.open(sha256);
  if (blob.sizeBytes === fileSizeBytes) return blob;
  await blob.handle.close();
  return undefined;
}
