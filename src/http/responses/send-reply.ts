/** Sends the reply of a route. */
import type { Request, Response } from "express";
import { CODINGS, type CompressedBytes, compressOnce } from "../../adapters/compression.ts";
import { encodeJson, entityTag } from "../../lib/entity-tag.ts";
import { createYielder, stringifyInTurns } from "../../lib/event-loop.ts";
import type {
  ArchiveDelivery,
  CloudDelivery,
  Delivery,
  FileDelivery,
  StoreSource,
} from "../../services/downloads/deliveries.service.ts";
import type { Image } from "../../services/shared/results.ts";
import { chooseResponse, findUnmetCondition } from "../requests/conditional.ts";
import { choosePreferredCoding } from "../requests/headers.ts";
import type { Route } from "../route.ts";
import { formatAttachment, sendCsv, sendJsonDocument } from "./attachment.ts";
import { cacheControlFor, hasSurrogateKey, type Sharing, surrogateKey } from "./caching.ts";
import {
  chooseRepresentation,
  findUnmodifiedTag,
  MIN_COMPRESSED_BYTES,
  type Representation,
  type Version,
} from "./representation.ts";
import { type Content, PAGE_POLICY, type Page, type Reply } from "./responses.ts";
import { notTheVersion, sendFile, setFileDescription } from "./send-file.ts";

/** The request, its response, and what is known besides the reply. */
interface Exchange {
  req: Request;
  res: Response;
  route: Route;
  compressed: CompressedBytes;
  sharing: Sharing;
  isImmutable: boolean;
}

export async function sendReply(given: Omit<Exchange, "isImmutable">, reply: Reply): Promise<void> {
  const exchange = { ...given, isImmutable: reply.isImmutable === true };
  const { req, res, route } = exchange;
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  if ("delivery" in reply) return await sendDelivery(req, res, reply.delivery);
  if ("image" in reply) return await sendImage(exchange, reply.image);
  if ("page" in reply) return await sendPage(exchange, reply);
  setCaching(exchange, "cached" in reply ? reply.cached.languageCode : undefined);
  res.statusCode = reply.status;
  if ("empty" in reply) res.end();
  else if ("csv" in reply) await sendCsv(req, res, reply.csv);
  else if ("document" in reply) await sendJsonDocument(req, res, reply.document);
  else if ("content" in reply) sendContent(exchange, reply.content);
  else if ("cached" in reply) sendVersion(exchange, JSON_TYPE, reply.cached);
  else if (route.isCacheable) sendVersion(exchange, JSON_TYPE, encodeJson(reply.body));
  else await sendJson(exchange, reply.body);
}

/** Megabytes take 20 ms to become text, and as long to be sent if the text isn't Latin: others get their turns. */
async function sendJson(exchange: Exchange, body: unknown): Promise<void> {
  const yieldToEventLoop = createYielder();
  const text = await stringifyInTurns(body);
  await yieldToEventLoop();
  await sendText(exchange, JSON_TYPE, text);
}

function setCaching({ res, route, sharing, isImmutable }: Exchange, languageCode: string | undefined): void {
  if (isImmutable) return void res.setHeader("Cache-Control", IMMUTABLE);
  res.setHeader("Cache-Control", cacheControlFor(route, sharing));
  if (hasSurrogateKey(route, sharing.seconds)) res.setHeader(...surrogateKey(languageCode));
}

/** For a year. */
const IMMUTABLE = "public, max-age=31536000, immutable";

const JSON_TYPE = "application/json; charset=utf-8";

/** @throws AppError 412 if the client requires another version */
function sendVersion({ req, res, route, compressed }: Exchange, mediaType: string, version: Version): void {
  if (route.isCompressed) res.vary("Accept-Encoding");
  const representation: Representation = route.isCompressed
    ? chooseRepresentation(version, req.headers["accept-encoding"], compressed)
    : version;
  const unmodified = findUnmodifiedTag(req, version, representation);
  const { bytes, etag, coding } = representation;
  res.setHeader("ETag", unmodified ?? etag);
  if (unmodified !== undefined) return void res.status(304).end();
  if (coding) res.setHeader("Content-Encoding", coding);
  sendBytes(res, mediaType, bytes);
}

/** Sends what is used once. */
async function sendText({ req, res, route }: Exchange, mediaType: string, text: string): Promise<void> {
  if (!route.isCompressed) return sendBytes(res, mediaType, text);
  res.vary("Accept-Encoding");
  const coding = choosePreferredCoding(req.headers["accept-encoding"], CODINGS);
  if (coding === "identity" || Buffer.byteLength(text) < MIN_COMPRESSED_BYTES)
    return sendBytes(res, mediaType, text);
  const bytes = await compressOnce(text, coding);
  res.setHeader("Content-Encoding", coding);
  sendBytes(res, mediaType, bytes);
}

