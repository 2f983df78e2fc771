/** Examines the files of a library: content, metadata, and language. */
import pLimit from "p-limit";
import { refusalOf } from "../lib/node-errors.ts";
import type { FileType } from "../schemas/file-types.ts";
import type { Failure } from "./library.ts";
import { type LocalFile, UnusableFileError } from "./local-files.ts";
import { type Examined, examineFile } from "./metadata/read-metadata.ts";

/** Parsing is work for one core; others of this number wait for the disk. */
const FILES_AT_ONCE = 4;

export interface Candidate {
  file: LocalFile;
  fileType: FileType | undefined;
}

/** @returns undefined in the place of each file that is added to `failures` */
export async function examineAll(
  candidates: readonly Candidate[],
  failures: Failure[],
  onFile: () => void,
): Promise<(Examined | undefined)[]> {
  const limit = pLimit(FILES_AT_ONCE);
  return limit.map(candidates, async ({ file, fileType }) => {
    try {
      return await examineFile(file, fileType);
    } catch (error) {
      const reason = error instanceof UnusableFileError ? error.message : systemReason(error);
      if (reason === undefined) throw error;
      failures.push({ subject: file.place, reason });
      return undefined;
    } finally {
      onFile();
    }
  });
}

function systemReason(error: unknown): string | undefined {
  const reason = refusalOf(error);
  return reason && `The file can't be read: ${reason}.`;
}
