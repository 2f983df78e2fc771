/** When the City database is refreshed by itself. */
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { GeoIpSchedule } from "../../src/services/geo-ip.ts";
import { startApp } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { FakeLater } from "../support/fake-later.ts";
import { KEY } from "../support/geoip-provider.ts";
import { expectNewDatabase, type GeoIpScene, geoIpScene } from "../support/geoip-scene.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** It is 1 March, 12:00. @param ageMs of the file; undefined for none */
async function scheduled(
  ageMs: number | undefined,
  prepare: (at: GeoIpScene) => void | Promise<void> = () => {},
) {
  const at = await geoIpScene();
  const clock = new FakeClock();
  const timer = new FakeLater(clock);
  const made = new Date(clock.now() - (ageMs ?? 0));
  if (ageMs === undefined) rmSync(at.file.path);
  else utimesSync(at.file.path, made, made);
  await prepare(at);
  const { refresh, file, geoIp, log } = at;
  const schedule = new GeoIpSchedule({ refresh, file, geoIp, clock, log, schedule: timer.schedule });
  onTestFinished(() => schedule.stop());
  schedule.start();
  await planned(timer);
  return { ...at, schedule, clock, timer };
}

/** The next attempt waits for its time. */
const planned = (timer: FakeLater): Promise<void> => vi.waitFor(() => expect(timer.due).toHaveLength(1));

const attempts = ({ provider }: GeoIpScene): number =>
  provider.asked.filter((each) => each.startsWith("HEAD")).length;

describe("the first refresh", () => {
  it.each([
    ["a missing database", undefined, 5 * MINUTE],
    ["one that is a week old", 7 * DAY, 5 * MINUTE],
    ["one that is a year old", 365 * DAY, 5 * MINUTE],
    ["one that is two days old, however often the service starts", 2 * DAY, 5 * DAY],
    ["one from the future", -1000 * DAY, 7 * DAY],
  ])("of %s comes in time", async (_, age, soonest) => {
    const at = await scheduled(age);
    at.timer.pass(soonest - 1);
    expect(at.timer.due).toHaveLength(1);
    at.timer.pass(10 * MINUTE);
    expect(at.timer.due).toHaveLength(0);
    await vi.waitFor(() => expectNewDatabase(at));
  });

  it("comes soon too when the database is new but can't be opened", async () => {
    const at = await scheduled(DAY, async ({ file, geoIp }) => {
      writeFileSync(file.path, "cut off");
      await geoIp.load(file.path);
    });
    at.timer.pass(15 * MINUTE);
    await vi.waitFor(() => expectNewDatabase(at));
  });

  it("doesn't come for all services at the same moment", async () => {
    const moments = new Set<number>();
    for (let start = 0; start < 5; start++) moments.add((await scheduled(undefined)).timer.due[0] ?? 0);
    expect(moments.size).toBeGreaterThan(1);
  });
});

describe("the next one", () => {
  it("comes when the database that it brought is a week old", async () => {
    const at = await scheduled(undefined);
    at.timer.pass(15 * MINUTE);
    await planned(at.timer);
    expectNewDatabase(at);
    const [due = 0] = at.timer.due;
    expect(new Date(due).toISOString()).toMatch(/^2026-03-03T15:(4[2-9]|5[0-2])/);
    at.timer.pass(due - at.clock.now());
    await planned(at.timer);
    expect(attempts(at)).toBe(2);
  });

  it("comes some hours later when there was nothing newer", async () => {
    const at = await scheduled(undefined);
    at.timer.pass(15 * MINUTE);
    await planned(at.timer);
    at.timer.pass(5 * DAY);
    await planned(at.timer);
    expect(at.logged.at(-1)).toMatchObject({ msg: "the City database is up to date" });
    const wait = (at.timer.due[0] ?? 0) - at.clock.now();
    expect(wait).toBeGreaterThanOrEqual(6 * HOUR);
    expect(wait).toBeLessThan(6 * HOUR + 10 * MINUTE);
  });

  it("comes some hours later when it failed, with a warning", async () => {
    const at = await scheduled(undefined, ({ provider }) => {
      provider.misbehave = (_, response) => response.writeHead(503).end();
    });
    at.timer.pass(15 * MINUTE);
    await planned(at.timer);
    expect(at.logged.at(-1)).toMatchObject({ level: 40, msg: "could not update the City database" });
    at.provider.behave();
    at.timer.pass(6 * HOUR + 10 * MINUTE);
    await vi.waitFor(() => expectNewDatabase(at));
  });
});

it("a stop ends it, also while one is planned or in progress", async () => {
  const at = await scheduled(undefined);
  at.schedule.stop();
  expect(at.timer.due).toEqual([]);
  const other = await scheduled(undefined);
  other.timer.pass(15 * MINUTE);
  other.schedule.stop();
  await vi.waitFor(() => expectNewDatabase(other));
  expect(other.timer.due).toEqual([]);
});

describe("the service", () => {
  const key = { MAXMIND_ACCOUNT_ID: KEY.accountId, MAXMIND_LICENSE_KEY: KEY.licenseKey };

  it.each<[boolean, string, Record<string, string>]>([
    [true, "with a key", key],
    [false, "with a key and GEOIP_AUTO_UPDATE=false", { ...key, GEOIP_AUTO_UPDATE: "false" }],
    [false, "without a key", {}],
  ])("refreshes by itself (%s) %s", async (isScheduled, _, variables) => {
    const { container } = await startApp(variables);
    const timeouts = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timeouts.mockRestore());
    container.startSchedules();
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Old events are looked for once a day, and the clock is recorded every hour.
    const delays = timeouts.mock.calls
      .map(([, delay = 0]) => delay)
      .filter((delay) => delay !== DAY && delay !== 60 * MINUTE);
    expect(delays.some((delay) => delay >= 5 * MINUTE)).toBe(isScheduled);
  });
});
