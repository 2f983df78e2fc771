/** Reads the values of columns: times as text, and words of a fixed list. */
import { isoTime } from "../../lib/time.ts";
import { FILE_TYPES, type FileType } from "../../schemas/file-types.ts";

export const timesOf = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

/** Checks stored enum values on output: an unknown value is an error. */
export function parseWord<T extends string>(words: readonly T[], stored: string): T {
  const word = words.find((candidate) => candidate === stored);
  if (word === undefined) throw new Error(`The database holds an unknown word: ${stored}`);
  return word;
}

export const fileTypeOf = (row: { fileType: string }): FileType => parseWord(FILE_TYPES, row.fileType);
