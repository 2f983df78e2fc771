/** Content-addressed storage of files: equal contents are stored once. In a folder, or in a bucket of an S3 store. */
import type { Readable } from "node:stream";

/** Bytes that are open for reading; a `FileHandle` is one. Its holder closes it. */
export interface ByteHandle extends AsyncDisposable {
  /**
   * Fills the buffer from `offset` on with `length` bytes from `position` on; fewer only at the end of the bytes. One
   * call at a time.
   * @param last the position of the last byte of a sequence of reads that begins with this one: a store can send all of
   * it at once, also when the bytes are deleted meanwhile
   */
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    last?: number,
  ): Promise<{ bytesRead: number }>;
  /** All bytes, or those from `start` up to and including `end`. Fails, rather than ends, before the last one. */
  createReadStream(options?: ReadStreamOptions): Readable;
  /** All bytes in memory. */
  readFile(): Promise<Buffer>;
  close(): Promise<void>;
  /** Where clients can fetch the bytes themselves; undefined if the store has no addresses. */
  readonly source?: DirectSource;
}

export interface DirectSource {
  /** The entity tag of the store's responses, in quotes. */
  etag: string | undefined;
  /** An address that works for a minute. */
  createAddress(access: DirectAccess): Promise<string>;
}

export interface ReadStreamOptions {
  start?: number;
  end?: number;
  highWaterMark?: number;
  /** Whether the end of the stream closes the handle; true by default. */
  autoClose?: boolean;
}

/** The headers of the store's responses. */
export interface DirectAccess {
  contentType: string;
  contentDisposition: string;
}

/** Stored bytes, identified by their SHA-256 (64 lower-case hexadecimal digits). */
export interface StoredBlob {
  sha256: string;
  sizeBytes: number;
}

/** Bytes to which no row refers, and which are deleted later. */
export interface SetAsideBlob extends StoredBlob {
  /** Epoch milliseconds. */
  setAsideAt: number;
}

/** Stored bytes, open for reading. The caller closes the handle. */
export interface OpenedBlob {
  handle: ByteHandle;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

/** Bytes whose content can be inspected. */
export interface Inspectable {
  sizeBytes: number;
  /** The caller closes the handle. */
  open(): Promise<ByteHandle>;
}

/** Received bytes that are durable but not stored permanently yet. */
export interface ReceivedFile extends Inspectable {
  /** Identifies them within their store. */
  id: string;
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
  /** The bytes, until the file is kept or discarded. */
  read(): Readable;
  /** Deletes the temporary file. Does nothing if it was already kept or discarded; never fails. */
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  /** A larger source is rejected. */
  maxBytes: number;
  /**
   * Whether data is synced to disk while it arrives, so that the final sync of a large file doesn't delay all other
   * writes.
   */
  steadily?: boolean;
  signal?: AbortSignal;
}

/**
 * Storage errors are thrown as 507 `disk_full` or 503 `storage_unavailable`.
 * A row may only refer to stored bytes. Bytes that have lost their last row are removed later; those of which no row was
 * ever seen are set aside. `Removals` in the services sees to it that no row is written while its bytes are removed.
 */
export interface FileStore {
  /** For people: the folder, or the bucket with the prefix. */
  readonly name: string;

  /** The id of the service to which the files belong; undefined if none was recorded yet. */
  readServiceId(): Promise<string | undefined>;

  recordServiceId(id: string): Promise<void>;

  /** The mark of the last sweep of released bytes, which is also in the database; undefined if there was none. */
  readSweepMark(): Promise<string | undefined>;

  recordSweepMark(mark: string): Promise<void>;

  /**
   * Streams a source to a temporary file, which is durable when this resolves. Throws 413 `file_too_large` while
   * streaming, 400 `file_empty`, 400 `upload_aborted`, or the source's own error, and deletes the temporary file. A
   * rejected source stays readable, so that its socket can still carry the response; an aborted signal destroys it.
   */
  receive(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions): Promise<ReceivedFile>;

  /** Puts received bytes to their place, durably. Call this before writing the row, and `discard` when both is done. */
  keep(received: ReceivedFile): Promise<StoredBlob>;

  /** Whether so little is free that bytes which can wait must: a database may be on the same disk. */
  isShort(): Promise<boolean>;

  /** Throws 404 `file_unavailable` if the bytes don't exist. */
  open(sha256: string): Promise<OpenedBlob>;

  has(sha256: string): Promise<boolean>;

  /**
   * Names the bytes to a proxy in front of the service that sends them itself. Call it before `open`: for a minute,
   * `isNamed` is true of them. They needn't exist.
   * @returns the address for the proxy; undefined if the service sends the bytes
   */
  nameToProxy(sha256: string): string | undefined;

  /** Whether a proxy may be about to open the bytes: they must be neither removed nor set aside. */
  isNamed(sha256: string): boolean;

  /** Missing bytes are fine. Only for bytes to which no row refers. */
  remove(sha256: string): Promise<void>;

  /** Moves stored bytes to `removed/`, where only `bringBack` finds them. Missing bytes are fine. */
  setAside(sha256: string, now: number): Promise<void>;

  isSetAside(sha256: string): Promise<boolean>;

  /** Moves bytes that were set aside back to their place, or does nothing. */
  bringBack(sha256: string): Promise<void>;

  /** Deletes bytes that were set aside. Missing bytes are fine. */
  removeSetAside(sha256: string): Promise<void>;

  /** All bytes that are set aside, unordered. */
  listSetAside(): AsyncGenerator<SetAsideBlob>;

  /**
   * All stored bytes, unordered.
   * @param unreadable receives each path that can't be accessed; without it, such a path is an error
   */
  list(unreadable?: (path: string, reason: string) => void): AsyncGenerator<StoredBlob>;

  /** Deletes temporary files that a crash left behind and returns their number. Call it before the first `receive`. */
  sweepTemporary(): Promise<number>;
}

const SHA256 = /^[0-9a-f]{64}$/;

export const isSha256 = (text: string): boolean => SHA256.test(text);

/** Hashes become parts of paths and keys, so they are validated. */
export function assertSha256(text: string): void {
  if (!isSha256(text)) throw new TypeError("Not a SHA-256 in lower-case hexadecimal digits");
}
