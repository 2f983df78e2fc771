/** One line in the log for every request. */
import type { RequestHandler } from "express";
import type { Logger } from "../adapters/logger.ts";
import { openContext } from "./request-context.ts";

/** Comes first: it opens the request's context and waits for its end. */
export function requestLog(log: Logger, newId: () => string): RequestHandler {
  return function logRequest(req, res, next) {
    const context = openContext(req, newId);
    const startedAt = performance.now();
    const writtenBefore = req.socket.bytesWritten;
    res.setHeader("X-Request-Id", context.id);
    res.once("close", () => {
      log.info(
        {
          id: context.id,
          method: req.method,
          route: context.route ?? null,
          status: res.statusCode,
          ms: Math.round((performance.now() - startedAt) * 100) / 100,
          bytes: req.socket.bytesWritten - writtenBefore,
          ...(res.writableFinished ? {} : { aborted: true }),
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
