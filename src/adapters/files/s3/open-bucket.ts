/** Opens a bucket as file store and as place of the caches. Imported only if the configuration names one. */
import type { Clock } from "../../system.ts";
import { Bucket, type BucketOptions } from "./bucket.ts";
import { S3Cache } from "./s3-cache.ts";
import { S3Store } from "./s3-store.ts";

interface OpenBucketDeps {
  newId: () => string;
  clock: Clock;
  /** The size limits of the caches. */
  zipBytes: number;
  coverBytes: number;
}

/** @throws OperatorError if the bucket can't be used */
export async function openBucket(options: BucketOptions, deps: OpenBucketDeps) {
  const { zipBytes, coverBytes, ...common } = deps;
  const bucket = new Bucket(options);
  await bucket.check();
  const zips = { folder: "zips/", ending: "zip", maxBytes: zipBytes, canExpire: true };
  const covers = { folder: "covers/", ending: "cover", maxBytes: coverBytes, canExpire: false };
  return {
    store: new S3Store({ bucket, ...common }),
    zips: new S3Cache({ bucket, ...common, ...zips }),
    covers: new S3Cache({ bucket, ...common, ...covers }),
    closeStorage: () => bucket.close(),
  };
}
