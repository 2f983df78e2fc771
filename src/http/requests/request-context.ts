/** What belongs to one request from its first byte to its log line. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Request } from "express";
import { unmappedAddress } from "../../lib/ip-address.ts";
import type { Reader } from "../../services/downloads/deliveries.service.ts";
import type { Actor } from "../../services/users/actor.ts";

export interface RequestContext {
  /** Our own; nobody chooses it. */
  id: string;
  /** What the caller calls the request, if that can't break a log line: for the log alone. */
  callerId: string | undefined;
  /** The pattern of the route that serves it, for the log; a real path may hold a token. */
  route: string | undefined;
  actor: Actor | undefined;
  /** The code of the language for a page about an error, when something has named one. */
  pageLanguage: string | undefined;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export function openContext(req: IncomingMessage, newId: () => string): RequestContext {
  const context = {
    id: newId(),
    callerId: acceptableId(req.headers["x-request-id"]),
    route: undefined,
    actor: undefined,
    pageLanguage: undefined,
  };
  contexts.set(req, context);
  // Also a trusted proxy passes on what anybody wrote there. Express would prefer it to the host.
  if (req.headers["x-forwarded-host"] !== undefined) delete req.headers["x-forwarded-host"];
  return context;
}

export function contextOf(req: IncomingMessage): RequestContext {
  const context = contexts.get(req);
  if (!context) throw new Error("The request has no context: its middleware comes first");
  return context;
}

/** Short, and of letters, digits, dots and hyphens. */
function acceptableId(given: string | string[] | undefined): string | undefined {
  return typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : undefined;
}

const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** Who sends the request, as far as downloads and sessions are concerned. */
export function readerOf(req: Request): Reader {
  return {
    address: addressOf(req),
    userAgent: req.get("user-agent") ?? "",
    referrer: req.get("referer") ?? "",
    isPrefetch: PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(req.get(name) ?? "")),
  };
}

/** The caller's address: what a trusted proxy says, if that is an address, else that of the peer. IPv4 in its own form. */
export function addressOf(req: Request): string {
  const said = unmappedAddress(req.ip ?? "");
  return isIP(said) === 0 ? unmappedAddress(req.socket.remoteAddress ?? "") : said;
}
