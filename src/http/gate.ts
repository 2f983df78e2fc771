/** Admits requests to the routes: none before the service is ready, and no new ones during shutdown. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler, Response } from "express";
import type { Clock } from "../adapters/system.ts";
import { unavailable } from "../errors.ts";
import { isoTime } from "../lib/time.ts";
import type { ErrorCodeOf } from "../schemas/error-codes.ts";
import type { KeptResponses } from "./kept-responses.ts";

/** Reports whether the process works, until its end. */
const HEALTH = "/api/health";
/** Reports whether the process should get requests. */
const READY = "/api/health/ready";

export class LifecycleGate {
  readonly #clock: Clock;
  #routes: RequestHandler | undefined;
  #kept: KeptResponses | undefined;
  #isLeaving = false;
  #isStopping = false;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  open(routes: RequestHandler, kept: KeptResponses): void {
    this.#routes = routes;
    this.#kept = kept;
  }

  /** @returns whether a kept response is sent; otherwise the routes must respond */
  respondFromKept(req: IncomingMessage, res: ServerResponse): boolean {
    return !this.#isStopping && this.#kept?.respond(req, res) === true;
  }

  /** Reports from now on that the service isn't ready, and continues to serve requests until `close`. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Requests that were admitted before continue. */
  close(): void {
    this.#isStopping = true;
  }

  readonly handler: RequestHandler = (req, res, next) => {
    const isHealth = req.path === HEALTH;
    if (!this.#routes) {
      if (isHealth) return this.#reportUnhealthy(res);
      throw refusal("starting", "The server is starting. Try again in a few seconds.");
    }
    if (this.#isStopping ? !isHealth : this.#isLeaving && req.path === READY) {
      throw refusal("stopping", "The server is shutting down. Try again shortly.");
    }
    return this.#routes(req, res, next);
  };

  /** The same response as that of the route if the database doesn't respond. */
  #reportUnhealthy(res: Response): void {
    res.status(503).set("Cache-Control", "no-store");
    res.json({ status: "unavailable", timestamp: isoTime(this.#clock.now()) });
  }
}

const refusal = (code: ErrorCodeOf<503>, detail: string) =>
  unavailable(code, detail, { headers: { "Retry-After": "5" } });
