/** What files and covers can't be imported for, as sentences. */
import { RequestRejectedError } from "../../adapters/admin-client.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import { AppError } from "../../errors.ts";
import { refusalOf } from "../../lib/node-errors.ts";
import type { Failure } from "./library.ts";
import { UnusableFileError } from "./local-files.ts";
import type { WantedCover } from "./wanted.ts";

/** Errors of its reader have sentences of their own; others are about the file. */
export async function readCover(read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read();
  } catch (error) {
    const explained = explainError(error);
    if (!explained) throw error;
    throw new RequestRejectedError(`The cover can't be read. ${explained.reason}`, explained.problem);
  }
}

/** Undefined for an error that every other file would meet, too. */
export function explainError(error: unknown): Pick<Failure, "reason" | "problem"> | undefined {
  const isRejected = error instanceof RequestRejectedError || error instanceof UnusableFileError;
  if (isRejected || (error instanceof AppError && error.status < 500))
    return { reason: error.message, problem: error.code };
  const refusal = refusalOf(error);
  return refusal === undefined ? undefined : { reason: `The file can't be read: ${refusal}.` };
}

/** Decodes the cover. */
export async function findCoverError(
  { read }: WantedCover,
  images: Pick<CoverImages, "assertUsable">,
): Promise<string | undefined> {
  try {
    await images.assertUsable(await readCover(read));
    return undefined;
  } catch (error) {
    const explained = explainError(error);
    if (!explained) throw error;
    return explained.reason;
  }
}
