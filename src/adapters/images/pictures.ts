/** Checks, re-encodes and resizes pictures. Runs in the process of pictures, which is bounded: foreign ones can ask for any work. */
import sharp, { type Sharp } from "sharp";
import { type AppError, badRequest, payloadTooLarge, unsupportedMediaType } from "../../errors.ts";
import {
  COVER_UPLOAD_TYPES,
  type CoverContentType,
  type CoverStoredType,
  type CoverUploadType,
  type CoverWidth,
} from "../../schemas/covers.schemas.ts";
import { announceLargeWork } from "../watched-process/watched-work.ts";
import { findPictureType } from "./picture-types.ts";
import { stripPicture } from "./stripping/strip-picture.ts";

export interface ResizeOptions {
  /** If undefined, the cover keeps its width. */
  width?: CoverWidth | undefined;
  contentType: CoverContentType;
}

export function normaliseUpload(given: Buffer): Promise<Picture<CoverStoredType>> {
  const type = detectCoverType(given);
  const storedType = type === "image/gif" ? "image/png" : type;
  return drawUpload(given, type, (image) => encodePicture(image, storedType, "keeping"));
}

/** Twice as large as pages show it; even noise stays below a mebibyte. */
const LOGO = { width: 640, height: 320 };

export function drawLogo(given: Buffer): Promise<Picture<"image/png">> {
  return drawUpload(given, detectCoverType(given), (image) => {
    const fitted = image.resize({ ...LOGO, fit: "inside", withoutEnlargement: true });
    return encodePicture(fitted, "image/png", "keeping");
  });
}

/**
 * Of a GIF, its first frame: scanned and old covers often are one.
 * @throws AppError 400 for what can't be decoded, 415 for another animation, 413 for too many pixels
 */
async function drawUpload<T>(
  given: Buffer,
  type: CoverUploadType,
  draw: (image: Sharp) => Promise<T>,
): Promise<T> {
  const { bytes, pages } = await readForeign(given);
  if (pages > 1 && type !== "image/gif")
    throw unsupportedMediaType("image_type_unsupported", "An image must not be animated.");
  try {
    return await draw(decodePicture(bytes).autoOrient());
  } catch (error) {
    throw invalidImage("The image is damaged or incomplete.", error);
  }
}

export async function resizePicture(given: Buffer, { width, contentType }: ResizeOptions): Promise<Picture> {
  const image = decodePicture((await readForeign(given)).bytes);
  const sized = width ? image.resize({ width, withoutEnlargement: true }) : image;
  return encodePicture(sized, contentType, "sending");
}

/** A square PNG that contains the whole image, with transparent margins. */
export async function fitPicture(given: Buffer, side: number): Promise<Picture<"image/png">> {
  const image = decodePicture(stripPicture(given));
  const fitted = image.resize({ width: side, height: side, fit: "contain", background: TRANSPARENT });
  return encodePicture(fitted, "image/png", "sending");
}

