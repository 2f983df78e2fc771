/** The service's figures for who holds the token. Where there is none, nothing is at this address. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { AppError, unauthorized } from "../errors.ts";
import type { Metrics } from "../lib/metrics.ts";
import { contextOf } from "./request-context.ts";

const PATH = "/metrics";

export function metricsPage(metrics: Metrics, token: string | undefined): RequestHandler {
  const due = token === undefined ? undefined : digestOf(token);
  return function page(req, res, next) {
    if (due === undefined || req.path !== PATH) return next();
    contextOf(req).route = PATH;
    if (req.method !== "GET" && req.method !== "HEAD") {
      const headers = { Allow: "HEAD, GET" };
      throw new AppError(405, "method_not_allowed", `${req.method} is not allowed here.`, { headers });
    }
    const given = /^Bearer +(\S+)$/i.exec(req.get("authorization") ?? "")?.[1] ?? "";
    if (!timingSafeEqual(digestOf(given), due)) {
      throw unauthorized("unauthenticated", "The figures need the token of METRICS_TOKEN.");
    }
    return send(metrics, req, res);
  };
}

async function send(metrics: Metrics, req: Request, res: Response): Promise<void> {
  const bytes = Buffer.from(await metrics.text());
  res.setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  res.setHeader("Content-Length", bytes.length);
  res.setHeader("Cache-Control", "no-store");
  res.end(req.method === "HEAD" ? undefined : bytes);
}

/** Of the same length whatever the token's, so that the comparison tells nothing of it. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();
