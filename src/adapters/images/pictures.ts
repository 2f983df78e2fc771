/** What becomes of uploaded covers: checked, re-encoded, resized. Loaded with sharp, when the first image is made. */
import { readFile, stat } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { type AppError, badRequest, payloadTooLarge, unsupportedMediaType } from "../../errors.ts";
import {
  COVER_UPLOAD_TYPES,
  type CoverContentType,
  type CoverUploadType,
  type CoverWidth,
  MAX_COVER_BYTES,
} from "../../schemas/covers.schemas.ts";
import { onDisk } from "../files/storage-errors.ts";

export interface ResizeOptions {
  /** Without one the cover keeps its own width. */
  width?: CoverWidth | undefined;
  contentType: CoverContentType;
}

export async function normalised(path: string): Promise<Picture<CoverUploadType>> {
  const bytes = await onDisk(() => readCover(path));
  const type = await checkedCoverType(bytes);
  try {
    return await encoded(decoded(bytes).autoOrient(), type, "keeping");
  } catch (error) {
    throw invalidImage("The image is damaged or incomplete.", error);
  }
}

export function resized(bytes: Buffer, { width, contentType }: ResizeOptions): Promise<Picture> {
  const image = decoded(bytes);
  const sized = width ? image.resize({ width, withoutEnlargement: true }) : image;
  return encoded(sized, contentType, "sending");
}

async function readCover(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > MAX_COVER_BYTES) throw payloadTooLarge("image_too_large", "A cover must not exceed 10 MB.");
  return readFile(path);
}

// Whether uploaded bytes are an image that can become a cover. Told from its first bytes, before its pixels.

/**
 * Throws 415 for other types and animations, 400 for what has no readable header, 413 for too many pixels. Whether
 * the pixels themselves are whole shows when they are decoded.
 */
async function checkedCoverType(bytes: Buffer): Promise<CoverUploadType> {
  if (bytes.length === 0) throw invalidImage("The image is empty.");
  const type = COVER_UPLOAD_TYPES.find((each) => SIGNATURES[each](bytes));
  if (type === undefined) throw unsupportedMediaType("image_type_unsupported", UNSUPPORTED);
  const { width, height, pages } = await readableHeader(bytes);
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw tooLarge();
  if (pages > 1) throw unsupportedMediaType("image_type_unsupported", "A cover must not be animated.");
  return type;
}

const invalidImage = (detail: string, cause?: unknown): AppError =>
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
    `A cover must not exceed ${MAX_PIXELS / 1_000_000} megapixels and ${MAX_SIDE} pixels per side.`,
  );

const UNSUPPORTED = "A cover must be a JPEG, PNG or WebP image.";

/** How each type begins; libvips tells them by the same bytes. */
const SIGNATURES: Readonly<Record<CoverUploadType, (bytes: Buffer) => boolean>> = {
  "image/jpeg": (bytes) => startsWith(bytes, "\xff\xd8\xff"),
  "image/png": (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n"),
  "image/webp": (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP"),
};

const startsWith = (bytes: Buffer, signature: string): boolean =>
  bytes.toString("latin1", 0, signature.length) === signature;

// Images as libvips decodes, scales and encodes them, within bounds and the same way each time.

export type { Sharp } from "sharp";

// One piece of work uses one thread, and nothing is kept after it.
sharp.cache(false);
sharp.concurrency(1);
// libvips knows many more formats, each with its own decoder. None but these is ever fed, and nothing by its path.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Svg"].map((format) => `VipsForeignLoad${format}Buffer`),
});

/** The versions of all that decodes, scales and encodes. */
export const LIBRARIES = Object.entries(sharp.versions).flat().join(" ");

export const MAX_PIXELS = 40_000_000;
/** The most that WebP holds; a cover may have to become one. */
export const MAX_SIDE = 16_383;

export interface Picture<Type extends string = CoverContentType> {
  bytes: Buffer;
  contentType: Type;
  /** In pixels, as shown: upright. */
  width: number;
  height: number;
}

/**
 * What is cut off or breaks the format is an error. What libvips only warns of is not: bytes between two markers of
 * a JPEG, for example, hurt nobody, and whatever is odd is gone after encoding.
 */
export const decoded = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" });

/** Pixels as they are: red, green, blue and opacity, a byte each. */
export const fromRgba = (bytes: Buffer, size: { width: number; height: number }): Sharp =>
  sharp(bytes, { raw: { ...size, channels: 4 } });

/** A square that holds the whole image, transparent around it. */
export const fitted = (image: Sharp, side: number): Sharp =>
  image.resize({ width: side, height: side, fit: "contain", background: TRANSPARENT });

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/** What the first bytes say; no pixel is decoded, so the size is no matter yet. */
export async function headerOf(bytes: Buffer): Promise<{ width: number; height: number; pages: number }> {
  const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  return { width, height, pages };
}

/** Encodes without metadata, in sRGB with 8 bits a channel. */
export async function encoded<Type extends CoverContentType>(
  image: Sharp,
  contentType: Type,
  purpose: "keeping" | "sending",
): Promise<Picture<Type>> {
  const { data, info } = await ENCODERS[contentType](image, purpose === "keeping").toBuffer({
    resolveWithObject: true,
  });
  return { bytes: data, contentType, width: info.width, height: info.height };
}

/**
 * What is kept is encoded well and fast, for it may be large and becomes other images later; what is sent, small.
 * AVIF at effort 3 takes two thirds of a second for 1200 × 1800 pixels on one core, at 4 more than two seconds.
 */
const ENCODERS: Readonly<Record<CoverContentType, (image: Sharp, isKept: boolean) => Sharp>> = {
  // JPEG has no transparency.
  "image/jpeg": (image, isKept) =>
    image.flatten({ background: "white" }).jpeg(isKept ? { quality: 90 } : { quality: 80, mozjpeg: true }),
  "image/png": (image) => image.png(),
  "image/webp": (image, isKept) => image.webp(isKept ? { quality: 90, effort: 2 } : { quality: 80 }),
  "image/avif": (image) => image.avif({ quality: 55, effort: 3, chromaSubsampling: "4:2:0" }),
};
