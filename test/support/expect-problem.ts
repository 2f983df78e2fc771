/** Expects a problem answer (RFC 9457), and the faults that it names. */
import type { Response } from "supertest";
import { expect } from "vitest";

interface Expected {
  code?: string;
  /** `path code` of each fault, in any order; all of them and no others. */
  faults?: readonly string[];
}

export function expectProblem(answer: Response, status: number, { code, faults }: Expected = {}): void {
  const { body } = answer;
  const named: string[] = (body.errors ?? []).map((fault: { path: string; code: string }) =>
    `${fault.path} ${fault.code}`.trim(),
  );
  expect(
    { status: answer.status, ...(code && { code: body.code }), ...(faults && { faults: named.sort() }) },
    JSON.stringify(body),
  ).toEqual({
    status,
    ...(code && { code }),
    ...(faults && { faults: [...faults].sort() }),
  });
  expect(answer.headers["content-type"]).toBe("application/problem+json");
}
