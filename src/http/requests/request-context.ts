/** What belongs to one request from its first byte to its log line, and that line. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import type { Logger } from "../../adapters/logger.ts";
import { type AddressStorage, storedAddress, unmappedAddress } from "../../lib/ip-address.ts";
import type { Reader } from "../../services/downloads/deliveries.service.ts";
import type { Actor } from "../../services/users/actor.ts";

interface RequestContext {
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

function openContext(req: IncomingMessage, newId: () => string): RequestContext {
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

export interface EndedRequest {
  method: string;
  /** The pattern of the route; undefined where there is none. */
  route: string | undefined;
  status: number;
  ms: number;
  aborted: boolean;
}

/** Counts requests as they come and go. */
interface RequestCounter {
  begun(): void;
  ended(request: EndedRequest): void;
}

/** Their lines carry the address, so that whoever watches the log can block it. */
const WITH_ADDRESS = new Set([401, 403, 429]);

/** Writes one line in the log for every request. Comes first: it opens the request's context and waits for its end. */
export function requestLog(
  { log, newId, addressStorage }: { log: Logger; newId: () => string; addressStorage: AddressStorage },
  traffic: RequestCounter | undefined,
): RequestHandler {
  return function logRequest(req, res, next) {
    const context = openContext(req, newId);
    const startedAt = performance.now();
    const writtenBefore = req.socket.bytesWritten;
    res.setHeader("X-Request-Id", context.id);
    traffic?.begun();
    res.once("close", () => {
      const { method } = req;
      const { route } = context;
      const status = res.statusCode;
      const ms = performance.now() - startedAt;
      const aborted = !res.writableFinished;
      traffic?.ended({ method, route, status, ms, aborted });
      log.info(
        {
          id: context.id,
          ...(context.callerId !== undefined && { callerId: context.callerId }),
          method,
          route: route ?? null,
          status,
          ms: Math.round(ms * 100) / 100,
          bytes: req.socket.bytesWritten - writtenBefore,
          ...(aborted && { aborted }),
          ...(WITH_ADDRESS.has(status) && { address: storedAddress(addressOf(req), addressStorage) }),
          ...(context.actor && {
            actor: context.actor.kind === "session" ? context.actor.user.id : context.actor.keyId,
          }),
        },
        "request",
      );
    });
    next();
  };
}
