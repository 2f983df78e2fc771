/** Images as they go out. */
import type { FileHandle } from "node:fs/promises";

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
  /** Open for reading; whoever takes the image closes it. */
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
