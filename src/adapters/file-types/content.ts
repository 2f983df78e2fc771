/** What a look at a file's content says about its type. */
import type { FileHandle } from "node:fs/promises";
import type { FileType } from "../../schemas/file-types.ts";

export interface Content {
  /** The types that it fits, the likeliest first; none when it is nothing that is distributed here. */
  types: readonly FileType[];
  /** Its name as the end of a sentence: "The file is ...". */
  name: string;
}

export const foreign = (name: string): Content => ({ types: [], name });

/** A noun in capitals with its article: "an" before a vowel, and before letters that are spelt out (an MP4). */
export const withArticle = (noun: string): string =>
  /^(?:[AEIOU]|[FHLMNRSX][^AEIOU ]* )/.test(noun) ? `an ${noun}` : `a ${noun}`;

export const isPlainText = ({ types }: Content): boolean => types.includes("txt");

// Bounded reading: a type is told from a few windows of a file, however large the file is.

/** The length of a window in bytes. Even, so that UTF-16 is never cut inside a code unit. */
export const WINDOW_BYTES = 64 * 1024;

/** A file under examination: its size and its first window. */
export interface Sample {
  file: FileHandle;
  sizeBytes: number;
  head: Buffer;
}

export async function sampleOf(file: FileHandle): Promise<Sample> {
  const { size } = await file.stat();
  return { file, sizeBytes: size, head: await readWindow(file, 0, WINDOW_BYTES) };
}

/** The bytes from `position` on: `length` of them, or fewer at the end of the file. */
export async function readWindow(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const window = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(window, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return window.subarray(0, filled);
}
