/** Why a file that lives elsewhere could not be fetched. */
import { codeOf } from "../../lib/node-errors.ts";

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

/** The codes of undici, and that of the system. */
const TIMED_OUT = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

/** What a connection or a body failed with, in our terms. */
export function asCloudFetchError(error: unknown): CloudFetchError {
  if (error instanceof CloudFetchError) return error;
  const timedOut = TIMED_OUT.has(codeOf(error) ?? "");
  return timedOut
    ? new CloudFetchError("timed_out", "The remote host did not respond in time.", error)
    : new CloudFetchError("connection_failed", "The connection to the remote host failed.", error);
}
