/** Covers as pixels: checked and re-encoded, resized, and drawn from a title where there is none. */
import { readFile, stat } from "node:fs/promises";
import { payloadTooLarge, unavailable } from "../errors.ts";
import {
  type CoverContentType,
  type CoverUploadType,
  type CoverWidth,
  MAX_COVER_BYTES,
} from "../schemas/cover-types.ts";
import { checkedCoverType, invalidImage } from "./cover-check.ts";
import { onDisk } from "./file-store-faults.ts";
import { decoded, encoded, LIBRARIES, type Picture } from "./pixels.ts";
import { drawPlaceholder } from "./placeholder-drawing.ts";
import { PlaceholderFonts } from "./placeholder-fonts.ts";
import { PlaceholderText } from "./placeholder-text.ts";
import { Slots } from "./slots.ts";

/** libvips works on a thread of the pool that also hashes passwords and reads files; one is left for reading. */
const AT_ONCE = 1;
const MAX_WAITING = 50;

/**
 * What the bytes of a cover depend on beside its source; part of the name under which they are kept. Raise the number
 * with every change of a setting, of the drawing or of a font.
 */
export const COVER_ENCODER = `1 ${LIBRARIES}`;

export interface ResizeOptions {
  /** Without one the cover keeps its own width. */
  width?: CoverWidth | undefined;
  contentType: CoverContentType;
}

export interface PlaceholderOptions {
  title: string;
  /** BCP 47: chooses between the forms that Chinese, Japanese and Korean have of one character. */
  languageCode: string;
  direction: "ltr" | "rtl";
  width: CoverWidth;
  contentType: CoverContentType;
}

/**
 * One image is worked on at a time; with too many waiting, each method throws 503 `images_busy` with Retry-After.
 * The same input gives the same bytes, as long as the versions of sharp and of the fonts stay.
 */
export class CoverImages {
  readonly #slots = new Slots(AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooManyImages });
  readonly #fonts = new PlaceholderFonts();

  /**
   * An uploaded image, turned upright by its EXIF, in sRGB, without metadata, in its own format.
   * Throws 415 `image_type_unsupported`, 400 `image_invalid` (empty, cut off, undecodable), 413 `image_too_large`
   * (more than 40 megapixels, 16,383 pixels a side or 10 MB).
   */
  normalise(path: string): Promise<Picture<CoverUploadType>> {
    return this.#slots.run(async () => {
      const bytes = await onDisk(() => readCover(path));
      const type = await checkedCoverType(bytes);
      try {
        return await encoded(decoded(bytes).autoOrient(), type, "keeping");
      } catch (error) {
        throw invalidImage("The image is damaged or incomplete.", error);
      }
    });
  }

  /**
   * A normalised image at one of the widths; one that is narrower keeps its own.
   * @param read the image's bytes; called when its turn has come, so that waiting holds no memory
   */
  resize(read: () => Promise<Buffer>, { width, contentType }: ResizeOptions): Promise<Picture> {
    return this.#slots.run(async () => {
      const image = decoded(await read());
      return encoded(
        width ? image.resize({ width, withoutEnlargement: true }) : image,
        contentType,
        "sending",
      );
    });
  }

  /** A cover of 2:3 that shows the title in its own script and direction. */
  placeholder({ title, width, contentType, ...language }: PlaceholderOptions): Promise<Picture> {
    return this.#slots.run(async () => {
      const text = await PlaceholderText.prepare({ text: title, ...language }, this.#fonts);
      return encoded(decoded(drawPlaceholder(text, width)).removeAlpha(), contentType, "sending");
    });
  }
}

async function readCover(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > MAX_COVER_BYTES) throw payloadTooLarge("image_too_large", "A cover may have at most 10 MB.");
  return readFile(path);
}

function tooManyImages() {
  return unavailable("images_busy", "Too many images are being made at this moment. Try again shortly.", {
    headers: { "Retry-After": "2" },
  });
}
