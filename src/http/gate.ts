/** Lets requests through to the routes: none before they are there, and no new ones once the service stops. */
import type { RequestHandler, Response } from "express";
import type { Clock } from "../adapters/clock.ts";
import { unavailable } from "../errors.ts";
import { isoTime } from "../lib/time.ts";
import type { ErrorCodeOf } from "../schemas/error-codes.ts";

/** Says of the process whether it works, and does so until its end. */
const HEALTH = "/api/health";

export class Gate {
  readonly #clock: Clock;
  #routes: RequestHandler | undefined;
  #isStopping = false;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  open(routes: RequestHandler): void {
    this.#routes = routes;
  }

  /** What was let through before goes on. */
  close(): void {
    this.#isStopping = true;
  }

  readonly handler: RequestHandler = (req, res, next) => {
    const isHealth = req.path === HEALTH;
    if (!this.#routes) {
      if (isHealth) return this.#tellUnhealthy(res);
      throw refusal("starting", "The service is starting. Try again in some seconds.");
    }
    if (this.#isStopping && !isHealth) {
      throw refusal("stopping", "The service is being stopped. Try again shortly.");
    }
    return this.#routes(req, res, next);
  };

  /** As the route does when the database doesn't answer. */
  #tellUnhealthy(res: Response): void {
    res.status(503).set("Cache-Control", "no-store");
    res.json({ status: "unavailable", timestamp: isoTime(this.#clock.now()) });
  }
}

const refusal = (code: ErrorCodeOf<503>, detail: string) =>
  unavailable(code, detail, { headers: { "Retry-After": "5" } });
