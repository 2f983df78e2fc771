/** Maps errors of an S3 store to errors of the API, and to lines for an operator. */
import { S3ServiceException } from "@aws-sdk/client-s3";
import { AppError, insufficientStorage, OperatorError, unavailable } from "../../../errors.ts";
import { codeOf } from "../../../lib/node-errors.ts";

/** Runs a request. */
export async function onStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error);
  }
}

/** 507 if the store is full or its quota is used up; everything else can end without a change here: 503. */
export function storeError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isFull(error)) return insufficientStorage("disk_full", "The file storage is full.", { cause: error });
  return unavailable("storage_unavailable", "The file storage is not available.", {
    cause: error,
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}

/** @throws AppError 503 unless a response has what every response of a store has: a proxy or a portal can have sent it */
export function assertOfStore(isOfStore: boolean): asserts isOfStore {
  if (!isOfStore) throw storeError(new Error("The response isn't that of a store."));
}

const RETRY_AFTER_SECONDS = 10;

/** The codes of Ceph, and of MinIO, which also sends 507. */
const FULL = new Set(["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"]);

const isFull = (error: unknown): boolean =>
  error instanceof S3ServiceException && (FULL.has(error.name) || error.$metadata.httpStatusCode === 507);

export const isNotFound = (error: unknown): error is S3ServiceException =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

/** The bucket exists, but not this object in it. */
export const isMissingObject = (error: unknown): boolean =>
  isNotFound(error) && error.name !== "NoSuchBucket";

/** @throws OperatorError if the first request to the bucket fails */
export async function assertUsable(bucket: string, request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    throw new OperatorError(`STORAGE_URL: ${explainStoreError(error, bucket)}`, { cause: error });
  }
}

const CHECK_KEY = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

const REASONS: Readonly<Record<string, (bucket: string) => string>> = {
  NoSuchBucket: (bucket) => `the bucket ${bucket} doesn't exist; create it first.`,
  AccessDenied: (bucket) => `the key may not list the bucket ${bucket} (AccessDenied).`,
  InvalidAccessKeyId: () => `the store doesn't know the key (InvalidAccessKeyId); ${CHECK_KEY}.`,
  SignatureDoesNotMatch: () => `the secret doesn't fit to the key (SignatureDoesNotMatch); ${CHECK_KEY}.`,
  RequestTimeTooSkewed: () => "the clocks of this machine and of the store differ (RequestTimeTooSkewed).",
  PermanentRedirect: (bucket) => `the bucket ${bucket} is in another region; correct the region.`,
  AuthorizationHeaderMalformed: (bucket) => `the bucket ${bucket} is in another region; correct the region.`,
  CredentialsProviderError: () =>
    "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  TimeoutError: () => "the store does not respond.",
};

function explainStoreError(error: unknown, bucket: string): string {
  const name = error instanceof Error ? error.name : "an unknown error";
  const known = REASONS[name];
  if (known) return known(bucket);
  const code = codeOf(error);
  if (code !== undefined) return `can't connect to the store (${code}).`;
  return `the store refuses the first request (${name}).`;
}
