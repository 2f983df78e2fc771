/** Pictures in files of books: those of types that can't be uploaded become PNG. */
import sharp from "sharp";
import { findPictureType } from "./picture-types.ts";

// Runs in the process that reads metadata, which is bounded: an SVG can ask for any amount of work.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Gif", "Nsgif", "Svg"].map((format) => `VipsForeignLoad${format}Buffer`),
});

const MAX_PIXELS = 40_000_000;
/** Vectors are drawn to fit into this, as large covers are. */
const DRAWN = { width: 1200, height: 1800 };
/** Of an SVG without a scale. */
const USUAL_DENSITY = 72;
const MAX_DENSITY = 7200;

/** The bytes of a JPEG, PNG or WebP image: the same, or the first frame of a GIF or animated WebP, or a drawn SVG. */
export async function makeStorable(bytes: Buffer): Promise<Buffer> {
  const type = findPictureType(bytes);
  if (type === "svg") return drawVector(bytes);
  const options = { limitInputPixels: MAX_PIXELS };
  const isAnimated = type === "webp" && ((await sharp(bytes, options).metadata()).pages ?? 1) > 1;
  return type === "gif" || isAnimated ? sharp(bytes, options).png().toBuffer() : bytes;
}

/** Files that it refers to aren't loaded: libvips gives librsvg no address for them. */
async function drawVector(bytes: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  const scale = Math.min(DRAWN.width / width, DRAWN.height / height);
  const density = Math.min(MAX_DENSITY, Math.max(1, USUAL_DENSITY * scale));
  const drawn = sharp(bytes, { limitInputPixels: MAX_PIXELS, density });
  return drawn.flatten({ background: "white" }).png().toBuffer();
}
