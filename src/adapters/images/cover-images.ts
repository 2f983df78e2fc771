/** Covers as pixels: checked and re-encoded, resized, and drawn from a title where there is none. */
import { AppError, unavailable } from "../../errors.ts";
import type { CoverUploadType } from "../../schemas/covers.schemas.ts";
import { IMAGES_BUSY, type ImageAsker, ImageQueue } from "./image-queue.ts";
import type { Picture, ResizeOptions } from "./pictures.ts";
import type { PlaceholderOptions } from "./placeholder.ts";

/** Raise it with every change of a setting, of the drawing or of a font. */
const ENCODER = 2;

const ADMINISTRATOR: ImageAsker = { kind: "administrator" };

/**
 * One image is worked on at a time, since libvips works on a thread of the pool that also hashes passwords and reads
 * files; with too many waiting, each method throws 503 `images_busy` with Retry-After.
 * The same input gives the same bytes, as long as the versions of sharp and of the fonts stay. The libraries are loaded
 * by the first call: where they can't be, each throws 503 `images_unavailable`.
 */
export class CoverImages {
  readonly #queue = new ImageQueue();

  /** What the bytes of a cover depend on beside its source; part of the name under which they are kept. */
  async encoder(): Promise<string> {
    const { LIBRARIES } = await loaded(import("./pictures.ts"));
    return `${ENCODER} ${LIBRARIES}`;
  }

  /**
   * An uploaded image, turned upright by its EXIF, in sRGB, without metadata, in its own format.
   * Throws 415 `image_type_unsupported`, 400 `image_invalid` (empty, cut off, undecodable), 413 `image_too_large`
   * (more than 40 megapixels, 16,383 pixels a side or 10 MB).
   */
  normalise(path: string): Promise<Picture<CoverUploadType>> {
    return this.#queue.run(ADMINISTRATOR, async () => {
      const { normalised } = await loaded(import("./pictures.ts"));
      return normalised(path);
    });
  }

  /**
   * A normalised image at one of the widths; one that is narrower keeps its own.
   * @param read the image's bytes; called when its turn has come, so that waiting holds no memory
   */
  resize(read: () => Promise<Buffer>, options: ResizeOptions, asker = ADMINISTRATOR): Promise<Picture> {
    return this.#queue.run(asker, async () => {
      const { resized } = await loaded(import("./pictures.ts"));
      return resized(await read(), options);
    });
  }

  /** A cover of 2:3 that shows the title in its own script and direction. */
  placeholder(options: PlaceholderOptions, asker = ADMINISTRATOR): Promise<Picture> {
    return this.#queue.run(asker, async () => {
      const { placeholderOf } = await loaded(import("./placeholder.ts"));
      return placeholderOf(options);
    });
  }

  /** Why no image can be made on this installation, fit for an administrator; undefined when one can. */
  async error(): Promise<string | undefined> {
    const language = { languageCode: "en", direction: "ltr" } as const;
    try {
      await this.placeholder({ title: "A", width: 160, contentType: "image/png", ...language });
    } catch (error) {
      // Whoever is busy works.
      if (error instanceof AppError && error.code === IMAGES_BUSY) return undefined;
      const reason = error instanceof AppError && error.cause !== undefined ? error.cause : error;
      return reason instanceof Error ? reason.message : String(reason);
    }
    return undefined;
  }
}

/** Where nobody asks for an image, neither the start nor the memory pays for it. Many at once share one load. */
async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (cause) {
    throw unavailable("images_unavailable", "This installation can't process images.", { cause });
  }
}
