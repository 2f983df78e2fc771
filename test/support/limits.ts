/** Calls that a limit counts, and what it says when it is reached. */
import type { Response } from "supertest";
import { expect } from "vitest";
import type { Client } from "./client.ts";
import { expectProblem } from "./expect-problem.ts";

/** Tests can come from many addresses. */
export const BEHIND_PROXY = { TRUST_PROXY: "loopback" };

export const from = (api: Client, address: string): Client => api.with({ "X-Forwarded-For": address });

export function expectLimited(response: Response, windowSeconds: number): void {
  expectProblem(response, 429, { code: "too_many_requests" });
  const wait = response.headers["retry-after"];
  expect(wait).toMatch(/^\d+$/);
  expect(Number(wait)).toBeGreaterThan(0);
  expect(Number(wait)).toBeLessThanOrEqual(windowSeconds);
}

/** The statuses of calls, one after the other. */
export async function collectStatuses(...calls: (() => Promise<Response>)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call()).status);
  return statuses;
}

export const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
