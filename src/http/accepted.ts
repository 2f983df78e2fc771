/** What the caller of a route takes as an answer, by its Accept header (RFC 9110, 12.5.1). */
import type { Request, Response } from "express";
import type { Accepted } from "../services/cover-type.ts";

/** Whether the caller would rather have a page than JSON: browsers that follow a link or send a form. */
export const prefersPage = (req: Request): boolean =>
  req.accepts(["json", "application/problem+json", "html"]) === "html";

/** Whoever looks at it gets an answer that varies by it, and says so. */
export function acceptedBy(req: Request, res: Response): Accepted {
  res.vary("Accept");
  const known = new Map<string, boolean>();
  return {
    ranges: [...new Set(req.accepts().map((range) => range.toLowerCase()))],
    // A type that the header refuses by its name (`q=0`) isn't taken, even if a wildcard would let it in. Each question
    // reads the whole header anew, so it is asked once.
    takes(type) {
      const takes = known.get(type) ?? req.accepts(type) !== false;
      known.set(type, takes);
      return takes;
    },
  };
}
