/** Covers as they are sent: made once for each width and type, kept on the disk, and the last ones in memory. */
import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CoverImages } from "../adapters/cover-images.ts";
import type { FileCache } from "../adapters/file-cache.ts";
import type { FileStore } from "../adapters/file-store.ts";
import type { Logger } from "../adapters/logger.ts";
import { unavailable } from "../errors.ts";
import { Lru } from "../lib/lru.ts";
import type { CoverContentType, CoverWidth } from "../schemas/cover-types.ts";
import { entityTag } from "./cached-json.ts";
import type { ImageBytes } from "./image.ts";
import { openBytes } from "./open-bytes.ts";

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
/** Larger ones would drive too many others out. */
const MAX_RECENT_BYTES = 1024 * 1024;
/** What an image costs beside its bytes, at most: mostly the title in its name. */
const ENTRY_BYTES = 2048;

/** An image is named by all that it is made from, so none is ever stale; those that nobody asks for any more go. */
export class CoverVariants {
  readonly #cache: FileCache;
  readonly #images: CoverImages;
  readonly #store: FileStore;
  readonly #log: Logger;
  readonly #recent = new Lru<ImageBytes>({
    maxWeight: RECENT_BYTES,
    weigh: ({ bytes }) => bytes.length + ENTRY_BYTES,
  });
  /** Those that are being made or read, for all who ask meanwhile. */
  readonly #pending = new Map<string, Promise<ImageBytes>>();

  constructor(uses: { cache: FileCache; images: CoverImages; store: FileStore; log: Logger }) {
    this.#cache = uses.cache;
    this.#images = uses.images;
    this.#store = uses.store;
    this.#log = uses.log;
  }

  /** 503 when the uploaded image can't be read, or when too many images are being made. */
  async of(source: CoverSource, options: VariantOptions): Promise<ImageBytes> {
    const name = nameOf(source, options);
    return this.#recent.get(name) ?? this.#pending.get(name) ?? this.#begin(name, source, options);
  }

  #begin(name: string, source: CoverSource, options: VariantOptions): Promise<ImageBytes> {
    const pending = this.#obtain(name, source, options).finally(() => this.#pending.delete(name));
    this.#pending.set(name, pending);
    return pending;
  }

  async #obtain(name: string, source: CoverSource, options: VariantOptions): Promise<ImageBytes> {
    const bytes = await this.#bytesOf(name, () => this.#make(source, options));
    const image = { contentType: options.contentType, bytes, etag: entityTag(bytes) };
    if (bytes.length <= MAX_RECENT_BYTES) this.#recent.set(name, image);
    return image;
  }

  async #bytesOf(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    let making: Promise<Buffer> | undefined;
    const made = () => {
      making ??= make();
      return making;
    };
    const build = async (output: Writable) => {
      await pipeline([await made()], output);
      return {};
    };
    // The encoder tells who has made it: another version may make other bytes.
    const key = keyOf(`${await this.#images.encoder()} ${name}`);
    try {
      await using file = (await this.#cache.obtain(key, build)).handle;
      return await file.readFile();
    } catch (error) {
      // A full or failing disk is no reason to show nothing; what keeps an image from being made is told.
      const bytes = await made();
      this.#log.warn({ err: error }, "a cover could not be kept as it is sent");
      return bytes;
    }
  }

  async #make(source: CoverSource, options: VariantOptions): Promise<Buffer> {
    const { bytes } =
      source.kind === "stored"
        ? await this.#images.resize(() => this.#read(source), options)
        : await this.#images.placeholder({ ...source, ...options });
    return bytes;
  }

  async #read(source: { sha256: string; fileSizeBytes: number }): Promise<Buffer> {
    try {
      await using file = (await openBytes(this.#store, source)).handle;
      return await file.readFile();
    } catch (cause) {
      // The 404 of the bytes would say that there is no such book.
      throw unavailable("cover_unavailable", "This cover can't be shown just now.", { cause });
    }
  }
}

/** All that an image is made from. */
function nameOf(source: CoverSource, { width, contentType }: VariantOptions): string {
  const origin =
    source.kind === "stored" ? [source.sha256] : [source.title, source.languageCode, source.direction];
  return JSON.stringify([source.kind, ...origin, width, contentType]);
}

/** The name on the disk. */
const keyOf = (madeFrom: string): string => createHash("sha256").update(madeFrom).digest("hex");
