/** Opens the public routes to the sites that are configured, and to no others. */
import type { Request, Response } from "express";

const MAX_AGE_SECONDS = 600;

/**
 * Sets what a site on another origin must be told. Answers carry no credentials: what is public needs none.
 * @returns whether the request was a preflight, which is then answered
 */
export function answersPreflight(
  req: Request,
  res: Response,
  { origins, methods }: { origins: readonly string[]; methods: readonly string[] },
): boolean {
  const { origin } = req.headers;
  // Nothing has set it before.
  res.setHeader("Vary", "Origin");
  if (origin === undefined || !origins.includes(origin)) return false;
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader(
    "Access-Control-Expose-Headers",
    "Content-Disposition, Content-Range, ETag, Retry-After, X-Request-Id",
  );
  // The files and lists are meant to be read there, against helmet's default.
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  if (req.method !== "OPTIONS") return false;
  res.setHeader("Access-Control-Allow-Methods", methods.join(", "));
  res.setHeader("Access-Control-Allow-Headers", "Content-Type");
  res.setHeader("Access-Control-Max-Age", MAX_AGE_SECONDS);
  res.status(204).end();
  return true;
}
