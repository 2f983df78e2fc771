/** Images as libvips decodes, scales and encodes them, within bounds and the same way each time. */
import sharp, { type Sharp } from "sharp";
import type { CoverContentType } from "../schemas/cover-types.ts";

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
