/** How many responses one caller may have under way at a time: each holds buffers for as long as it isn't taken. */
import type { RequestHandler } from "express";
import { AppError } from "../errors.ts";
import { addressKey } from "./rate-limit.ts";
import { addressOf } from "./request-context.ts";

/** @param max of one client address, as TRUST_PROXY says; 0 for any number */
export function limitOpenResponses(max: number): RequestHandler {
  const open = new Map<string, number>();
  return function countOpenResponse(req, res, next) {
    if (max === 0) return next();
    const key = addressKey(addressOf(req));
    const count = open.get(key) ?? 0;
    if (count >= max) {
      throw new AppError(429, "too_many_responses", `At most ${max} responses at a time go to one address.`, {
        headers: { "Retry-After": "5" },
      });
    }
    open.set(key, count + 1);
    res.once("close", () => {
      const left = (open.get(key) ?? 0) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
    next();
  };
}
