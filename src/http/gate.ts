/** Lets requests through to the routes: none before they are there, and no new ones once the service stops. */
import type { RequestHandler } from "express";
import { unavailable } from "../errors.ts";

/** Says that the process lives, and so until its end. */
const HEALTH = "/api/health";

export class Gate {
  #routes: RequestHandler | undefined;
  #isStopping = false;

  open(routes: RequestHandler): void {
    this.#routes = routes;
  }

  /** What was let through before goes on. */
  close(): void {
    this.#isStopping = true;
  }

  readonly handler: RequestHandler = (req, res, next) => {
    if (!this.#routes) throw refusal("starting", "The service is starting. Try again in some seconds.");
    if (this.#isStopping && req.path !== HEALTH) {
      throw refusal("stopping", "The service is being stopped. Try again shortly.");
    }
    return this.#routes(req, res, next);
  };
}

const refusal = (code: string, detail: string) =>
  unavailable(code, detail, { headers: { "Retry-After": "5" } });
