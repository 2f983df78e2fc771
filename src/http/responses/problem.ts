/** Converts every thrown error into a response: problem details (RFC 9457). */
import type { ErrorRequestHandler, Request, Response } from "express";
import { convertStorageError } from "../../adapters/files/storage-errors.ts";
import type { Logger } from "../../adapters/logger.ts";
import { systemScheduler } from "../../adapters/system.ts";
import { toStorageError } from "../../db/storage-error.ts";
import { AppError } from "../../errors.ts";
import { chooseLetterLanguage } from "../../library/letter-page.ts";
import { choosePageLanguage, type PageLanguages } from "../../library/page-languages.ts";
import type { Look } from "../../library/shell.ts";
import type { Problem } from "../../schemas/problem.schemas.ts";
import type { Traffic } from "../metrics.ts";
import { hasBody } from "../requests/body.ts";
import { prefersPage } from "../requests/headers.ts";
import { contextOf } from "../requests/request-context.ts";
import { STATUS_CODES } from "../server.ts";
import { renderProblemPage } from "./problem-page.ts";
import { PAGE_POLICY } from "./responses.ts";
import { renderUnknownPathPage, rootOf } from "./server-pages.ts";

/** The code of a path that no operation has: no record is missing there. */
const UNKNOWN_PATH = "route_not_found";

/** What all pages have in common. */
interface Site {
  languages: PageLanguages;
  /** The public site, to which pages lead. */
  siteUrl: string | undefined;
  /** Whether pages lead to the library where there is no public site. */
  hasLibrary: boolean;
  /** @param mayWait whether the database may be asked; otherwise, what is known */
  readLook(languageCode: string, mayWait: boolean): Promise<Look>;
}

/** Responds to every error. Anything but an AppError is logged with its cause and sent as a bare 500. */
export function createProblemHandler({
  log,
  traffic,
  hasPage,
  ...site
}: {
  log: Logger;
  traffic: Traffic | undefined;
  /** Whether the response to this request is a page. */
  hasPage: (req: Request) => boolean;
} & Site): ErrorRequestHandler {
  return async function problem(thrown: unknown, req, res, _next) {
    const error = toAppError(thrown);
    const { id, route } = contextOf(req);
    if (isFailure(error)) log.error({ id, route, err: error.cause ?? thrown }, "a request failed");
    traffic?.countProblem(error.code);
    // Part of a response was sent: nothing can be added, and it must not look complete.
    if (res.headersSent) return void res.destroy();
    setHeaders(res, error);
    const body = createProblemDocument(error, addressOf(req), id);
    if (hasPage(req)) await sendPage(res, body, { error, ...site });
    else if (error.code === UNKNOWN_PATH && prefersPage(req)) await sendUnknownPath(res, site);
    else sendBytes(res, "application/problem+json", JSON.stringify(body));
  };
}

/** An intended rejection, such as during shutdown, has no cause. */
const isFailure = ({ status, cause }: AppError): boolean =>
  status === 500 || (status > 500 && cause !== undefined);