/** @param bytes as text if it is used once: Node joins it with the headers, which takes less time than two buffers */
export function sendBytes(res: Response, mediaType: string, bytes: Buffer | string): void {
  res.setHeader("Content-Type", mediaType);
  res.setHeader("Content-Length", Buffer.byteLength(bytes));
  res.end(res.req.method === "HEAD" ? undefined : bytes);
}

function sendContent(exchange: Exchange, content: Content): void {
  const { contentSecurityPolicy: policy, mediaType } = content;
  if (policy !== undefined) exchange.res.setHeader("Content-Security-Policy", policy);
  sendVersion(exchange, mediaType, computeVersion(content));
}

const PAGE_TYPE = "text/html; charset=utf-8";

/** A page that depends on the browser's languages is for that browser. */
async function sendPage(exchange: Exchange, { status, page }: { status: number; page: Page }): Promise<void> {
  const { res, route } = exchange;
  const { etag, contentLanguage, languageCode, bytes, isSecret = false, mediaType = PAGE_TYPE } = page;
  res.setHeader("Content-Security-Policy", PAGE_POLICY);
  if (contentLanguage !== undefined) res.setHeader("Content-Language", contentLanguage);
  // With the usual `no-referrer`, the `Origin` of a form would be `null`, which says nothing of where it comes from.
  res.setHeader("Referrer-Policy", isSecret ? "no-referrer" : "same-origin");
  res.statusCode = status;
  if (etag === undefined) {
    res.setHeader("Cache-Control", "private, no-store");
    if (status !== 200 || isSecret) res.setHeader("X-Robots-Tag", "noindex");
    return await sendText(exchange, mediaType, bytes.toString());
  }
  const isPrivate = dependsOnLanguages(res) || !route.isCacheable;
  if (isPrivate) res.setHeader("Cache-Control", "private, no-cache");
  else setCaching(exchange, languageCode);
  sendVersion(exchange, mediaType, { bytes, etag, languageCode });
}

/** Whether the languages that the browser prefers were read. */
export const dependsOnLanguages = (res: Pick<Response, "getHeader">): boolean =>
  String(res.getHeader("Vary") ?? "").includes("Accept-Language");

/** The version in the reply of a kept route; undefined if there is none any more, such as of a book that was withdrawn. */
export function findVersion(reply: Reply): Version | undefined {
  if ("cached" in reply) return reply.cached;
  if ("content" in reply) return computeVersion(reply.content);
  if ("page" in reply) {
    const { etag, ...page } = reply.page;
    return etag === undefined ? undefined : { ...page, etag };
  }
  if ("empty" in reply) return undefined;
  throw new TypeError("A kept route replies with cached JSON, a static document or a page");
}

/** Static documents are the same objects for every request, so each is encoded once. */
const versions = new WeakMap<Content, Version>();

function computeVersion(content: Content): Version {
  const known = versions.get(content);
  if (known) return known;
  const bytes = Buffer.from(content.text);
  const version = { bytes, etag: entityTag(bytes) };
  versions.set(content, version);
  return version;
}

/** Prevents active content in files from running. */
const SANDBOX = "default-src 'none'; sandbox";

/** Any site may show a public image: the public site often has another host than this service. */
async function sendImage(exchange: Exchange, image: Image): Promise<void> {
  const { req, res } = exchange;
  const { isCacheable } = exchange.route;
  if (isCacheable) setCaching(exchange, image.languageCode);
  else res.setHeader("Cache-Control", "private, no-cache");
  res.setHeader("Content-Security-Policy", SANDBOX);
  if (isCacheable) res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  if ("handle" in image) await sendFile(req, res, image);
  else sendVersion(exchange, image.contentType, image);
}

/** A book file or a ZIP: a browser must save it and never run its content. */
async function sendDelivery(req: Request, res: Response, delivery: Delivery): Promise<void> {
  res.setHeader("Cache-Control", "private, no-store");
  res.setHeader("X-Robots-Tag", "noindex");
  res.setHeader("Referrer-Policy", "no-referrer");
  res.setHeader("Content-Security-Policy", SANDBOX);
  if (delivery.kind === "archive") return await sendArchive(req, res, delivery);
  if (delivery.kind === "file") return await sendFileDelivery(req, res, delivery);
  await redirect(req, res, delivery);
}

async function redirect(
  req: Request,
  res: Response,
  { location, redeem }: Pick<CloudDelivery, "location" | "redeem">,
): Promise<void> {
  if (req.method === "GET" && beginsAtFirstByte(req.headers.range)) await redeem();
  res.statusCode = 302;
  res.setHeader("Location", location);
  res.end();
}

