/** Images as they go out. */
import type { FileHandle } from "node:fs/promises";
import type { FileStore, OpenedBlob } from "../adapters/files/file-store.ts";
import { AppError, notFound } from "../errors.ts";
import type { CsvCell } from "../lib/csv.ts";
import type { DateQuery } from "../lib/date-range.ts";
import type { CoverContentType } from "../schemas/covers.schemas.ts";
import type { CsvOptions } from "../schemas/queries.ts";

/** A small one, as its bytes. */
export interface ImageBytes {
  contentType: string;
  bytes: Buffer;
  /** Strong, in its quotes. */
  etag: string;
}

/** One that lies in a file. */
export interface ImageFile {
  contentType: string;
  /** Open for reading; the caller closes it. */
  handle: FileHandle;
  sizeBytes: number;
  /** Strong, in its quotes. */
  etag: string;
  /** Epoch milliseconds; undefined where it isn't known. */
  modifiedAt: number | undefined;
  /** Parts of it aren't sent. */
  isSentWhole?: boolean;
}

export type Image = ImageBytes | ImageFile;

/** The media types that a client accepts. */
export interface Accepted {
  /** Media ranges in lower case, the best first. */
  ranges: readonly string[];
  /** Whether a type is taken, by its own name or as part of a range. */
  takes(type: string): boolean;
}

/** Much smaller than others, but not shown everywhere: a wildcard doesn't ask for them, their name does. */
const SMALL_TYPES: readonly CoverContentType[] = ["image/avif", "image/webp"];

const COMPACT_TYPES: readonly CoverContentType[] = ["image/jpeg", ...SMALL_TYPES];

/**
 * The best of what is taken: a small type that is asked for by its name, or the type in which the cover is kept. Who
 * takes neither gets another small enough type, and who takes none of these the one that is kept: a photograph becomes
 * no PNG, which would be ten times as large.
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

/** Pages are read when the client has taken the former ones; none holds a statement open while it waits. */
export type JsonPages = AsyncIterable<readonly unknown[]>;

/** `T` is what the whole says; it is there for the types only. */
export interface JsonDocument<T> {
  /** With its ending. */
  fileName: string;
  /** What is short: at least one field. */
  head: object;
  /** The long lists by their names. */
  lists: Readonly<Record<string, JsonPages>>;
  readonly says?: T;
}

/** The bytes of a local file as its row describes them. */
interface NamedBytes {
  sha256: string;
  fileSizeBytes: number;
}

/**
 * Open for reading; the caller closes the handle. Bytes that are shorter or longer than the row says, as a
 * failing disk or half a backup leaves them, are as good as missing: 404 `file_unavailable`.
 */
export async function openBytes(
  store: FileStore,
  { sha256, fileSizeBytes }: NamedBytes,
): Promise<OpenedBlob> {
  const blob = await store.open(sha256);
  if (blob.sizeBytes === fileSizeBytes) return blob;
  await blob.handle.close();
  throw notFound("file_unavailable", "The file is not available.", {
    cause: new Error(`${sha256} has ${blob.sizeBytes} bytes instead of ${fileSizeBytes}`),
  });
}

/** As `openBytes`, but undefined for bytes that are missing. */
export async function openBytesIfThere(store: FileStore, row: NamedBytes): Promise<OpenedBlob | undefined> {
  try {
    return await openBytes(store, row);
  } catch (error) {
    if (error instanceof AppError && error.code === "file_unavailable") return undefined;
    throw error;
  }
}
