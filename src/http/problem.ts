/** The one place that turns what was thrown into an answer: problem details (RFC 9457). */
import { STATUS_CODES } from "node:http";
import type { ErrorRequestHandler, Request, Response } from "express";
import { z } from "zod";
import type { Logger } from "../adapters/logger.ts";
import { AppError, badRequest, payloadTooLarge, unsupportedMediaType } from "../errors.ts";
import type { Problem } from "../schemas/problem.schemas.ts";
import { hasBody } from "./body.ts";
import { problemPage } from "./problem-page.ts";
import { contextOf } from "./request-context.ts";

/** Where the specification's label differs from the usual reason phrase. */
const TITLES: Readonly<Record<number, string>> = { 404: "Record Not Found", 500: "Server Error" };

/** Answers every fault; what isn't an AppError goes to the log with its cause and out as a bare 500. */
export function problemHandler(log: Logger, wantsPage: (req: Request) => boolean): ErrorRequestHandler {
  return function problem(thrown: unknown, req, res, _next) {
    const error = asAppError(thrown);
    const { id, route } = contextOf(req);
    if (error.status >= 500) log.error({ id, route, err: error.cause ?? thrown }, "a request failed");
    // Half an answer is under way: nothing can be added to it, and it must not look whole.
    if (res.headersSent) return void res.destroy();
    if (hasBody(req) && !req.complete) closeAfterAnswer(req, res);
    setHeaders(res, error);
    const body = problemOf(error, req, id);
    if (wantsPage(req) && req.accepts(["json", "html"]) === "html") sendPage(res, body);
    else sendBytes(res, "application/problem+json", JSON.stringify(body));
  };
}

/** The rest of the body isn't read: the caller is told that this connection ends. */
function closeAfterAnswer(req: Request, res: Response): void {
  res.setHeader("Connection", "close");
  res.once("finish", () => req.resume());
}

/** What was meant for the answer that is not sent goes. */
function setHeaders(res: Response, { status, headers }: AppError): void {
  for (const name of ["ETag", "Last-Modified", "Content-Disposition"]) res.removeHeader(name);
  res.statusCode = status;
  res.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function sendPage(res: Response, body: Problem): void {
  res.setHeader(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  sendBytes(res, "text/html; charset=utf-8", problemPage(body));
}

function sendBytes(res: Response, mediaType: string, text: string): void {
  const bytes = Buffer.from(text);
  res.setHeader("Content-Type", mediaType);
  res.setHeader("Content-Length", bytes.length);
  res.end(bytes);
}

function problemOf(error: AppError, req: Request, requestId: string): Problem {
  return {
    type: `urn:book-distribution-service:problem:${error.code}`,
    title: TITLES[error.status] ?? STATUS_CODES[error.status] ?? "Error",
    status: error.status,
    detail: error.message,
    // The route, not the address as it came: that may hold a token.
    instance: contextOf(req).route ?? "/",
    code: error.code,
    error: error.message,
    requestId,
    ...(error.faults.length > 0 && { errors: [...error.faults] }),
  };
}

const SERVER_ERROR = "Something went wrong on our side. It has been noted.";

/** What express and body-parser throw has a status and a type. */
const httpError = z.object({ status: z.int().min(400).max(499), type: z.string().optional() });

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const known = httpError.safeParse(thrown);
  if (!known.success) return new AppError(500, "server_error", SERVER_ERROR, { cause: thrown });
  const { status, type } = known.data;
  if (status === 413) return payloadTooLarge("body_too_large", "The body is too large.", { cause: thrown });
  if (status === 415) {
    return unsupportedMediaType("unsupported_encoding", "The body's encoding isn't supported.", {
      cause: thrown,
    });
  }
  if (type === "entity.parse.failed") {
    return badRequest("malformed_json", "The body is not valid JSON.", { cause: thrown });
  }
  return badRequest("malformed_request", "The request could not be read.", { cause: thrown });
}
