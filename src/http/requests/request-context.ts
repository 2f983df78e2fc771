/** The context of a request from its first byte to its log line, and that line. */
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
  /** The client's own id of the request, if it is safe in a log line; only logged. */
  callerId: string | undefined;
  /** The pattern of the matching route, for the log; a real path can contain a token. */
  route: string | undefined;
  actor: Actor | undefined;
  /** The language code for an error page, if known. */
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
  // Even a trusted proxy passes on this header from clients, and Express would prefer it to Host.
  if (req.headers["x-forwarded-host"] !== undefined) delete req.headers["x-forwarded-host"];
  return context;
}

export function contextOf(req: IncomingMessage): RequestContext {
  const context = contexts.get(req);
  if (!context) throw new Error("The request has no context: its middleware comes first");
  return context;
}

/** Short, and consisting of letters, digits, dots and hyphens. */
function acceptableId(given: string | string[] | undefined): string | undefined {
  return typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : undefined;
}

const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** The client of a request, as downloads and sessions record it. */
export function readerOf(req: Request): Reader {
  return {
    address: addressOf(req),
    userAgent: req.get("user-agent") ?? "",
    referrer: req.get("referer") ?? "",
    isPrefetch: PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(req.get(name) ?? "")),
  };
}

/**
 * The client address: the one that a trusted proxy reports, if valid, or else that of the peer. IPv4-mapped addresses
 * become IPv4.
 */
export function addressOf(req: Request): string {
  const said = unmappedAddress(req.ip ?? "");
  return isIP(said) === 0 ? unmappedAddress(req.socket.remoteAddress ?? "") : said;
}

export interface EndedRequest {
  method: string;
  /** The pattern of the route; undefined if none matches. */
  route: string | undefined;
  status: number;
  ms: number;
  aborted: boolean;
}

/** Counts requests at their start and end. */
interface RequestCounter {
  begun(): void;
  ended(request: EndedRequest): void;
}

/** Their log lines contain the address, so that a log watcher can block it. */
const WITH_ADDRESS = new Set([401, 403, 429]);

/** Logs one line per request. It is the first middleware: it creates the request's context and waits for its end. */
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
