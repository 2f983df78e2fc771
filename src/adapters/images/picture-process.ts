/** The process that decodes, draws and encodes pictures; CoverImages starts it, watches it and ends it. */
import { AppError } from "../../errors.ts";
import { messageOf } from "../../lib/node-errors.ts";
import { serveParent } from "../watched-process/watched-work.ts";
import type { PictureOutcome, PictureQuestion } from "./picture-messages.ts";

const FAVICON_SIDE = 256;

class MissingLibraryError extends Error {}

/** Libraries are loaded with the first picture that needs them. */
async function load<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    throw new MissingLibraryError(messageOf(error));
  }
}

async function work(question: PictureQuestion): Promise<PictureOutcome> {
  if (question.task === "placeholder") {
    const { drawPlaceholder } = await load(import("./placeholder.ts"));
    return { picture: await drawPlaceholder(question.options) };
  }
  const pictures = await load(import("./pictures.ts"));
  if (question.task === "describe") return { libraries: pictures.LIBRARIES };
  const bytes = toBuffer(question.bytes);
  switch (question.task) {
    case "normalise":
      return { picture: await pictures.normaliseUpload(bytes) };
    case "logo":
      return { picture: await pictures.drawLogo(bytes) };
    case "makeStorable":
      return { bytes: await pictures.makeStorable(bytes) };
    case "favicon":
      return { picture: await pictures.fitPicture(bytes, FAVICON_SIDE) };
    case "squares":
      return { picture: await pictures.drawSquares(bytes, question) };
    case "resize":
      return { picture: await pictures.resizePicture(bytes, question.options) };
  }
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function describeError(error: unknown): PictureOutcome {
  if (error instanceof MissingLibraryError) return { unavailable: error.message };
  if (!(error instanceof AppError)) return { failure: messageOf(error) };
  const { code, message: detail, cause } = error;
  const reason = cause === undefined ? undefined : messageOf(cause);
  switch (code) {
    case "image_invalid":
    case "image_too_large":
    case "image_type_unsupported":
      return { rejection: { code, detail, reason } };
    default:
      return { failure: detail };
  }
}

// The limits count from here, without what the libraries take. If they can't be loaded, the first picture says so.
await import("./pictures.ts").catch(() => {});

serveParent(async (question: PictureQuestion) => {
  try {
    return await work(question);
  } catch (error) {
    return describeError(error);
  }
});
