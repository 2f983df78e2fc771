/** The service's figures for who holds the token. Where there is none, nothing is at this address. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { AppError, unauthorized } from "../errors.ts";
import type { Counter, Histogram, Metrics } from "../lib/metrics.ts";
import { contextOf } from "./requests/request-context.ts";

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
      throw unauthorized("unauthenticated", "This endpoint requires the bearer token set in METRICS_TOKEN.");
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

// Counts requests as they come and go. Its labels are few: never an address, a token or an id.

/** From what a list of the catalogue takes to what a reader of a large book takes. */
const BOUNDS_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** Whoever sends another one could send any. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export interface EndedRequest {
  method: string;
  /** The pattern of the route; undefined where there is none. */
  route: string | undefined;
  status: number;
  ms: number;
  aborted: boolean;
}

export class Traffic {
  readonly #durations: Histogram;
  readonly #aborted: Counter;
  readonly #problems: Counter;
  #inFlight = 0;

  constructor(metrics: Metrics) {
    this.#durations = metrics.histogram(
      "http_request_duration_seconds",
      "From the headers of a request to the end of its answer.",
      BOUNDS_SECONDS,
    );
    this.#aborted = metrics.counter(
      "http_answers_aborted_total",
      "Answers that didn't reach their end: the client left, or the answer failed.",
    );
    this.#problems = metrics.counter("http_problems_total", "Answers that were problems, by their code.");
    metrics.gauge("http_requests_in_flight", "Requests whose answers are under way.", () => this.#inFlight);
  }

  /** @param code one of those in the sources */
  problem(code: string): void {
    this.#problems.add({ code });
  }

  begun(): void {
    this.#inFlight += 1;
  }

  ended({ method, route = "none", status, ms, aborted }: EndedRequest): void {
    this.#inFlight -= 1;
    const labels = {
      method: METHODS.has(method) ? method : "other",
      route,
      status: `${Math.floor(status / 100)}xx`,
    };
    this.#durations.observe(ms / 1000, labels);
    if (aborted) this.#aborted.add({ method: labels.method, route });
  }
}