async function sendFileDelivery(req: Request, res: Response, delivery: FileDelivery): Promise<void> {
  const { redeem, store, proxyAddress, ...file } = delivery;
  if (proxyAddress !== undefined && canComeFromProxy(req, file)) {
    await file.handle.close();
    return await handOver(req, res, { ...file, proxyAddress, redeem });
  }
  if (store && canComeFromStore(req, file, store)) {
    await file.handle.close();
    return await redirect(req, res, {
      location: await store.createAddress(formatAttachment(file.fileName, file.asciiName)),
      redeem,
    });
  }
  await sendFile(req, res, { ...file, beforeDelivery: redeem });
}

/** The proxy replaces this response by the file, with its own status, length, ranges and validators. */
async function handOver(
  req: Request,
  res: Response,
  {
    proxyAddress,
    redeem,
    ...file
  }: Pick<FileDelivery, "redeem" | DescribingField> & { proxyAddress: string },
): Promise<void> {
  if (req.method === "GET" && beginsAtFirstByte(req.headers.range)) await redeem();
  setFileDescription(res, file);
  // nginx would send it twice.
  res.removeHeader("Accept-Ranges");
  res.setHeader("X-Accel-Redirect", proxyAddress);
  res.end();
}

type DescribingField = "contentType" | "fileName" | "asciiName";

/** What is left of a delivery when its source is known. */
type FileOfDelivery = Omit<FileDelivery, "store" | "redeem" | "proxyAddress">;

/**
 * A proxy compares conditions with validators of its own, which another version of the same length can have, too, and
 * responds in its own way to several or unsatisfiable ranges. The service itself responds to these, and to its own tags.
 */
function canComeFromProxy({ headers }: Request, file: FileOfDelivery): boolean {
  const { etag, modifiedAt: lastModified, sizeBytes, hasChanged } = file;
  const { range } = headers;
  const conditions = CONDITIONS.flatMap((name) => headers[name] ?? []);
  if (conditions.join().includes(etag)) return false;
  if (hasChanged && (range !== undefined || conditions.length > 0)) return false;
  if (range === undefined) return true;
  const onlyRange = { method: "GET", headers: { range }, etag, lastModified, sizeBytes };
  return !range.includes(",") && chooseResponse(onlyRange).kind === "partial";
}

const CONDITIONS = [
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
] as const;

/**
 * The store knows the bytes but not the link, has entity tags of its own, and may ignore If-Range. The service itself
 * responds to HEAD, to its own tags, without bytes, and to a range unless the store sends exactly that range of the
 * version that the client has.
 */
function canComeFromStore({ method, headers }: Request, file: FileOfDelivery, store: StoreSource): boolean {
  const { etag, modifiedAt: lastModified, sizeBytes, hasChanged } = file;
  const { range, "if-range": ifRange } = headers;
  const tags = [headers["if-match"], headers["if-none-match"], ifRange].join();
  if (method !== "GET" || tags.includes(etag)) return false;
  const hasVersion = ifRange === undefined ? !hasChanged : ifRange === store.etag;
  if (range !== undefined && (!hasVersion || range.includes(","))) return false;
  const conditions = { ...headers, "if-range": undefined };
  const { kind } = chooseResponse({ method, headers: conditions, etag, lastModified, sizeBytes });
  return kind === "full" ? range === undefined : kind === "partial" || kind === "precondition-failed";
}

/**
 * A ZIP that doesn't exist yet is built only if its bytes are requested.
 * @throws AppError 412, and the errors of building it
 */
async function sendArchive(req: Request, res: Response, archive: ArchiveDelivery): Promise<void> {
  const kept = await archive.openKept();
  if (kept) return await sendFileDelivery(req, res, kept);
  const { method, headers } = req;
  const { etag, isEtagCertain, contentType, fileName } = archive;
  const unmet = findUnmetCondition({ method, headers, etag, lastModified: undefined });
  if (unmet?.kind === "precondition-failed") throw notTheVersion();
  const isUnmodified = unmet?.kind === "not-modified";
  if (method !== "HEAD" && !isUnmodified) return await sendFileDelivery(req, res, await archive.open());
  if (isEtagCertain || isUnmodified) res.setHeader("ETag", etag);
  // Without a length, because cloud members have to be fetched to know theirs.
  if (isUnmodified) res.statusCode = 304;
  else setFileDescription(res, { contentType, fileName });
  res.end();
}

/** A request for a later range belongs to a download that was already counted (RFC 9110, 14.2). */
const beginsAtFirstByte = (range: string | undefined): boolean =>
  range === undefined || !/^bytes=/i.test(range) || /^bytes=\s*0+-/i.test(range);
