/** The service's metrics, for a client that has the token. Without a configured token, the path doesn't exist. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler, Response } from "express";
import { Counter, Histogram, Registry } from "prom-client";
import { Metrics, processMetrics } from "../adapters/metrics.ts";
import { AppError, unauthorized } from "../errors.ts";
import { contextOf, type EndedRequest } from "./requests/request-context.ts";
import { sendBytes } from "./responses/send-reply.ts";

const PATH = "/metrics";

/** The metrics of a service, the counters of its requests, and the page that shows both. */
export function createMetrics(token: string) {
  const metrics = new Metrics();
  return { metrics, traffic: new Traffic(metrics), page: serveMetrics(metrics, token) };
}

function serveMetrics({ registry }: Metrics, token: string): RequestHandler {
  const due = digestOf(token);
  const ofProcess = processMetrics();
  return function page(req, res, next) {
    if (req.path !== PATH) return next();
    contextOf(req).route = PATH;
    if (req.method !== "GET" && req.method !== "HEAD") {
      const headers = { Allow: "HEAD, GET" };
      throw new AppError(405, "method_not_allowed", `${req.method} is not allowed here.`, { headers });
    }
    const given = /^Bearer +(\S+)$/i.exec(req.get("authorization") ?? "")?.[1] ?? "";
    if (!timingSafeEqual(digestOf(given), due)) {
      throw unauthorized("unauthenticated", "This endpoint requires the bearer token set in METRICS_TOKEN.");
    }
    return send(Registry.merge([ofProcess, registry]), res);
  };
}

async function send(registry: Registry, res: Response): Promise<void> {
  const text = await registry.metrics();
  res.setHeader("Cache-Control", "no-store");
  sendBytes(res, registry.contentType, text);
}

/** Has a fixed length, so that the comparison reveals nothing about the token. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

// Counts requests. Labels have few values: never an address, a token or an id.

/** From the duration of a cached list to that of a large download. */
const BUCKETS_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** Any other method that a client sends is counted as `other`. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const STATUS_CLASSES = ["", "1xx", "2xx", "3xx", "4xx", "5xx"];

export class Traffic {
  readonly #durations: Histogram<"method" | "route" | "status">;
  readonly #aborted: Counter<"method" | "route">;
  readonly #problems: Counter<"code">;
  #inFlight = 0;

  constructor(metrics: Metrics) {
    const registers = [metrics.registry];
    this.#durations = new Histogram({
      name: "bookdist_http_request_duration_seconds",
      help: "From the headers of a request to the end of its response.",
      labelNames: ["method", "route", "status"],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#aborted = new Counter({
      name: "bookdist_http_responses_aborted_total",
      help: "Responses that were not sent completely: the client left, or the response failed.",
      labelNames: ["method", "route"],
      registers,
    });
    this.#problems = new Counter({
      name: "bookdist_http_problems_total",
      help: "Errors in responses, by their code.",
      labelNames: ["code"],
      registers,
    });
    metrics.addGauge({
      name: "bookdist_http_requests_in_flight",
      help: "Requests whose response isn't complete yet.",
      read: () => this.#inFlight,
    });
  }

  /** @param code an error code of the service */
  countProblem(code: string): void {
    this.#problems.inc({ code });
  }

  countBegun(): void {
    this.#inFlight += 1;
  }

  countEnded({ method: given, route = "none", status: code, ms, aborted }: EndedRequest): void {
    this.#inFlight -= 1;
    const method = METHODS.has(given) ? given : "other";
    const status = STATUS_CLASSES[Math.trunc(code / 100)] ?? "other";
    this.#durations.observe({ method, route, status }, ms / 1000);
    if (aborted) this.#aborted.inc({ method, route });
  }
}
