/** Leaves out of a picture what isn't drawn, before a decoder sees it. */
import { findPictureType } from "../picture-types.ts";
import { stripJpeg } from "./jpeg.ts";
import { stripPng } from "./png.ts";
import { stripWebp } from "./webp.ts";

/**
 * libvips inflates, parses and keeps texts, EXIF and profiles before any limit is asked. What is left is bounded by the
 * size of the file and the number of pixels. The orientation and a colour profile of a usual size are kept.
 * A damaged picture stays one.
 */
export function stripPicture(bytes: Buffer): Buffer {
  switch (findPictureType(bytes)) {
    case "jpeg":
      return stripJpeg(bytes);
    case "png":
      return stripPng(bytes);
    case "webp":
      return stripWebp(bytes);
    default:
      return bytes;
  }
}
