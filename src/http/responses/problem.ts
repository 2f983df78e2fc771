/** The one place that turns what was thrown into a response: problem details (RFC 9457). */
import type { ErrorRequestHandler, Request, Response } from "express";
import { storageError } from "../../adapters/files/storage-errors.ts";
import type { Logger } from "../../adapters/logger.ts";
import { systemScheduler } from "../../adapters/system.ts";
import { asStorageError } from "../../db/storage-error.ts";
import { AppError } from "../../errors.ts";
import type { Problem } from "../../schemas/problem.schemas.ts";
import type { Traffic } from "../metrics.ts";
import { pageLanguageOf } from "../reader-pages/texts.ts";
import { hasBody } from "../requests/body.ts";
import { prefersPage } from "../requests/headers.ts";
import { contextOf } from "../requests/request-context.ts";
import { problemPage } from "./problem-page.ts";

/** Responds to every error; what isn't an AppError goes to the log with its cause and out as a bare 500. */
export function problemHandler({
  log,
  traffic,
  mayHavePage,
  siteUrl,
}: {
  log: Logger;
  traffic: Traffic | undefined;
  /** Whether a browser gets a page for this request. */
  mayHavePage: (req: Request) => boolean;
  /** Where pages lead back to. */
  siteUrl: string | undefined;
}): ErrorRequestHandler {
  return function problem(thrown: unknown, req, res, _next) {
    const error = asAppError(thrown);
    const { id, route } = contextOf(req);
    if (isFailure(error)) log.error({ id, route, err: error.cause ?? thrown }, "a request failed");
    traffic?.problem(error.code);
    // Half a response is under way: nothing can be added to it, and it must not look whole.
    if (res.headersSent) return void res.destroy();
    setHeaders(res, error);
    const body = problemDocument(error, addressOf(req), id);
    if (mayHavePage(req) && prefersPage(req)) sendPage(res, body, { error, siteUrl });
    else sendBytes(res, "application/problem+json", JSON.stringify(body));
  };
}

/** A refusal that is meant, such as that of a service that stops, has no cause. */
const isFailure = ({ status, cause }: AppError): boolean =>
  status === 500 || (status > 500 && cause !== undefined);

/** Removes the headers of the response that isn't sent. */
function setHeaders(res: Response, { status, headers }: AppError): void {
  for (const name of ["ETag", "Last-Modified", "Content-Disposition"]) res.removeHeader(name);
  res.statusCode = status;
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("X-Robots-Tag", "noindex");
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function sendPage(
  res: Response,
  problem: Problem,
  { error: { status, headers }, siteUrl }: { error: AppError; siteUrl: string | undefined },
): void {
  const { pageLanguage } = contextOf(res.req);
  const language = pageLanguageOf([...(pageLanguage ? [pageLanguage] : []), ...res.req.acceptsLanguages()]);
  const retryAfterSeconds =
    status === 503 && res.req.method === "GET" ? secondsOf(headers["Retry-After"]) : undefined;
  res.setHeader("Content-Language", language.code);
  res.setHeader(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  sendBytes(res, "text/html; charset=utf-8", problemPage(problem, { language, siteUrl, retryAfterSeconds }));
}

const secondsOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

function sendBytes(res: Response, mediaType: string, text: string): void {
  const bytes = Buffer.from(text);
  res.setHeader("Content-Type", mediaType);
  res.setHeader("Content-Length", bytes.length);
  if (isStillSending(res.req)) respondWhileSending(res.req, res, bytes);
  else res.end(bytes);
}

/** As it came, but without the token that makes the address of a download a key to it. */
function addressOf(req: Request): string {
  const [beforeToken = "", afterToken] = contextOf(req).route?.split("{token}") ?? [];
  return afterToken === undefined ? req.path : beforeToken;
}

const SERVER_ERROR = "Internal server error.";

/** A full or failing disk may be met anywhere, by a read too, and may pass: that is no defect of the service. */
function asAppError(thrown: unknown): AppError {
  const error = storageError(asStorageError(thrown));
  if (error instanceof AppError) return error;
  return new AppError(500, "server_error", SERVER_ERROR, { cause: thrown });
}

/** More than anybody corrects at a time; a body of a mebibyte can hold a hundred thousand. */
const MAX_ERRORS = 100;

/** The problem document of an error (RFC 9457). @param instance the path of the request */
export function problemDocument(error: AppError, instance: string, requestId: string): Problem {
  const { status, code, message, errors: fieldErrors } = error;
  return {
    type: `urn:book-distribution-service:problem:${code}`,
    title: titleOf(status),
    status,
    detail: message,
    instance,
    code,
    error: message,
    requestId,
    ...(fieldErrors.length > 0 && { errors: fieldErrors.slice(0, MAX_ERRORS) }),
  };
}

/** The label of a status: the specification's, or the usual reason phrase. */
export const titleOf = (status: number): string => TITLES[status] ?? "Error";

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Record Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

const UNAUTHENTICATED = 401;
/** A caller that is still sending so long after the response is cut off. */
const LINGER_MS = 2000;

const isStillSending = (req: Request): boolean => hasBody(req) && !req.complete;

/**
 * Responds to a request whose body nobody reads to its end. Sends the whole response at once, and ends the connection when the caller has stopped sending: one that is closed with
 * unread bytes is reset by the system, and a caller that meets the reset while sending may never see the response (RFC
 * 9112, 9.6). What still comes is thrown away. Nobody waits for strangers.
 */
function respondWhileSending(req: Request, res: Response, bytes: Buffer): void {
  res.setHeader("Connection", "close");
  if (res.statusCode === UNAUTHENTICATED) {
    res.once("finish", () => req.resume());
    res.end(bytes);
    return;
  }
  const end = () => {
    cancel();
    res.end();
  };
  const cancel = systemScheduler(LINGER_MS, end);
  res.write(bytes);
  req.once("close", end);
  if (req.headers["transfer-encoding"] === undefined) req.resume();
  else discard(req);
}

/**
 * Takes the rest of a connection's bytes without parsing them: a mebibyte in chunks of one byte each would hold the event
 * loop for 200 ms.
 */
function discard({ socket }: Request): void {
  socket.removeAllListeners("data").on("data", () => {});
}
