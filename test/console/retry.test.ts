/** The rule for trying again: which failures pass, how long each wait is, and that it ends. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../console/src/api/client.ts";
import {
  countAttempt,
  decideWait,
  isTemporary,
  NO_ATTEMPTS,
  PATIENCE,
  repeat,
  retryQuery,
} from "../../console/src/api/retry.ts";

type Level = keyof typeof PATIENCE;

const problem = (status: number, code = "", retryAfter?: number) =>
  new Problem(status, { code }, () => (retryAfter === undefined ? null : String(retryAfter)));

/** The waits of a request that always fails. */
function listWaits(error: unknown, level: Level, most = 10): (number | "session" | undefined)[] {
  const waits: (number | "session" | undefined)[] = [];
  for (let before = NO_ATTEMPTS; waits.length < most; before = countAttempt(error, before)) {
    waits.push(decideWait(error, before, PATIENCE[level]));
    if (waits.at(-1) === undefined) break;
  }
  return waits;
}

describe("decideWait", () => {
  const IN_BACKGROUND = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, undefined];
  const cases: [what: string, error: unknown, level: Level, waits: readonly unknown[]][] = [
    ["a broken line", problem(0), "reading", [1000, 2000, undefined]],
    ["a restart", problem(503), "reading", [1000, 2000, undefined]],
    ["a restart of minutes", problem(503, "", 60), "reading", [2000, 2000, undefined]],
    ["a silent server", problem(0, "silent"), "reading", [undefined]],
    ["an error of the server", problem(500), "reading", [undefined]],
    ["too many requests", problem(429, "", 7), "reading", [undefined]],
    ["a session that has ended", problem(401), "reading", [undefined]],
    ["a broken line", problem(0), "background", IN_BACKGROUND],
    ["a silent server", problem(0, "silent"), "background", IN_BACKGROUND],
    ["a lasting error of the server", problem(500), "background", IN_BACKGROUND],
    ["a failure without a Problem", { status: 502 }, "background", IN_BACKGROUND],
    ["a wrong request", problem(400), "background", [undefined]],
    ["something else", new Error("wrong"), "background", [undefined]],
    ["a lost response", problem(0), "once", [undefined]],
    ["an error of the server", problem(500), "once", [undefined]],
  ];

  it.each(cases)("ends for %s (%o, %s)", (_, error, level, waits) => {
    expect(listWaits(error, level)).toEqual(waits);
  });

  it("waits for a turn as long as the service asks, a log-in at any time, and neither for ever", () => {
    for (const level of ["preparation", "background", "once"] as const) {
      const waits = listWaits(problem(429, "", 1), level, 1000);
      expect(waits).toHaveLength(601);
      expect(new Set(waits)).toEqual(new Set([1000, undefined]));
    }
    expect(listWaits(problem(429, "", 7), "background", 1)).toEqual([7000]);
    expect(listWaits(problem(429), "background", 2)).toEqual([1000, 1000]);
    expect(listWaits(problem(503, "reports_in_preparation", 10), "preparation", 2)).toEqual([1000, 1000]);
    expect(listWaits(problem(401), "once", 1000)).toHaveLength(601);
  });

  it("counts a wait for a turn as no failure", () => {
    const before = [problem(429), problem(503), problem(401)].reduce(
      (attempts, error) => countAttempt(error, attempts),
      NO_ATTEMPTS,
    );
    expect(before).toEqual({ failures: 1, turns: 2 });
  });
});

it("isTemporary tells what waiting can mend from what is wrong with a request", () => {
  expect([0, 401, 429, 500, 503, 507].every((status) => isTemporary(problem(status)))).toBe(true);
  expect([400, 403, 404, 409, 412, 413].some((status) => isTemporary(problem(status)))).toBe(false);
  expect(isTemporary(new Error("wrong"))).toBe(false);
});

it("repeat waits before each further attempt, and throws the last failure", async () => {
  const waits: unknown[] = [];
  const failures = [problem(503), problem(401), problem(429, "", 7), problem(404)];
  const world = {
    waitForSession: async () => void waits.push("session"),
    sleep: async (ms: number) => void waits.push(ms),
  };
  const last = failures.at(-1);
  const failing = async () => {
    throw failures.shift();
  };
  await expect(repeat(failing, world)).rejects.toBe(last);
  expect(waits).toEqual([1000, "session", 7000]);
  expect(await repeat(async () => "done", world)).toBe("done");
});

it("retryQuery gives a query the same rule", () => {
  const { retry, retryDelay } = retryQuery(PATIENCE.reading);
  expect([0, 1, 2].map((count) => retry(count, problem(502)))).toEqual([true, true, false]);
  expect([0, 1].map((count) => retryDelay(count, problem(502)))).toEqual([1000, 2000]);
  expect(retryQuery(PATIENCE.preparation).retry(0, problem(401))).toBe(false);
});
