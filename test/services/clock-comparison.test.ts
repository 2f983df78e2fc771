/** The clock of an instance beside that of its database. */
import { expect, it } from "vitest";
import { OperatorError } from "../../src/errors.ts";
import { ClockComparison, measureClockOffset } from "../../src/services/clock-comparison.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";

const MINUTE = 60_000;
const LINK_MS = 10 * MINUTE;

/** @param aheadMs how much the clock is ahead of the database's at first */
function newScene(aheadMs = 0) {
  const clock = new FakeClock();
  const state = { aheadMs, isAway: false, comparisons: 0 };
  const timers = new FakeScheduler(clock);
  const logged: string[] = [];
  const note = (level: string) => (facts: unknown, text?: string) =>
    void logged.push(`${level} ${typeof facts === "string" ? facts : `${JSON.stringify(facts)} ${text}`}`);
  const database = {
    async readClock() {
      state.comparisons += 1;
      if (state.isAway) throw new Error("away");
      return clock.now() - state.aheadMs;
    },
  };
  const log = { info: note("info"), warn: note("warn") };
  const clocks = new ClockComparison({ database, clock, schedule: timers.schedule, log, maxMs: LINK_MS });
  /** Until the next comparison has ended. */
  const pass = async () => {
    const before = state.comparisons;
    timers.pass(MINUTE);
    await eventually(() => expect(state.comparisons).toBe(before + 1));
    await new Promise(setImmediate);
  };
  return { state, clocks, logged, pass, timers };
}

it.each([0, 2000, -2000])("a difference of %i ms is none", async (aheadMs) => {
  const { clocks, logged } = newScene(aheadMs);
  await clocks.assertUsable();
  expect([clocks.notedOffsetMs, clocks.isTooFar, logged]).toEqual([undefined, false, []]);
});

it.each([2001, -2001, LINK_MS, -LINK_MS])("a difference of %i ms is noted, and admitted", async (aheadMs) => {
  const { clocks, logged } = newScene(aheadMs);
  await clocks.assertUsable();
  expect([clocks.notedOffsetMs, clocks.isTooFar]).toEqual([aheadMs, false]);
  const seconds = Math.round(aheadMs / 1000);
  expect(logged).toEqual([
    `warn {"offsetSeconds":${seconds}} the clock of this machine differs from the database's`,
  ]);
});

it.each([
  [LINK_MS + 1, "600 s ahead of"],
  [-LINK_MS - 1, "600 s behind"],
  [60 * MINUTE, "3600 s ahead of"],
])("with a difference of %i ms, there is no registration", async (aheadMs, text) => {
  const { clocks } = newScene(aheadMs);
  const refused = clocks.assertUsable();
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(`The clock of this machine is ${text} the database's.`);
});

it("is compared each minute, and said when it begins to differ, changes and is right again", async () => {
  const { clocks, logged, state, pass, timers } = newScene();
  clocks.start();
  await pass();
  expect(logged).toEqual([]);
  state.aheadMs = 60 * MINUTE;
  await pass();
  await pass();
  expect(clocks.isTooFar).toBe(true);
  expect(logged).toEqual([
    `warn {"offsetSeconds":3600} the clock of this machine differs from the database's: the instance isn't ready until it is corrected`,
  ]);
  state.isAway = true;
  await pass();
  expect(clocks.isTooFar).toBe(true);
  state.isAway = false;
  state.aheadMs = -5000;
  await pass();
  expect(clocks.isTooFar).toBe(false);
  state.aheadMs = 0;
  await pass();
  expect(logged.slice(1)).toEqual([
    `warn {"offsetSeconds":-5} the clock of this machine differs from the database's`,
    "info the clock of this machine is that of the database again",
  ]);
  await clocks.stop();
  expect(timers.due).toEqual([]);
});

it("the time that the response took isn't a difference", async () => {
  const clock = new FakeClock();
  const slow = (atMs: number) => ({
    async readClock() {
      const there = clock.now() + atMs;
      clock.advance(8000);
      return there;
    },
  });
  for (const atMs of [0, 4000, 8000]) expect(await measureClockOffset(slow(atMs), clock)).toBe(0);
  expect(Math.abs((await measureClockOffset(slow(-3000), clock)) ?? 0)).toBe(3000);
});

it("a database in the same process has no other clock", async () => {
  expect(await measureClockOffset({ readClock: async () => undefined }, new FakeClock())).toBeUndefined();
});
