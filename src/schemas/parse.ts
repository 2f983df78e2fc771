/** From what a caller sent to what the service may rely on, with every fault named. */
import type { z } from "zod";
import type { Fault, FaultPlace } from "../errors.ts";
import { type FieldErrorCode, fieldErrorCodeOf } from "./error-codes.ts";
import { explain } from "./messages.ts";

export type Parsed<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

export function parse<S extends z.ZodType>(
  schema: S,
  given: unknown,
  place: FaultPlace,
): Parsed<z.output<S>> {
  const result = schema.safeParse(given, { error: explain });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, faults: result.error.issues.flatMap((issue) => faultsOf(issue, place)) };
}

/** More than any field of ours has; the rest of a longer name isn't sent back. */
const MAX_NAME_LENGTH = 100;

/** Each unknown field is a fault of its own; an issue of the whole has an empty path. */
function faultsOf(issue: z.core.$ZodIssue, place: FaultPlace): Fault[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      in: place,
      path: [...path, key.slice(0, MAX_NAME_LENGTH)].join("."),
      message: "is not a field of this request",
      code: "unknown_field",
    }));
  }
  return [{ in: place, path: path.join("."), message: issue.message, code: codeOf(issue) }];
}

/** Rules of our own may name their fault; what zod finds has zod's code. */
function codeOf(issue: z.core.$ZodIssue): FieldErrorCode {
  const own: unknown = issue.code === "custom" ? issue.params?.code : undefined;
  return fieldErrorCodeOf(own ?? issue.code);
}
