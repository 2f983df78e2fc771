/** Cover images as they are sent: created once per width and type, cached on disk, the most recent ones in memory. */
import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import type { QueueClient } from "../../adapters/fair-queue.ts";
import type { FileCache } from "../../adapters/files/file-cache.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import type { Logger } from "../../adapters/logger.ts";
import { unavailable } from "../../errors.ts";
import type { CoverContentType, CoverWidth } from "../../schemas/covers.schemas.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import type { Accepted, Image, ImageBytes, ImageFile } from "../shared/results.ts";
import { Service } from "../shared/service.ts";
import { openBytes } from "../shared/stored-bytes.ts";

/** The source of a cover: an uploaded image, or a title for a generated one. */
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
/** Larger images are sent from disk through buffers of bounded size, so that slow clients don't hold memory. */
const MAX_RECENT_BYTES = 256 * 1024;
/** Upper bound of an entry's size besides the image: mostly the title in its name. */
const ENTRY_BYTES = 2048;

interface Wanted {
  /** Identifies everything from which the image is created. */
  name: string;
  /** The key of the file in the cache. */
  key: string;
  make: () => Promise<Buffer>;
  contentType: CoverContentType;
}

interface CoverVariantsDeps {
  cache: FileCache;
  images: CoverImages;
  stored: Pick<StoredFiles, "open">;
  log: Logger;
}

/**
 * The name of an image contains everything from which it is created, so a cached image is never stale. Unused ones are
 * evicted.
 */
export class CoverVariants extends Service<CoverVariantsDeps> {
  readonly #recent = new LRUCache<string, ImageBytes>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  });
  /** Pending images, shared by concurrent callers. */
  readonly #pending = new Map<string, Promise<ImageBytes | undefined>>();

  /** Throws 503 if the uploaded image can't be read, or if too many images are being created. */
  async getImage(source: CoverSource, options: VariantOptions, client: QueueClient): Promise<Image> {
    const name = nameVariant(source, options);
    const known = this.#recent.get(name);
    if (known) return known;
    const wanted: Wanted = {
      name,
      // The version of the encoder is included: another version can produce different bytes.
      key: hashKey(`${await this.deps.images.describeEncoder()} ${name}`),
      make: () => this.#make(source, options, client),
      contentType: options.contentType,
    };
    return (await this.#getShared(wanted)) ?? (await this.#open(wanted));
  }

  /** The cached bytes; undefined if the image has to be sent from disk. */
  #getShared(wanted: Wanted): Promise<ImageBytes | undefined> {
    const pending =
      this.#pending.get(wanted.name) ?? this.#obtain(wanted).finally(() => this.#pending.delete(wanted.name));
    this.#pending.set(wanted.name, pending);
    return pending;
  }

  async #obtain(wanted: Wanted): Promise<ImageBytes | undefined> {
    let making: Promise<Buffer> | undefined;
    const makeOnce = () => {
      making ??= wanted.make();
      return making;
    };
    try {
      const { handle, sizeBytes } = await this.deps.cache.obtain(wanted.key, buildOf(makeOnce));
      await using file = handle;
      if (sizeBytes <= MAX_RECENT_BYTES) return this.#remember(wanted, await file.readFile());
      return undefined;
    } catch (error) {
      // The image is sent even if it can't be cached because the disk is full or fails. Errors in its creation are
      // reported.
      const bytes = await makeOnce();
      this.deps.log.warn({ err: error }, "could not store a cover variant");
      return this.#remember(wanted, bytes);
    }
  }

  #remember({ name, key, contentType }: Wanted, bytes: Buffer): ImageBytes {
    const image = { contentType, bytes, etag: etagOf(key) };
    this.#recent.set(name, image);
    return image;
  }

  /** Opens a large image, which is created again if it was evicted meanwhile. */
  async #open({ key, contentType, make }: Wanted): Promise<ImageFile> {
    const { handle, sizeBytes } = await this.deps.cache.obtain(key, buildOf(make));
    return { contentType, handle, sizeBytes, etag: etagOf(key), modifiedAt: undefined, isSentWhole: true };
  }

  async #make(source: CoverSource, options: VariantOptions, client: QueueClient): Promise<Buffer> {
    const { bytes } =
      source.kind === "stored"
        ? await this.deps.images.resize(() => this.#read(source), options, client)
        : await this.deps.images.drawPlaceholder({ ...source, ...options }, client);
    return bytes;
  }

  async #read(source: { sha256: string; fileSizeBytes: number }): Promise<Buffer> {
    try {
      await using file = (await openBytes(this.deps.stored, source)).handle;
      return await file.readFile();
    } catch (cause) {
      // A 404 for the bytes would mean that the book doesn't exist.
      throw unavailable("cover_unavailable", "The cover can't be read at the moment.", { cause });
    }
  }
}

const buildOf = (make: () => Promise<Buffer>) => async (output: Writable) => {
  await pipeline([await make()], output);
  return {};
};

/** The same sources produce the same bytes. */
const etagOf = (key: string): string => `"${key}"`;

/** Identifies everything from which the image is created. */
function nameVariant(source: CoverSource, { width, contentType }: VariantOptions): string {
  const origin =
    source.kind === "stored" ? [source.sha256] : [source.title, source.languageCode, source.direction];
  return JSON.stringify([source.kind, ...origin, width, contentType]);
}

/** The file name in the cache. */
const hashKey = (madeFrom: string): string => createHash("sha256").update(madeFrom).digest("hex");

/**
 * Much smaller than other types but not supported by every client: sent only if requested by name, not by a wildcard.
 */
const SMALL_TYPES: readonly CoverContentType[] = ["image/avif", "image/webp"];

const COMPACT_TYPES: readonly CoverContentType[] = ["image/jpeg", ...SMALL_TYPES];

/**
 * Chooses the best accepted type: a small type that is requested by name, or the type in which the cover is stored. If
 * neither is accepted, another accepted type that isn't much larger is chosen, and otherwise the stored type: a
 * photograph as PNG would be ten times as large.
 */
export function chooseCoverType(kept: CoverContentType, { ranges, takes }: Accepted): CoverContentType {
  for (const range of ranges) {
    const named = SMALL_TYPES.find((type) => type === range);
    if (named) return named;
    if (isIn(range, kept) && takes(kept)) return kept;
  }
  return (kept === "image/jpeg" ? undefined : COMPACT_TYPES.find(takes)) ?? kept;
}

const isIn = (range: string, type: string): boolean =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
