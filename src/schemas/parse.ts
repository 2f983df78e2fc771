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
  return { ok: false, faults: faultsIn(result.error.issues, place) };
}

const UNKNOWN = { message: "is not a field of this request", code: "unknown_field" } as const;

/** More than any field of ours has; the rest of a longer name isn't sent back. */
const MAX_NAME_LENGTH = 100;
/** A body can hold a hundred thousand: of those beyond, only the number is told. */
const MAX_UNKNOWN = 20;

/** Each unknown field is a fault of its own; an issue of the whole has an empty path. */
function faultsIn(issues: readonly z.core.$ZodIssue[], place: FaultPlace): Fault[] {
  const faults: Fault[] = [];
  let unknown = 0;
  for (const issue of issues) {
    const path = issue.path.map(String);
    if (issue.code !== "unrecognized_keys") {
      faults.push({ in: place, path: path.join("."), message: issue.message, code: codeOf(issue) });
      continue;
    }
    for (const key of issue.keys.slice(0, Math.max(0, MAX_UNKNOWN - unknown))) {
      faults.push({ in: place, path: [...path, key.slice(0, MAX_NAME_LENGTH)].join("."), ...UNKNOWN });
    }
    unknown += issue.keys.length;
  }
  const unnamed = unknown - MAX_UNKNOWN;
  if (unnamed > 0) {
    const message = `${unnamed} more ${unnamed === 1 ? "field is not a field" : "fields are not fields"} of this request`;
    faults.push({ in: place, path: "", message, code: UNKNOWN.code });
  }
  return faults;
}

/** Rules of our own may name their fault; what zod finds has zod's code. */
function codeOf(issue: z.core.$ZodIssue): FieldErrorCode {
  const own: unknown = issue.code === "custom" ? issue.params?.code : undefined;
  return fieldErrorCodeOf(own ?? issue.code);
}
