/** Sends what a route replied. */
import type { Request, Response } from "express";
import { preconditionFailed } from "../errors.ts";
import { type CachedJson, cachedJson } from "../services/cached-json.ts";
import type { Delivery } from "../services/deliveries.service.ts";
import type { Content, Reply } from "./answers.ts";
import { answerFor } from "./conditional.ts";
import type { Route } from "./define-route.ts";
import { sendFile } from "./send-file.ts";

export async function sendReply(req: Request, res: Response, route: Route, reply: Reply): Promise<void> {
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  if ("delivery" in reply) return await sendDelivery(req, res, reply.delivery);
  res.setHeader("Cache-Control", route.isCacheable ? "no-cache" : "no-store");
  res.statusCode = reply.status;
  if ("empty" in reply) res.end();
  else if ("content" in reply) sendContent(res, reply.content);
  else if ("cached" in reply) sendCacheable(req, res, reply.cached);
  else if (route.isCacheable) sendCacheable(req, res, cachedJson(reply.body));
  else sendJson(req, res, Buffer.from(JSON.stringify(reply.body)));
}

/** @throws AppError 412 when the caller wants another version than there is */
function sendCacheable(req: Request, res: Response, { bytes, etag }: CachedJson<unknown>): void {
  const { "if-none-match": noneMatch, "if-match": match } = req.headers;
  const headers = { "if-none-match": noneMatch, "if-match": match };
  const sizeBytes = bytes.length;
  const due = answerFor({ method: req.method, headers, etag, lastModified: undefined, sizeBytes });
  if (due.kind === "precondition-failed") {
    throw preconditionFailed("precondition_failed", "The answer is not the version that was asked for.");
  }
  res.setHeader("ETag", etag);
  if (due.kind === "not-modified") res.status(304).end();
  else sendJson(req, res, bytes);
}

function sendJson(req: Request, res: Response, bytes: Buffer): void {
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", bytes.length);
  res.end(req.method === "HEAD" ? undefined : bytes);
}

function sendContent(res: Response, { mediaType, bytes, contentSecurityPolicy }: Content): void {
  res.setHeader("Content-Type", mediaType);
  if (contentSecurityPolicy !== undefined) res.setHeader("Content-Security-Policy", contentSecurityPolicy);
  res.end(bytes);
}

/** A book file or a ZIP: whatever it holds, a browser must save it and run nothing of it. */
async function sendDelivery(req: Request, res: Response, delivery: Delivery): Promise<void> {
  res.setHeader("Cache-Control", "private, no-store");
  res.setHeader("X-Robots-Tag", "noindex");
  res.setHeader("Referrer-Policy", "no-referrer");
  res.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
  if (delivery.kind === "file") {
    const { redeem, ...file } = delivery;
    await sendFile(req, res, { ...file, beforeDelivery: redeem });
    return;
  }
  if (req.method === "GET" && beginsAtFirstByte(req.headers.range)) await delivery.redeem();
  res.statusCode = 302;
  res.setHeader("Location", delivery.location);
  res.end();
}

/** Whoever follows a redirect for a later part has been here before (RFC 9110, 14.2). */
const beginsAtFirstByte = (range: string | undefined): boolean =>
  range === undefined || !/^bytes=/i.test(range) || /^bytes=\s*0+-/i.test(range);
