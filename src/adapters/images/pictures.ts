/** Checks, re-encodes and resizes uploaded covers. Imported with sharp, when the first image is created. */
import sharp, { type Sharp } from "sharp";
import { type AppError, badRequest, payloadTooLarge, unsupportedMediaType } from "../../errors.ts";
import {
  COVER_UPLOAD_TYPES,
  type CoverContentType,
  type CoverUploadType,
  type CoverWidth,
  MAX_COVER_BYTES,
} from "../../schemas/covers.schemas.ts";
import type { Inspectable } from "../files/file-store.ts";
import { onDisk } from "../files/storage-errors.ts";

export interface ResizeOptions {
  /** If undefined, the cover keeps its width. */
  width?: CoverWidth | undefined;
  contentType: CoverContentType;
}

export async function normaliseUpload(upload: Inspectable): Promise<Picture<CoverUploadType>> {
  const bytes = await onDisk(() => readCover(upload));
  const type = await detectCoverType(bytes);
  try {
    return await encodePicture(decodePicture(bytes).autoOrient(), type, "keeping");
  } catch (error) {
    throw invalidImage("The image is damaged or incomplete.", error);
  }
}

export function resizePicture(bytes: Buffer, { width, contentType }: ResizeOptions): Promise<Picture> {
  const image = decodePicture(bytes);
  const sized = width ? image.resize({ width, withoutEnlargement: true }) : image;
  return encodePicture(sized, contentType, "sending");
}

async function readCover({ sizeBytes, open }: Inspectable): Promise<Buffer> {
  if (sizeBytes > MAX_COVER_BYTES) throw payloadTooLarge("image_too_large", "A cover must not exceed 10 MB.");
  await using file = await open();
  return await file.readFile();
}

// Checks from the header whether an upload can become a cover.

/**
 * Throws 415 for other types and animations, 400 for an unreadable header, 413 for too many pixels. Errors in the pixel
 * data are detected when it is decoded.
 */
async function detectCoverType(bytes: Buffer): Promise<CoverUploadType> {
  if (bytes.length === 0) throw invalidImage("The image is empty.");
  const type = COVER_UPLOAD_TYPES.find((each) => SIGNATURES[each](bytes));
  if (type === undefined) throw unsupportedMediaType("image_type_unsupported", UNSUPPORTED);
  const { width, height, pages = 1 } = await readHeader(bytes);
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw tooLarge();
  if (pages > 1) throw unsupportedMediaType("image_type_unsupported", "A cover must not be animated.");
  return type;
}

const invalidImage = (detail: string, cause?: unknown): AppError =>
  badRequest("image_invalid", detail, { cause });

/** No pixels are decoded, so the size isn't limited here. */
async function readHeader(bytes: Buffer) {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
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

/** The signature of each type; libvips recognises types by the same bytes. */
const SIGNATURES: Readonly<Record<CoverUploadType, (bytes: Buffer) => boolean>> = {
  "image/jpeg": (bytes) => startsWith(bytes, "\xff\xd8\xff"),
  "image/png": (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n"),
  "image/webp": (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP"),
};

const startsWith = (bytes: Buffer, signature: string): boolean =>
  bytes.toString("latin1", 0, signature.length) === signature;

// Decodes, scales and encodes images with libvips, within limits and reproducibly.

export type { Sharp } from "sharp";

// Each operation uses one thread, and nothing is cached.
sharp.cache(false);
sharp.concurrency(1);
// libvips supports many more formats, each with its own decoder. Only these are enabled, and images are never read by
// path.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Svg"].map((format) => `VipsForeignLoad${format}Buffer`),
});

/** The versions of all libraries that decode, scale and encode. */
export const LIBRARIES = Object.entries(sharp.versions).flat().join(" ");

const MAX_PIXELS = 40_000_000;
/** The maximum side length of WebP, into which every cover can be converted. */
const MAX_SIDE = 16_383;

export interface Picture<Type extends string = CoverContentType> {
  bytes: Buffer;
  contentType: Type;
  /** In pixels, after rotation. */
  width: number;
  height: number;
}

/**
 * Truncated or invalid images are errors. Conditions that libvips only warns of are accepted, such as extra bytes
 * between two markers of a JPEG: they are harmless and disappear with re-encoding.
 */
export const decodePicture = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" });

/** Raw pixels: red, green, blue and opacity, one byte each. */
export const createFromRgba = (bytes: Buffer, size: { width: number; height: number }): Sharp =>
  sharp(bytes, { raw: { ...size, channels: 4 } });

/** A square that contains the whole image, with transparent margins. */
export const fitPicture = (image: Sharp, side: number): Sharp =>
  image.resize({ width: side, height: side, fit: "contain", background: TRANSPARENT });

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/** Encodes without metadata, in sRGB with 8 bits per channel. */
export async function encodePicture<Type extends CoverContentType>(
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
 * Stored images are encoded fast and in high quality, because they can be large and are the source of other images;
 * sent images are encoded small. AVIF takes two thirds of a second for 1200 × 1800 pixels on one core at effort 3, and
 * more than two seconds at effort 4.
 */
const ENCODERS: Readonly<Record<CoverContentType, (image: Sharp, isKept: boolean) => Sharp>> = {
  // JPEG doesn't support transparency.
  "image/jpeg": (image, isKept) =>
    image.flatten({ background: "white" }).jpeg(isKept ? { quality: 90 } : { quality: 80, mozjpeg: true }),
  "image/png": (image) => image.png(),
  "image/webp": (image, isKept) => image.webp(isKept ? { quality: 90, effort: 2 } : { quality: 80 }),
  "image/avif": (image) => image.avif({ quality: 55, effort: 3, chromaSubsampling: "4:2:0" }),
};
