/** Request headers: limits on their number, and content negotiation with `Accept`. */
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import type { Coding } from "../../adapters/compression.ts";
import { AppError, badRequest } from "../../errors.ts";
import type { Accepted } from "../../services/shared/results.ts";

/** Browsers send about twenty, and each proxy a few more. Node silently drops those above 2000. */
const MAX_HEADERS = 200;

/** Maximum number of list elements in a header, or of cookies. Browsers send a tenth of it; work grows with each. */
const MAX_PARTS = 200;
const MAX_QUOTES = 2 * MAX_PARTS;
const LISTS = [
  "accept",
  "accept-language",
  "accept-encoding",
  "cookie",
  "forwarded",
  "if-match",
  "if-none-match",
  "range",
  "x-forwarded-for",
];

/** Runs before anything else reads headers. @throws AppError 400 host_missing, 431 headers_too_large */
export const rejectBadHeaders: RequestHandler = (req, _res, next) => next(findBadHeaders(req));

/** The error of a request with bad headers. */
export function findBadHeaders(req: IncomingMessage): AppError | undefined {
  if (!hasOneHost(req)) return badRequest("host_missing", "The request must have exactly one Host header.");
  if (req.rawHeaders.length / 2 > MAX_HEADERS)
    return headersTooLarge(`A request may have at most ${MAX_HEADERS} headers.`);
  const tooLong = LISTS.find((name) => hasTooManyParts(req.headers[name]));
  return tooLong === undefined
    ? undefined
    : headersTooLarge(`${tooLong} may list at most ${MAX_PARTS} values.`);
}

/** Node uses the first of several Host headers, while a proxy may have used the last. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && isHost(name)).length;
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";

const headersTooLarge = (detail: string) => new AppError(431, "headers_too_large", detail);

/** Each element has at most two quotes; entity tags are also parsed if commas are missing. */
const hasTooManyParts = (value: string | string[] | undefined): boolean =>
  typeof value === "string" &&
  value.length > MAX_PARTS &&
  (value.split(/[,;]/, MAX_PARTS + 1).length > MAX_PARTS ||
    value.split('"', MAX_QUOTES + 2).length > MAX_QUOTES + 1);

/** Whether the client prefers HTML to JSON, as browsers do that follow a link or submit a form. */
export const prefersPage = (req: Request): boolean =>
  req.accepts(["json", "application/problem+json", "html"]) === "html";

/** What the client accepts (RFC 9110, 12.5.1). Sets `Vary`, because the response depends on it. */
export function readAccepted(req: Request, res: Response): Accepted {
  res.vary("Accept");
  const known = new Map<string, boolean>();
  return {
    ranges: [...new Set(req.accepts().map((range) => range.toLowerCase()))],
    // A type that is excluded by name (`q=0`) isn't accepted, even if a wildcard matches. Each call of `accepts` parses
    // the header again, so its result is cached.
    takes(type) {
      const takes = known.get(type) ?? req.accepts(type) !== false;
      known.set(type, takes);
      return takes;
    },
  };
}

/** More than people choose. */
const MAX_LANGUAGES = 20;

/** The codes of the languages that the browser prefers. Sets `Vary`, because the response depends on them. */
export function readAcceptedLanguages(req: Request, res: Response): readonly string[] {
  res.vary("Accept-Language");
  return listAcceptedLanguages(req);
}

/** The same for a response that doesn't depend on them. */
export const listAcceptedLanguages = ({ headers }: Pick<IncomingMessage, "headers">): readonly string[] =>
  new Negotiator({ headers }).languages().slice(0, MAX_LANGUAGES);

/** The host in lower case, without its port and the full stop of the root, from the only header that is used for it. */
export function readHost({ headers: { host = "" } }: IncomingMessage): string {
  const port = host.indexOf(":", host.lastIndexOf("]") + 1);
  const name = port === -1 ? host : host.slice(0, port);
  return name.replace(/\.$/, "").toLowerCase();
}

/** Browsers send a few texts, and each library one. */
const knownCodings = new LRUCache<string, Coding | "identity">({ max: 100 });
/** Longer headers are parsed each time. */
const MAX_KNOWN_LENGTH = 100;

/**
 * The coding that the client prefers (RFC 9110, 12.5.3). Without the header, or if it accepts none of them, `identity`.
 * @param codings in the order in which they are preferred among equals
 */
export function choosePreferredCoding(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | "identity" {
  if (header === undefined) return "identity";
  const key = `${codings} ${header}`;
  const known = knownCodings.get(key);
  if (known !== undefined) return known;
  const accepted = new Negotiator({
    headers: { "accept-encoding": sortByPreference(header, codings) },
  }).encoding([...codings, "identity"]);
  const coding = codings.find((name) => name === accepted) ?? "identity";
  if (header.length <= MAX_KNOWN_LENGTH) knownCodings.set(key, coding);
  return coding;
}

/** Among equals, the parser prefers the one that is listed first, and browsers list brotli last. */
function sortByPreference(header: string, codings: readonly string[]): string {
  const rank = (part: string) => {
    const place = codings.indexOf(part.replace(/;.*/s, "").trim().toLowerCase());
    return place === -1 ? codings.length : place;
  };
  return header
    .split(",")
    .sort((one, other) => rank(one) - rank(other))
    .join();
}
