/** Creates cover images: checks and re-encodes uploads, resizes them, and draws placeholders. */
import { AppError, unavailable } from "../../errors.ts";
import { messageOf } from "../../lib/node-errors.ts";
import type { CoverUploadType } from "../../schemas/covers.schemas.ts";
import type { Inspectable } from "../files/file-store.ts";
import { IMAGES_BUSY, type ImageClient, ImageQueue } from "./image-queue.ts";
import type { Picture, ResizeOptions } from "./pictures.ts";
import type { PlaceholderOptions } from "./placeholder.ts";

/** Increase this with every change of an encoder setting, the drawing or a font. */
const ENCODER = 2;

const ADMINISTRATOR: ImageClient = { kind: "administrator" };

/**
 * Processes one image at a time, because libvips uses a thread of the pool that also hashes passwords and reads files.
 * If too many images wait, each method throws 503 `images_busy` with Retry-After. The same input produces the same
 * bytes with the same versions of sharp and the fonts. The libraries are loaded at the first call; if that fails, each
 * method throws 503 `images_unavailable`.
 */
export class CoverImages {
  readonly #queue = new ImageQueue();

  /** Identifies everything besides the source that determines the bytes of a cover; part of its cache key. */
  async describeEncoder(): Promise<string> {
    const { LIBRARIES } = await loadPart(import("./pictures.ts"));
    return `${ENCODER} ${LIBRARIES}`;
  }

  /**
   * An uploaded image, rotated according to its EXIF data, in sRGB, without metadata, in its own format. Throws 415
   * `image_type_unsupported`, 400 `image_invalid` (empty, truncated, undecodable), 413 `image_too_large` (more than 40
   * megapixels, 16,383 pixels a side or 10 MB).
   */
  normalise(upload: Inspectable): Promise<Picture<CoverUploadType>> {
    return this.#queue.run(ADMINISTRATOR, async () => {
      const { normaliseUpload } = await loadPart(import("./pictures.ts"));
      return normaliseUpload(upload);
    });
  }

  /**
   * A normalised image at one of the widths; a narrower image isn't enlarged.
   * @param read the image's bytes; called when the image is processed, so that waiting images need no memory
   */
  resize(read: () => Promise<Buffer>, options: ResizeOptions, client = ADMINISTRATOR): Promise<Picture> {
    return this.#queue.run(client, async () => {
      const { resizePicture } = await loadPart(import("./pictures.ts"));
      return resizePicture(await read(), options);
    });
  }

  /** A 2:3 cover that shows the title in its own script and direction. */
  drawPlaceholder(options: PlaceholderOptions, client = ADMINISTRATOR): Promise<Picture> {
    return this.#queue.run(client, async () => {
      const { drawPlaceholder } = await loadPart(import("./placeholder.ts"));
      return drawPlaceholder(options);
    });
  }

  /** The reason why this installation can't create images, for an administrator; undefined if it can. */
  async findError(): Promise<string | undefined> {
    const language = { languageCode: "en", direction: "ltr" } as const;
    try {
      await this.drawPlaceholder({ title: "A", width: 160, contentType: "image/png", ...language });
    } catch (error) {
      // A full queue means that images are being created.
      if (error instanceof AppError && error.code === IMAGES_BUSY) return undefined;
      const reason = error instanceof AppError && error.cause !== undefined ? error.cause : error;
      return messageOf(reason);
    }
    return undefined;
  }
}

/**
 * Loads a library at first use, so that neither the start nor the memory pays for unused ones. Concurrent callers share
 * one import.
 */
async function loadPart<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (cause) {
    throw unavailable("images_unavailable", "This installation can't process images.", { cause });
  }
}
