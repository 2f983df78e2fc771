/** Creates cover images in a process of its own: checks and re-encodes uploads, resizes them, and draws placeholders. */
import { currentRequest } from "../../db/request-scope.ts";
import { AppError, badRequest, payloadTooLarge, unavailable, unsupportedMediaType } from "../../errors.ts";
import { messageOf } from "../../lib/node-errors.ts";
import { COVER_STORED_TYPES, type CoverStoredType, MAX_COVER_BYTES } from "../../schemas/covers.schemas.ts";
import { clientHasLeft, FairQueue, findPresentUser } from "../fair-queue.ts";
import type { Inspectable } from "../files/file-store.ts";
import { onDisk } from "../files/storage-errors.ts";
import type { Scheduler } from "../system.ts";
import {
  type Allowance,
  EndedError,
  WatchedProcess,
  type WorkLimits,
} from "../watched-process/watched-process.ts";
import { type PictureOutcome, type PictureQuestion, pictureOutcome } from "./picture-messages.ts";
import { findPictureType } from "./picture-types.ts";
import type { Picture, ResizeOptions } from "./pictures.ts";
import type { PlaceholderOptions } from "./placeholder.ts";

/** Increase this with every change of an encoder setting, the drawing or a font. */
const ENCODER = 2;

/** More than the uncached covers of one page. */
const MAX_OF_ONE = 50;
const MAX_OF_ALL_READERS = 500;
const IMAGES_BUSY = "images_busy";
const RETRY = { headers: { "Retry-After": "2" } };

const MEBIBYTE = 1024 * 1024;

/** Large pictures have more than 10 megapixels; progressive and interlaced ones are decoded as a whole. */
const LIMITS: WorkLimits = {
  memoryBytes: 256 * MEBIBYTE,
  largeMemoryBytes: 768 * MEBIBYTE,
  timeMs: 20_000,
};

interface CoverImagesOptions {
  limits?: WorkLimits;
  schedule?: Scheduler;
}

interface WorkOptions {
  allowance?: Allowance | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Processes one image at a time, in turns by client. If too many images wait, each method throws 503 `images_busy` with
 * Retry-After. The same input produces the same bytes with the same versions of sharp and the fonts. The process starts
 * with the first image; if the libraries can't be loaded, each method throws 503 `images_unavailable`.
 */
export class CoverImages {
  readonly #process: WatchedProcess;
  readonly #queue = new FairQueue({
    maxOfOne: MAX_OF_ONE,
    maxOfAllReaders: MAX_OF_ALL_READERS,
    createError: () =>
      unavailable(IMAGES_BUSY, "Too many images are being processed. Try again shortly.", RETRY),
  });
  /** Shared by callers that come at the same time. */
  #encoder: Promise<string> | undefined;

  constructor({ limits = LIMITS, schedule }: CoverImagesOptions = {}) {
    const script = new URL("./picture-process.ts", import.meta.url);
    this.#process = new WatchedProcess({ script, limits, ...(schedule && { schedule }) });
  }

  /** Ends the process. */
  close(): Promise<void> {
    return this.#process.close();
  }

  /** Identifies everything besides the source that determines the bytes of a cover; part of its cache key. */
  describeEncoder(): Promise<string> {
    this.#encoder ??= this.#describeEncoder().catch((error: unknown) => {
      this.#encoder = undefined;
      throw error;
    });
    return this.#encoder;
  }

  #describeEncoder(): Promise<string> {
    return this.#queue.run(findPresentUser(), async () => {
      const outcome = await this.#ask({ task: "describe" });
      if (!("libraries" in outcome)) throw toError(outcome);
      return `${ENCODER} ${outcome.libraries}`;
    });
  }

  /**
   * An uploaded image, rotated according to its EXIF data, in sRGB, without metadata, in its own format. Throws 415
   * `image_type_unsupported`, 400 `image_invalid` (empty, truncated, undecodable), 413 `image_too_large` (more than 40
   * megapixels, 16,383 pixels a side or 10 MB, or than the permitted memory and time). Given up when the client leaves.
   */
  normalise(upload: Inspectable): Promise<Picture<CoverStoredType>> {
    const signal = currentRequest()?.signal;
    const work = async () => {
      const outcome = await this.#askOfForeign(
        { task: "normalise", bytes: await readCover(upload) },
        { signal },
      );
      if (!("picture" in outcome)) throw toError(outcome);
      const contentType = COVER_STORED_TYPES.find((type) => type === outcome.picture.contentType);
      if (contentType === undefined) throw toError(outcome);
      return { ...toPicture(outcome.picture), contentType };
    };
    return this.#queue.run(findPresentUser(), work, signal);
  }

  /** Whether `normalise` would take these bytes: throws like it. */
  async assertUsable(bytes: Buffer, { signal }: Pick<WorkOptions, "signal"> = {}): Promise<void> {
    assertCoverSize(bytes.length);
    const work = () => this.#askOfForeign({ task: "normalise", bytes }, { signal });
    await this.#queue.run(findPresentUser(), work, signal);
  }

  /**
   * A picture in a book as one that can be uploaded: the first frame of a GIF or animated WebP, and a drawn SVG, as PNG.
   * Throws like `normalise`.
   */
  async makeStorable(picture: Buffer, options: WorkOptions = {}): Promise<Buffer> {
    const type = findPictureType(picture);
    if (type === "jpeg" || type === "png") return picture;
    const work = async () => {
      const outcome = await this.#askOfForeign({ task: "makeStorable", bytes: picture }, options);
      if (!("bytes" in outcome)) throw toError(outcome);
      return toBuffer(outcome.bytes);
    };
    return this.#queue.run(findPresentUser(), work, options.signal);
  }

  /**
   * A normalised image at one of the widths; a narrower image isn't enlarged.
   * @param read the image's bytes; called when the image is processed, so that waiting images need no memory
   */
  resize(read: () => Promise<Buffer>, options: ResizeOptions, client = findPresentUser()): Promise<Picture> {
    return this.#queue.run(client, async () => this.#make({ task: "resize", bytes: await read(), options }));
  }

  /** A 2:3 cover that shows the title in its own script and direction. */
  drawPlaceholder(options: PlaceholderOptions, client = findPresentUser()): Promise<Picture> {
    return this.#queue.run(client, () => this.#make({ task: "placeholder", options }));
  }

  /** An uploaded logo as PNG, at most 640 × 320 pixels, without metadata. Throws like `normalise`. */
  drawLogo(upload: Inspectable): Promise<Picture<"image/png">> {
    const signal = currentRequest()?.signal;
    const work = async () => {
      const question = { task: "logo", bytes: await readCover(upload) } as const;
      const outcome = await this.#askOfForeign(question, { signal });
      if (!("picture" in outcome)) throw toError(outcome);
      return { ...toPicture(outcome.picture), contentType: "image/png" } as const;
    };
    return this.#queue.run(findPresentUser(), work, signal);
  }

  /** 256 × 256 pixels, with transparent margins if the image isn't square. */
  async drawFavicon(bytes: Buffer): Promise<Picture<"image/png">> {
    const picture = await this.#queue.run(findPresentUser(), () => this.#make({ task: "favicon", bytes }));
    return { ...picture, contentType: "image/png" };
  }

  /** A square PNG of this size. @param squares in rows, as many as one row has; the size has a pixel for each at least */
  async drawSquares(squares: readonly (readonly boolean[])[], size: number): Promise<Picture<"image/png">> {
    const bytes = Uint8Array.from(squares.flat(), Number);
    const question = { task: "squares", bytes, side: squares.length, size } as const;
    const picture = await this.#queue.run(findPresentUser(), () => this.#make(question));
    return { ...picture, contentType: "image/png" };
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

  /** Of a stored cover, a title, the favicon or a code. */
  async #make(question: PictureQuestion): Promise<Picture> {
    try {
      const outcome = await this.#ask(question);
      if ("picture" in outcome) return toPicture(outcome.picture);
      throw toError(outcome);
    } catch (cause) {
      if (!(cause instanceof EndedError)) throw cause;
      throw unavailable("cover_unavailable", "The image can't be created at the moment.", {
        cause,
        ...RETRY,
      });
    }
  }

  /** What is wrong with a foreign picture is an error of its sender. */
  async #askOfForeign(question: PictureQuestion, options: WorkOptions): Promise<PictureOutcome> {
    try {
      const outcome = await this.#ask(question, options);
      if ("rejection" in outcome) throw toAppError(outcome.rejection);
      if ("failure" in outcome)
        throw toAppError({ code: "image_invalid", detail: DAMAGED, reason: outcome.failure });
      return outcome;
    } catch (cause) {
      throw cause instanceof EndedError ? explainEnd(cause) : cause;
    }
  }

  async #ask(question: PictureQuestion, options: WorkOptions = {}): Promise<PictureOutcome> {
    try {
      const outcome = pictureOutcome.parse(await this.#process.ask(question, options));
      if ("unavailable" in outcome) throw imagesUnavailable(new Error(outcome.unavailable));
      return outcome;
    } catch (error) {
      if (error instanceof EndedError && (error.reason === "start" || error.reason === "closed"))
        throw imagesUnavailable(error);
      throw error;
    }
  }
}

