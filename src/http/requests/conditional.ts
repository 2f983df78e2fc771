/** Evaluates preconditions and ranges of a request for a stored file (RFC 9110, 13 and 14). */
import type { IncomingHttpHeaders } from "node:http";
import parseRanges from "range-parser";

interface ConditionalRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** The strong entity tag of the current file, in quotes. */
  etag: string;
  /** Epoch milliseconds, compared in whole seconds as in headers; if undefined, no date matches. */
  lastModified: number | undefined;
  sizeBytes: number;
}

/** `start` and `end` are byte positions, both inclusive, always inside the file. */
export type Response =
  | { kind: "full" }
  | { kind: "partial"; start: number; end: number }
  | { kind: "not-modified" }
  | { kind: "precondition-failed" }
  | { kind: "unsatisfiable" };

/** Evaluates in the order of RFC 9110, 13.2.2. */
export function chooseResponse(request: ConditionalRequest): Response {
  const unmet = findUnmetCondition(request);
  if (unmet) return unmet;
  return request.method === "GET" && rangeApplies(request) ? rangeOf(request) : { kind: "full" };
}

type Conditions = Omit<ConditionalRequest, "sizeBytes">;

/** Only the preconditions, which don't need the size of the file; undefined if all are met. */
export function findUnmetCondition(
  request: Conditions,
): Extract<Response, { kind: "not-modified" | "precondition-failed" }> | undefined {
  if (failsPrecondition(request)) return { kind: "precondition-failed" };
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isUnchanged(request, isRead)) return undefined;
  return { kind: isRead ? "not-modified" : "precondition-failed" };
}

/** Steps 1 and 2: If-Match or, only without it, If-Unmodified-Since. */
function failsPrecondition({ headers, etag, lastModified }: Conditions): boolean {
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined) return !listsTag(ifMatch, etag, "strong");
  return wholeSecond(lastModified) > dateIn(headers["if-unmodified-since"]);
}

/** Steps 3 and 4: If-None-Match or, only without it and for reads, If-Modified-Since. */
function isUnchanged({ headers, etag, lastModified }: Conditions, isRead: boolean): boolean {
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch !== undefined) return listsTag(ifNoneMatch, etag, "weak");
  return isRead && wholeSecond(lastModified) <= dateIn(headers["if-modified-since"]);
}

/** Step 5: a range of another version than the client's must not be sent (13.1.5). */
function rangeApplies({ headers, etag, lastModified }: ConditionalRequest): boolean {
  const ifRange = headers["if-range"]?.toString();
  if (headers.range === undefined) return false;
  if (ifRange === undefined || ifRange === etag) return true;
  return dateIn(ifRange) === wholeSecond(lastModified);
}

/** One range, or the whole file if the header is malformed, has another unit or contains several ranges. */
function rangeOf({ headers, sizeBytes }: ConditionalRequest): Response {
  const set = /^bytes=(.*)$/i.exec(headers.range ?? "")?.[1];
  if (set === undefined) return { kind: "full" };
  const ranges = parseRanges(sizeBytes, `bytes=${clampSuffixes(set, sizeBytes)}`, { combine: true });
  if (ranges === -1) return { kind: "unsatisfiable" };
  if (ranges === -2) return { kind: "full" };
  const [only, another] = ranges;
  return only === undefined || another !== undefined ? { kind: "full" } : { kind: "partial", ...only };
}

/** "The last N bytes" of a file shorter than N means all of it (14.1.2), but range-parser returns no bytes. */
function clampSuffixes(set: string, sizeBytes: number): string {
  return set
    .split(",")
    .map((range) => {
      const suffix = /^\s*-(\d+)\s*$/.exec(range)?.[1];
      return suffix !== undefined && Number(suffix) > sizeBytes ? `-${sizeBytes}` : range;
    })
    .join(",");
}

/** Whether a list of entity tags, or `*`, contains this one; a weak tag never matches strongly (8.8.3.2). */
function listsTag(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (comparison === "weak" && tag === `W/${etag}`));
}

/** NaN for an unknown time: it is neither equal to, before nor after anything. */
const wholeSecond = (milliseconds = Number.NaN): number => Math.floor(milliseconds / 1000) * 1000;

/** Epoch milliseconds; NaN for a missing or invalid date. */
const dateIn = (header: string | undefined): number => Date.parse(header ?? "");