/** Removes the headers of the response that isn't sent. */
function setHeaders(res: Response, { status, headers }: AppError): void {
  for (const name of ["ETag", "Last-Modified", "Content-Disposition", "Surrogate-Key"])
    res.removeHeader(name);
  res.statusCode = status;
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("X-Robots-Tag", "noindex");
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

async function sendPage(
  res: Response,
  problem: Problem,
  { error: { status, headers }, languages, readLook, ...site }: { error: AppError } & Site,
): Promise<void> {
  const { page, route = "" } = contextOf(res.req);
  const { renewal, isLetterDelayed } = page;
  const wanted = [...(page.language ? [page.language] : []), ...res.req.acceptsLanguages()];
  const language =
    problem.code === "email_not_confirmed"
      ? chooseLetterLanguage(wanted, languages).language
      : choosePageLanguage(wanted, languages);
  const retryAfterSeconds =
    status === 503 && res.req.method === "GET" ? secondsOf(headers["Retry-After"]) : undefined;
  res.setHeader("Content-Language", language.code);
  // Neither `form-action` nor `sandbox`: the renewal of a link redirects to the download, which can be at another host.
  res.setHeader("Content-Security-Policy", PAGE_POLICY);
  // Too many requests, and a database that doesn't respond, cause no further statement.
  const look = await readLook(language.code, status < 429);
  const root = rootOf(route);
  const isOfLibrary = route.startsWith(LIBRARY);
  const library = isOfLibrary ? { isLink: res.req.method !== "POST" } : undefined;
  const back = findWayBack(root, isOfLibrary ? undefined : page.language, { ...site, isOfLibrary });
  const options = { language, look, root, back, library, renewal, isLetterDelayed, retryAfterSeconds };
  sendBytes(res, "text/html; charset=utf-8", renderProblemPage(problem, options));
}

/** Where all pages of the library are. */
const LIBRARY = "/library";

/** The link to the library is relative: a proxy may serve the service below a path of its own. */
function findWayBack(
  root: string,
  languageCode: string | undefined,
  { siteUrl, hasLibrary, isOfLibrary }: Pick<Site, "siteUrl" | "hasLibrary"> & { isOfLibrary: boolean },
) {
  if (siteUrl !== undefined && !isOfLibrary) return { url: siteUrl, home: siteUrl, isLibrary: false };
  const list = languageCode === undefined ? "" : `/${languageCode}`;
  return hasLibrary ? { url: `${root}library${list}`, home: root || "./", isLibrary: true } : undefined;
}

async function sendUnknownPath(res: Response, { siteUrl, hasLibrary, readLook }: Site): Promise<void> {
  const look = await readLook("en", false);
  const page = renderUnknownPathPage(res.req.path, { look, siteUrl, hasLibrary });
  const { mediaType, contentSecurityPolicy = "", text } = page;
  res.setHeader("Content-Security-Policy", contentSecurityPolicy);
  sendBytes(res, mediaType, text);
}

const secondsOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

function sendBytes(res: Response, mediaType: string, text: string): void {
  const bytes = Buffer.from(text);
  res.setHeader("Content-Type", mediaType);
  res.setHeader("Content-Length", bytes.length);
  if (isStillSending(res.req)) respondWhileSending(res.req, res, bytes);
  else res.end(bytes);
}

/** The requested path, without the token of a download link. */
function addressOf(req: Request): string {
  const [beforeToken = "", afterToken] = contextOf(req).route?.split("{token}") ?? [];
  return afterToken === undefined ? req.path : beforeToken;
}

const SERVER_ERROR = "Internal server error.";

/** A full or failing disk can affect any operation, including reads, and isn't a defect of the service. */
function toAppError(thrown: unknown): AppError {
  const error = convertStorageError(toStorageError(thrown));
  if (error instanceof AppError) return error;
  return new AppError(500, "server_error", SERVER_ERROR, { cause: thrown });
}

/** More than people correct at once; a body of 1 MiB can contain a hundred thousand. */
const MAX_ERRORS = 100;

/** The problem document of an error (RFC 9457). @param instance the path of the request */
export function createProblemDocument(error: AppError, instance: string, requestId: string): Problem {
  const { status, code, message, errors: fieldErrors, progress } = error;
  return {
    type: `urn:book-distribution-service:problem:${code}`,
    title: code === UNKNOWN_PATH ? "Not Found" : titleOf(status),
    status,
    detail: message,
    instance,
    code,
    error: message,
    requestId,
    ...(error.mayHaveBeenDone && { may_have_been_done: true }),
    ...(progress && { progress }),
    ...(error.current && { current: error.current }),
    ...(error.lastChange && { lastChange: error.lastChange }),
    ...(fieldErrors.length > 0 && { errors: fieldErrors.slice(0, MAX_ERRORS) }),
  };
}

/** The label of a status: the specification's, or the usual reason phrase. */
export const titleOf = (status: number): string => OWN_TITLES[status] ?? STATUS_CODES[status] ?? "Error";

const OWN_TITLES: Readonly<Record<number, string>> = { 404: "Record Not Found", 500: "Server Error" };

const UNAUTHENTICATED = 401;
/** Clients that still send this long after the response are disconnected. */
const LINGER_MS = 2000;

const isStillSending = (req: Request): boolean => hasBody(req) && !req.complete;

/**
 * Responds to a request whose body isn't read completely. Sends the whole response, and ends the connection when the
 * client has stopped sending: the operating system resets a connection that is closed with unread bytes, and a client
 * that is still sending may then lose the response (RFC 9112, 9.6). The rest of the body is discarded. Unauthenticated
 * clients aren't waited for.
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
 * Discards the remaining bytes of a connection without parsing them: 1 MiB in chunks of one byte would block the event
 * loop for 200 ms.
 */
function discard({ socket }: Request): void {
  socket.removeAllListeners("data").on("data", () => {});
}