/** Black squares on white, each of the same number of pixels; what is left of the size is a wider margin. */
export async function drawSquares(
  squares: Buffer,
  { side, size }: { side: number; size: number },
): Promise<Picture<"image/png">> {
  const pixels = squares.map((isDark) => (isDark === 0 ? 255 : 0));
  const drawn = side * Math.floor(size / side);
  const before = Math.floor((size - drawn) / 2);
  const after = size - drawn - before;
  const image = sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .resize({ width: drawn, height: drawn, kernel: "nearest" })
    .extend({ top: before, bottom: after, left: before, right: after, background: "white" });
  return encodePicture(image, "image/png", "sending");
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/** Vectors are drawn to fit into this, as large covers are. */
const DRAWN = { width: 1200, height: 1800 };
/** Of an SVG without a scale. */
const USUAL_DENSITY = 72;
const MAX_DENSITY = 7200;

/**
 * A picture of a book as one that can be uploaded: the same bytes, or as PNG the first frame of a GIF or animated WebP, or
 * a drawn SVG. @throws Error if it is damaged
 */
export async function makeStorable(given: Buffer): Promise<Buffer> {
  const type = findPictureType(given);
  if (type === "svg") return drawVector(given);
  if (type === "jpeg" || type === "png") return given;
  const { bytes, pages } = await readForeign(given);
  if (type === "webp" && pages === 1) return given;
  return (await encodePicture(decodePicture(bytes), "image/png", "keeping")).bytes;
}

/** Files that it refers to aren't loaded: libvips gives librsvg no address for them. */
async function drawVector(bytes: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  const scale = Math.min(DRAWN.width / width, DRAWN.height / height);
  const density = Math.min(MAX_DENSITY, Math.max(1, USUAL_DENSITY * scale));
  const drawn = sharp(bytes, { limitInputPixels: MAX_PIXELS, density });
  return drawn.flatten({ background: "white" }).png().toBuffer();
}

// Checks from the header what a picture is. Errors in the pixel data are detected when it is decoded.

/** By its first bytes. Throws 415 for other types. */
function detectCoverType(bytes: Buffer): CoverUploadType {
  if (bytes.length === 0) throw invalidImage("The image is empty.");
  const type = COVER_UPLOAD_TYPES.find((each) => SIGNATURES[each](bytes));
  if (type === undefined) throw unsupportedMediaType("image_type_unsupported", UNSUPPORTED);
  return type;
}

/**
 * The bytes that are drawn, and the number of frames. No pixels are decoded.
 * @throws AppError 400 for an unreadable header, 413 for too many pixels
 */
async function readForeign(given: Buffer): Promise<{ bytes: Buffer; pages: number }> {
  const bytes = stripPicture(given);
  const { width, height, pages = 1 } = await readHeader(bytes);
  const pixels = width * height;
  if (pixels > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw tooLarge();
  if (pixels > LARGE_PIXELS) announceLargeWork();
  return { bytes, pages };
}

const invalidImage = (detail: string, cause?: unknown): AppError =>
  badRequest("image_invalid", detail, { cause });

/** The size isn't limited here, so that the error can name the limit. */
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
    `An image must not exceed ${MAX_PIXELS / 1_000_000} megapixels and ${MAX_SIDE} pixels per side.`,
  );

const UNSUPPORTED = "The image must be a JPEG, PNG, WebP or GIF image.";

/** The signature of each type; libvips recognises types by the same bytes. */
const SIGNATURES: Readonly<Record<CoverUploadType, (bytes: Buffer) => boolean>> = {
  "image/jpeg": (bytes) => startsWith(bytes, "\xff\xd8\xff"),
  "image/png": (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n"),
  "image/webp": (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP"),
  "image/gif": (bytes) => startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a"),
};

const startsWith = (bytes: Buffer, signature: string): boolean =>
  bytes.toString("latin1", 0, signature.length) === signature;

// Decodes, scales and encodes images with libvips, within limits and reproducibly.

// Each operation uses one thread, and nothing is cached.
sharp.cache(false);
sharp.concurrency(1);
// libvips supports many more formats, each with its own decoder. Only these are enabled, and images are never read by
// path.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Gif", "Nsgif", "Svg"].map((format) => `VipsForeignLoad${format}Buffer`),
});

/** The versions of all libraries that decode, scale and encode. */
export const LIBRARIES = Object.entries(sharp.versions).flat().join(" ");

const MAX_PIXELS = 40_000_000;
/** More need more memory than the usual limit. */
const LARGE_PIXELS = 10_000_000;
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
const decodePicture = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" });

/** Raw pixels: red, green, blue and opacity, one byte each. */
export const createFromRgba = (bytes: Buffer, size: { width: number; height: number }): Sharp =>
  sharp(bytes, { raw: { ...size, channels: 4 } });

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
