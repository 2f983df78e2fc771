/** Covers as they are sent: made once for each width and type, kept on the disk, and the last ones in memory. */

import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import type { FileCache } from "../../adapters/files/file-cache.ts";
import type { FileStore } from "../../adapters/files/file-store.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import type { ImageAsker } from "../../adapters/images/image-queue.ts";
import type { Logger } from "../../adapters/logger.ts";
import { unavailable } from "../../errors.ts";
import type { CoverContentType, CoverWidth } from "../../schemas/covers.schemas.ts";
import { type Image, type ImageBytes, type ImageFile, openBytes } from "../results.ts";

/** What a cover is made from: an image that was uploaded, or a title. */
export type CoverSource =
  | { kind: "stored"; contentType: CoverContentType; sha256: string; fileSizeBytes: number }
  | {
      kind: "title";
      contentType: CoverContentType;
      title: string;
      languageCode: string;
      direction: "ltr" | "rtl";
    };

export interface VariantOptions {
  width: CoverWidth;
  contentType: CoverContentType;
}

const RECENT_BYTES = 32 * 1024 * 1024;
/** Larger ones are sent from the disk, through buffers of a bounded size: readers who are slow hold nothing else. */
const MAX_RECENT_BYTES = 256 * 1024;
/** What an image costs beside its bytes, at most: mostly the title in its name. */
const ENTRY_BYTES = 2048;
const KNOWN_LARGE = 10_000;

interface Wanted {
  /** All that the image is made from. */
  name: string;
  /** Of the file in the cache. */
  key: string;
  make: () => Promise<Buffer>;
  contentType: CoverContentType;
}

interface CoverVariantsDeps {
  cache: FileCache;
  images: CoverImages;
  store: FileStore;
  log: Logger;
}

/** The name of an image contains everything it is made from, so it is never stale; unused ones are evicted. */
export class CoverVariants {
  readonly #deps: CoverVariantsDeps;
  readonly #recent = new LRUCache<string, ImageBytes>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  });
  /** Those that are known to be too large for the memory. */
  readonly #large = new LRUCache<string, true>({ max: KNOWN_LARGE });
  /** Pending images, shared by concurrent callers. */
  readonly #pending = new Map<string, Promise<ImageBytes | undefined>>();

  constructor(deps: CoverVariantsDeps) {
    this.#deps = deps;
  }

  /** 503 when the uploaded image can't be read, or when too many images are being made. */
  async of(source: CoverSource, options: VariantOptions, asker: ImageAsker): Promise<Image> {
    const name = nameOf(source, options);
    const known = this.#recent.get(name);
    if (known) return known;
    const wanted: Wanted = {
      name,
      // The version of the encoder is included: another version can produce different bytes.
      key: keyOf(`${await this.#deps.images.encoder()} ${name}`),
      make: () => this.#make(source, options, asker),
      contentType: options.contentType,
    };
    const fromDisk = this.#large.get(name) && (await this.#open(wanted));
    return fromDisk ?? (await this.#shared(wanted)) ?? (await this.#openAgain(wanted));
  }

  /** The shared bytes; undefined if the image is to be sent from disk. */
  #shared(wanted: Wanted): Promise<ImageBytes | undefined> {
    const pending =
      this.#pending.get(wanted.name) ?? this.#obtain(wanted).finally(() => this.#pending.delete(wanted.name));
    this.#pending.set(wanted.name, pending);
    return pending;
  }

  async #obtain(wanted: Wanted): Promise<ImageBytes | undefined> {
    let making: Promise<Buffer> | undefined;
    const made = () => {
      making ??= wanted.make();
      return making;
    };
    try {
      const { handle, sizeBytes } = await this.#deps.cache.obtain(wanted.key, buildOf(made));
      await using file = handle;
      if (sizeBytes <= MAX_RECENT_BYTES) return this.#remember(wanted, await file.readFile());
      this.#large.set(wanted.name, true);
      return undefined;
    } catch (error) {
      // The image is sent even if the disk is full or fails; errors in its creation are reported.
      const bytes = await made();
      this.#deps.log.warn({ err: error }, "could not store a cover variant");
      return this.#remember(wanted, bytes);
    }
  }

  #remember({ name, key, contentType }: Wanted, bytes: Buffer): ImageBytes {
    const image = { contentType, bytes, etag: etagOf(key) };
    this.#recent.set(name, image);
    return image;
  }

  /** The file as it is kept; undefined when it isn't. */
  async #open({ key, contentType }: Wanted): Promise<ImageFile | undefined> {
    const file = await this.#deps.cache.find(key).catch(() => undefined);
    return file && { contentType, handle: file.handle, sizeBytes: file.sizeBytes, ...madeFrom(key) };
  }

  /** For who finds that a large image was made, and has gone again for want of room. */
  async #openAgain({ key, contentType, make }: Wanted): Promise<ImageFile> {
    const { handle, sizeBytes } = await this.#deps.cache.obtain(key, buildOf(make));
    return { contentType, handle, sizeBytes, ...madeFrom(key) };
  }

  async #make(source: CoverSource, options: VariantOptions, asker: ImageAsker): Promise<Buffer> {
    const { bytes } =
      source.kind === "stored"
        ? await this.#deps.images.resize(() => this.#read(source), options, asker)
        : await this.#deps.images.placeholder({ ...source, ...options }, asker);
    return bytes;
  }

  async #read(source: { sha256: string; fileSizeBytes: number }): Promise<Buffer> {
    try {
      await using file = (await openBytes(this.#deps.store, source)).handle;
      return await file.readFile();
    } catch (cause) {
      // The 404 of the bytes would say that there is no such book.
      throw unavailable("cover_unavailable", "The cover can't be read at the moment.", { cause });
    }
  }
}

const buildOf = (make: () => Promise<Buffer>) => async (output: Writable) => {
  await pipeline([await make()], output);
  return {};
};

/** What is made from the same things has the same bytes. */
const etagOf = (key: string): string => `"${key}"`;
const madeFrom = (key: string) => ({ etag: etagOf(key), modifiedAt: undefined, isSentWhole: true });

/** All that an image is made from. */
function nameOf(source: CoverSource, { width, contentType }: VariantOptions): string {
  const origin =
    source.kind === "stored" ? [source.sha256] : [source.title, source.languageCode, source.direction];
  return JSON.stringify([source.kind, ...origin, width, contentType]);
}

/** The name on the disk. */
const keyOf = (madeFrom: string): string => createHash("sha256").update(madeFrom).digest("hex");
