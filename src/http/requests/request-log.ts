/** One line in the log for every request. */
import type { RequestHandler } from "express";
import type { Logger } from "../../adapters/logger.ts";
import { type AddressStorage, storedAddress } from "../../lib/ip-address.ts";
import type { Traffic } from "../metrics.ts";
import { addressOf, openContext } from "./request-context.ts";

/** Their lines carry the address, so that whoever watches the log can block it. */
const WITH_ADDRESS = new Set([401, 403, 429]);

/** Comes first: it opens the request's context and waits for its end. */
export function requestLog(
  { log, newId, addressStorage }: { log: Logger; newId: () => string; addressStorage: AddressStorage },
  traffic: Traffic | undefined,
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
