/** Lets requests through to the routes: none before they are there, and no new ones once the service stops. */
import type { RequestHandler, Response } from "express";
import type { Clock } from "../adapters/system.ts";
import { unavailable } from "../errors.ts";
import { isoTime } from "../lib/time.ts";
import type { ErrorCodeOf } from "../schemas/error-codes.ts";

/** Says of the process whether it works, and does so until its end. */
const HEALTH = "/api/health";
/** Says whether the process is to get requests. */
const READY = "/api/health/ready";

export class LifecycleGate {
  readonly #clock: Clock;
  #routes: RequestHandler | undefined;
  #isLeaving = false;
  #isStopping = false;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  open(routes: RequestHandler): void {
    this.#routes = routes;
  }

  /** Says from now on that it isn't ready, and goes on serving until it is closed. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** What was let through before goes on. */
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

  /** As the route does when the database doesn't respond. */
  #reportUnhealthy(res: Response): void {
    res.status(503).set("Cache-Control", "no-store");
    res.json({ status: "unavailable", timestamp: isoTime(this.#clock.now()) });
  }
}

const refusal = (code: ErrorCodeOf<503>, detail: string) =>
  unavailable(code, detail, { headers: { "Retry-After": "5" } });
