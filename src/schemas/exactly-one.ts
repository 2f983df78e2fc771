/** Two fields of which a request gives exactly one. */
import type { z } from "zod";
import { withCode } from "./error-codes.ts";

/** What `refine` takes. It is checked also when other fields are wrong, so that all errors are reported together. */
export function exactlyOneOf<Name extends string>(one: Name, other: Name) {
  const isAboutEither = ({ code, path = [] }: z.core.$ZodRawIssue) =>
    path.length === 0 ? code !== "unrecognized_keys" : path[0] === one || path[0] === other;
  const hasOne = (request: { [name in Name]?: unknown }) =>
    (request[one] === undefined) !== (request[other] === undefined);
  const fieldError = {
    error: `exactly one of ${one} and ${other} is required`,
    path: [one],
    params: withCode("exactly_one_needed"),
    when: ({ issues }: z.core.ParsePayload) => !issues.some(isAboutEither),
  };
  return [hasOne, fieldError] as const;
}
