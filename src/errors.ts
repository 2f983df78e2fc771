/** The errors that clients can see. Any other error becomes a plain 500. */

import type { ErrorCode, ErrorCodeOf, FieldErrorCode } from "./schemas/error-codes.ts";
import type { CurrentRecord } from "./schemas/problem.schemas.ts";

/** The part of a request that contains an error. */
export type FieldPath = "path" | "query" | "body";

/** An error in the input: its location, a short message and a stable code. */
export interface FieldError {
  in: FieldPath;
  /** Dotted path inside that part, for example `contact.email`. */
  path: string;
  message: string;
  code: FieldErrorCode;
  /** A valid value that is probably meant. */
  suggestion?: string;
}

/** An error in one field of the body. */
export const bodyError = (path: string, message: string, code: FieldErrorCode): FieldError => ({
  in: "body",
  path,
  message,
  code,
});

export interface AppErrorOptions {
  /** All field errors, if the input is invalid. */
  errors?: readonly FieldError[];
  /** Headers of the response, for example `Allow`. */
  headers?: Readonly<Record<string, string>>;
  /** The internal reason: logged, but never sent to the client. */
  cause?: unknown;
  /** Whether the change may have been made although its request fails. */
  mayHaveBeenDone?: boolean;
  /** The record that isn't in the expected version. */
  current?: CurrentRecord;
  /** Its id in the audit log. */
  objectId?: string;
  /** Who made it so, and when. */
  lastChange?: LastChange | undefined;
  /** How far the work is for which the request has waited in vain. */
  progress?: Progress;
}

interface LastChange {
  /** ISO 8601. */
  at: string;
  by: string;
}

export interface Progress {
  done: number;
  of: number;
}

/** An error with a status, a stable snake_case code and a message that is safe to show. */
export class AppError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly mayHaveBeenDone: boolean;
  readonly current: CurrentRecord | undefined;
  readonly objectId: string | undefined;
  readonly lastChange: LastChange | undefined;
  readonly progress: Progress | undefined;

  constructor(status: number, code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.status = status;
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.mayHaveBeenDone = options.mayHaveBeenDone ?? false;
    this.current = options.current;
    this.objectId = options.objectId;
    this.lastChange = options.lastChange;
    this.progress = options.progress;
  }
}

/**
 * A condition that an operator must fix before a start or a command can succeed: one line on the terminal, exit code
 * 78.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** Creates errors of one status. A code of another status doesn't compile. */
const kind =
  <Status extends number>(status: Status) =>
  (code: ErrorCodeOf<Status>, detail: string, options?: AppErrorOptions): AppError =>
    new AppError(status, code, detail, options);

export const badRequest = kind(400);
export const forbidden = kind(403);
export const notFound = kind(404);
export const conflict = kind(409);
export const gone = kind(410);
export const preconditionFailed = kind(412);
export const payloadTooLarge = kind(413);
export const unsupportedMediaType = kind(415);
export const rangeNotSatisfiable = kind(416);
export const badGateway = kind(502);
export const unavailable = kind(503);
export const insufficientStorage = kind(507);

/** A 401 always names the accepted authentication scheme (RFC 9110, 11.6.1). */
export const unauthorized = (code: ErrorCodeOf<401>, detail: string): AppError =>
  new AppError(401, code, detail, { headers: { "WWW-Authenticate": 'Bearer realm="administration"' } });

/**
 * 400 with a list of field errors.
 * @param code of the response, if the resource has its own code for these errors
 */
export const invalidInput = (
  errors: readonly FieldError[],
  code: ErrorCodeOf<400> = "invalid_input",
): AppError => {
  const detail = errors.length === 1 ? "One value is not valid." : `${errors.length} values are not valid.`;
  return badRequest(code, detail, { errors });
};
