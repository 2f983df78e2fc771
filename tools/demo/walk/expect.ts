// Comparisons of what the service answered with what it was given.
import { isDeepStrictEqual } from "node:util";

/** @throws Error that names what differs, with both values */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

/** @throws Error with `what` when there is no value */
export function present<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw new Error(what);
  return value;
}
