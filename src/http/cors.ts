/** Opens the public routes to the sites that are configured, and to no others. */
import type { RequestHandler } from "express";

const MAX_AGE_SECONDS = 600;

/** Answers carry no credentials: what is public needs none. */
export function corsFor(origins: readonly string[], methods: readonly string[]): RequestHandler {
  return function cors(req, res, next) {
    const origin = req.get("origin");
    res.vary("Origin");
    if (origin === undefined || !origins.includes(origin)) return next();
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Expose-Headers", "Content-Disposition, ETag, Retry-After");
    // The files and lists are meant to be read there, against helmet's default.
    res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    if (req.method !== "OPTIONS") return next();
    res.setHeader("Access-Control-Allow-Methods", methods.join(", "));
    res.setHeader("Access-Control-Allow-Headers", "Content-Type");
    res.setHeader("Access-Control-Max-Age", MAX_AGE_SECONDS);
    res.status(204).end();
  };
}
