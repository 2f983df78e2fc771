/** Opens a bucket as file store and as place of the other files. Imported only if the configuration names one. */
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { Clock } from "../../system.ts";
import type { NamedFile, NamedFileFacts } from "../named-file.ts";
import { Bucket, type BucketOptions } from "./bucket.ts";
import { ObjectHandle } from "./object-handle.ts";
import { S3Cache } from "./s3-cache.ts";
import { S3Store } from "./s3-store.ts";

interface OpenBucketDeps {
  newId: () => string;
  clock: Clock;
  /** The size limits of the caches. */
  zipBytes: number;
  coverBytes: number;
  /** The City database of this instance. */
  cityFile: NamedFile;
}

/** @throws OperatorError if the bucket can't be used */
export async function openBucket(options: BucketOptions, deps: OpenBucketDeps) {
  const { zipBytes, coverBytes, cityFile: own, ...common } = deps;
  const bucket = new Bucket(options);
  await bucket.check();
  const zips = { folder: "zips/", ending: "zip", maxBytes: zipBytes, canExpire: true };
  const covers = { folder: "covers/", ending: "cover", maxBytes: coverBytes, canExpire: false };
  return {
    store: new S3Store({ bucket, ...common }),
    zips: new S3Cache({ bucket, ...common, ...zips }),
    covers: new S3Cache({ bucket, ...common, ...covers }),
    cityFile: new BucketFile({ bucket, key: `geoip/${basename(own.path)}`, own }),
    storeMetrics: [bucket.requests],
    closeStorage: () => bucket.close(),
  };
}

interface BucketFileDeps {
  bucket: Bucket;
  key: string;
  /** Counts as long as the bucket has none. */
  own: NamedFile;
}

/** A file in the bucket, where all instances find it. */
class BucketFile implements NamedFile {
  readonly #deps: BucketFileDeps;

  constructor(deps: BucketFileDeps) {
    this.#deps = deps;
  }

  get path(): string {
    return this.#deps.own.path;
  }

  async readFacts(): Promise<NamedFileFacts | undefined> {
    const { bucket, key, own } = this.#deps;
    const found = await bucket.head(key);
    if (!found) return own.readFacts();
    const { sizeBytes, modifiedAt, metadata } = found;
    return { path: bucket.nameOf(key), sizeBytes, modifiedAt: Number(metadata.modified ?? modifiedAt) };
  }

  async read(): Promise<Buffer> {
    const { bucket, key, own } = this.#deps;
    const found = await bucket.head(key);
    if (!found) return own.read();
    const { sizeBytes, etag } = found;
    return new ObjectHandle({ bucket, path: key, sizeBytes, etag }).readFile();
  }

  async write(bytes: Buffer, modifiedAt: number | undefined): Promise<void> {
    const { bucket, key } = this.#deps;
    const metadata = modifiedAt === undefined ? {} : { modified: String(modifiedAt) };
    await bucket.upload(key, Readable.from([bytes]), { metadata });
  }
}
