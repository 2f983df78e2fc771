/** The one place that turns what was thrown into an answer: problem details (RFC 9457). */
import type { ErrorRequestHandler, Request, Response } from "express";
import { storageFault } from "../adapters/file-store-faults.ts";
import type { Logger } from "../adapters/logger.ts";
import { asStorageFault } from "../db/storage-fault.ts";
import { AppError } from "../errors.ts";
import type { Problem } from "../schemas/problem.schemas.ts";
import { prefersPage } from "./accepted.ts";
import { problemDocument } from "./problem-document.ts";
import { problemPage } from "./problem-page.ts";
import { pageLanguageOf } from "./reader-pages/texts.ts";
import { answerWhileSending, isStillSending } from "./refused-body.ts";
import { contextOf } from "./request-context.ts";
import type { Traffic } from "./traffic.ts";

/** Answers every fault; what isn't an AppError goes to the log with its cause and out as a bare 500. */
export function problemHandler({
  log,
  traffic,
  mayHavePage,
  siteUrl,
}: {
  log: Logger;
  traffic: Traffic;
  /** Whether a browser gets a page for this request. */
  mayHavePage: (req: Request) => boolean;
  /** Where pages lead back to. */
  siteUrl: string | undefined;
}): ErrorRequestHandler {
  return function problem(thrown: unknown, req, res, _next) {
    const error = asAppError(thrown);
    const { id, route } = contextOf(req);
    if (isFailure(error)) log.error({ id, route, err: error.cause ?? thrown }, "a request failed");
    traffic.problem(error.code);
    // Half an answer is under way: nothing can be added to it, and it must not look whole.
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

/** What was meant for the answer that is not sent goes. */
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
  if (isStillSending(res.req)) answerWhileSending(res.req, res, bytes);
  else res.end(bytes);
}

/** As it came, but without the token that makes the address of a download a key to it. */
function addressOf(req: Request): string {
  const [beforeToken = "", afterToken] = contextOf(req).route?.split("{token}") ?? [];
  return afterToken === undefined ? req.path : beforeToken;
}

const SERVER_ERROR = "Something went wrong on our side. It has been noted.";

/** A full or failing disk may be met anywhere, by a read too, and may pass: that is no fault of the service. */
function asAppError(thrown: unknown): AppError {
  const error = storageFault(asStorageFault(thrown));
  if (error instanceof AppError) return error;
  return new AppError(500, "server_error", SERVER_ERROR, { cause: thrown });
}
