/** Expects a problem response (RFC 9457) with the given errors. */
import type { Response } from "supertest";
import { expect } from "vitest";

interface Expected {
  code?: string;
  /** `path code` of each error, in any order; exactly these. */
  errors?: readonly string[];
}

export function expectProblem(
  response: Response,
  status: number,
  { code, errors: fieldErrors }: Expected = {},
): void {
  const { body } = response;
  const named: string[] = (body.errors ?? []).map((error: { path: string; code: string }) =>
    `${error.path} ${error.code}`.trim(),
  );
  expect(
    {
      status: response.status,
      ...(code && { code: body.code }),
      ...(fieldErrors && { errors: named.sort() }),
    },
    JSON.stringify(body),
  ).toEqual({
    status,
    ...(code && { code }),
    ...(fieldErrors && { errors: [...fieldErrors].sort() }),
  });
  expect(response.headers["content-type"]).toBe("application/problem+json");
}
