/** What files and covers can't be imported for, as sentences. */
import { RequestRejectedError } from "../../adapters/admin-client.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import { AppError } from "../../errors.ts";
import { refusalOf } from "../../lib/node-errors.ts";
import { UnusableFileError } from "./local-files.ts";
import type { WantedCover } from "./wanted.ts";

/** Errors of its reader have sentences of their own; others are about the file. */
export async function readCover(read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read();
  } catch (error) {
    const reason = explainError(error);
    if (reason === undefined) throw error;
    throw new RequestRejectedError(`The cover can't be read. ${reason}`);
  }
}

/** Undefined for an error that every other file would meet, too. */
export function explainError(error: unknown): string | undefined {
  if (error instanceof RequestRejectedError || error instanceof UnusableFileError) return error.message;
  if (error instanceof AppError && error.status < 500) return error.message;
  const refusal = refusalOf(error);
  return refusal && `The file can't be read: ${refusal}.`;
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
    const reason = explainError(error);
    if (reason === undefined) throw error;
    return reason;
  }
}
