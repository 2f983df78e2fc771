/** Whether uploaded bytes are an image that can become a cover. Told from its first bytes, before its pixels. */
import { type AppError, badRequest, payloadTooLarge, unsupportedMediaType } from "../errors.ts";
import { COVER_UPLOAD_TYPES, type CoverUploadType } from "../schemas/cover-types.ts";
import { headerOf, MAX_PIXELS, MAX_SIDE } from "./pixels.ts";

/**
 * Throws 415 for other types and animations, 400 for what has no readable header, 413 for too many pixels. Whether
 * the pixels themselves are whole shows when they are decoded.
 */
export async function checkedCoverType(bytes: Buffer): Promise<CoverUploadType> {
  if (bytes.length === 0) throw invalidImage("The image is empty.");
  const type = COVER_UPLOAD_TYPES.find((each) => SIGNATURES[each](bytes));
  if (type === undefined) throw unsupportedMediaType("image_type_unsupported", UNSUPPORTED);
  const { width, height, pages } = await readableHeader(bytes);
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw tooLarge();
  if (pages > 1) throw unsupportedMediaType("image_type_unsupported", "An animation can't be a cover.");
  return type;
}

export const invalidImage = (detail: string, cause?: unknown): AppError =>
  badRequest("image_invalid", detail, { cause });

async function readableHeader(bytes: Buffer) {
  try {
    return await headerOf(bytes);
  } catch (error) {
    throw invalidImage("The image is damaged or incomplete.", error);
  }
}

const tooLarge = (): AppError =>
  payloadTooLarge(
    "image_too_large",
    `A cover may have at most ${MAX_PIXELS / 1_000_000} megapixels and ${MAX_SIDE} pixels a side.`,
  );

const UNSUPPORTED = "A cover has to be a JPEG, PNG or WebP image.";

/** How each type begins; libvips tells them by the same bytes. */
const SIGNATURES: Readonly<Record<CoverUploadType, (bytes: Buffer) => boolean>> = {
  "image/jpeg": (bytes) => startsWith(bytes, "\xff\xd8\xff"),
  "image/png": (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n"),
  "image/webp": (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP"),
};

const startsWith = (bytes: Buffer, signature: string): boolean =>
  bytes.toString("latin1", 0, signature.length) === signature;