function assertCoverSize(sizeBytes: number): void {
  if (sizeBytes > MAX_COVER_BYTES)
    throw payloadTooLarge("image_too_large", "An image must not exceed 10 MB.");
}

async function readCover({ sizeBytes, open }: Inspectable): Promise<Buffer> {
  assertCoverSize(sizeBytes);
  return onDisk(async () => {
    await using file = await open();
    return await file.readFile();
  });
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const toPicture = <P extends { bytes: Uint8Array }>(picture: P) => ({
  ...picture,
  bytes: toBuffer(picture.bytes),
});

const DAMAGED = "The image is damaged or incomplete.";

type Rejection = Extract<PictureOutcome, { rejection: unknown }>["rejection"];

function toAppError({ code, detail, reason }: Rejection): AppError {
  const options = reason === undefined ? {} : { cause: new Error(reason) };
  switch (code) {
    case "image_invalid":
      return badRequest(code, detail, options);
    case "image_too_large":
      return payloadTooLarge(code, detail, options);
    case "image_type_unsupported":
      return unsupportedMediaType(code, detail, options);
  }
}

/** The process has ended while it decoded a foreign picture. */
function explainEnd(cause: EndedError): AppError {
  switch (cause.reason) {
    case "time":
    case "memory":
      return payloadTooLarge("image_too_large", `Decoding the image is too much work. ${cause.message}`, {
        cause,
      });
    case "left":
      return clientHasLeft();
    case "crash":
      return badRequest("image_invalid", DAMAGED, { cause });
    default:
      return unavailable(IMAGES_BUSY, "The system has ended the process that decodes images. Try again.", {
        cause,
        ...RETRY,
      });
  }
}

const imagesUnavailable = (cause: Error): AppError =>
  unavailable("images_unavailable", "This installation can't process images.", { cause });

/** The picture of an installation: a stored cover, a title, the favicon. */
function toError(outcome: PictureOutcome): Error {
  if ("rejection" in outcome) return new Error(outcome.rejection.detail);
  return new Error("failure" in outcome ? outcome.failure : "The process of images has sent something else.");
}
