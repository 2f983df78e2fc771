/** Why a file that lives elsewhere could not be fetched. */
import { errors } from "undici";
import { codeOf } from "../lib/node-errors.ts";

export type CloudFetchReason =
  | "refused_address"
  | "too_many_redirects"
  | "bad_status"
  | "not_a_file"
  | "too_large"
  | "timed_out"
  | "connection_failed";

/**
 * The message is fit for an administrator, the cause for the log. Neither holds the address: the query of a share link
 * is what grants access.
 */
export class CloudFetchError extends Error {
  readonly reason: CloudFetchReason;

  constructor(reason: CloudFetchReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CloudFetchError";
    this.reason = reason;
  }
}

/** What a connection or a body failed with, in our terms. */
export function asCloudFetchError(error: unknown): CloudFetchError {
  if (error instanceof CloudFetchError) return error;
  const timedOut =
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    codeOf(error) === "ETIMEDOUT";
  return timedOut
    ? new CloudFetchError("timed_out", "The other host did not answer in time.", error)
    : new CloudFetchError("connection_failed", "The connection to the other host failed.", error);
}
