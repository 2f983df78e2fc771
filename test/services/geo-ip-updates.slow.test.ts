/** Updates of the City database: what the provider is asked, what happens meanwhile, and when they run by themselves. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { GeoIpProvider } from "../../src/adapters/geo-ip/provider.ts";
import { GeoIpUpdates } from "../../src/services/geo-ip.ts";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { startApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { KEY, NEW_DATABASE, OLD_DATABASE, READER, RELEASED, SECRETS } from "../support/geoip-provider.ts";
import {
  createGeoIpScene,
  expectNewDatabase,
  expectOldDatabase,
  type GeoIpScene,
  updateError,
} from "../support/geoip-scene.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("an update", () => {
  it("checks whether there is a newer database, stores it and uses it", async () => {
    const at = await createGeoIpScene();
    expect(at.geoIp.locate(READER).city).toBe("Boxford");
    expect(await at.updates.run()).toEqual({ isReplaced: true, sizeBytes: NEW_DATABASE.length });
    expectNewDatabase(at);
    expect(statSync(at.geoIp.path).mtime).toEqual(new Date(RELEASED));
    expect(at.provider.asked).toEqual(["HEAD tar.gz", "GET tar.gz.sha256", "GET tar.gz"]);
    expect(at.logged.map(({ msg }) => msg)).toEqual([
      "downloading the City database",
      "replaced the City database",
    ]);
  });

  it("sends the key to the provider's own address only, not to redirected ones", async () => {
    const at = await createGeoIpScene();
    await at.updates.run();
    for (const { headers } of at.provider.host.requests)
      expect(headers.authorization).toBe(`Basic ${SECRETS[1]}`);
    expect(at.provider.storage.requests.map(({ method }) => method)).toEqual(["HEAD", "GET", "GET"]);
    for (const { headers } of at.provider.storage.requests)
      expect(headers).not.toHaveProperty("authorization");
  });

  it("downloads nothing if the newest database is already there", async () => {
    const at = await createGeoIpScene();
    await at.updates.run();
    const before = statSync(at.geoIp.path);
    expect(await at.updates.run()).toEqual({ isReplaced: false, sizeBytes: NEW_DATABASE.length });
    expect(at.provider.asked.slice(3)).toEqual(["HEAD tar.gz"]);
    expect(statSync(at.geoIp.path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it.each<[string, (at: GeoIpScene) => unknown]>([
    ["the provider doesn't say when it was made", ({ provider }) => (provider.lastModified = undefined)],
    [
      "the file is younger, but from elsewhere",
      ({ geoIp }) => utimesSync(geoIp.path, new Date("2026-02-28T10:00Z"), new Date("2026-02-28T10:00Z")),
    ],
    ["the file is gone", ({ geoIp }) => rmSync(geoIp.path)],
    [
      "the file is as new, but not in use",
      async ({ geoIp }) => {
        writeFileSync(geoIp.path, "not a database");
        utimesSync(geoIp.path, new Date(RELEASED), new Date(RELEASED));
        await geoIp.load();
      },
    ],
  ])("downloads if %s", async (_, prepare) => {
    const at = await createGeoIpScene();
    await prepare(at);
    expect(await at.updates.run()).toMatchObject({ isReplaced: true });
    expectNewDatabase(at);
  });

  it("finds the checksum beside the archive on a mirror", async () => {
    const { archive, checksum } = (await createGeoIpScene()).provider;
    const mirror = await startHost(({ url = "" }, response) => {
      if (url === "/mirror/city.tar.gz") response.end(archive);
      else if (url === "/mirror/city.tar.gz.sha256") response.end(checksum.slice(0, 64).toUpperCase());
      else response.writeHead(404).end();
    });
    const at = await createGeoIpScene({ url: `http://${mirror.hostAndPort}/mirror/city.tar.gz` });
    expect(await at.updates.run()).toMatchObject({ isReplaced: true });
    expectNewDatabase(at);
  });

  it("leaves a complete database in use at every moment, and runs alone", async () => {
    const at = await createGeoIpScene();
    const half = at.provider.stall();
    const running = at.updates.run();
    const sendRest = await half;
    await expect(at.updates.run()).rejects.toMatchObject({ status: 409, code: "geoip_update_running" });
    expect(at.geoIp.locate(READER).city).toBe("Boxford");
    sendRest();
    let isOver = false;
    void running.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const found = readFileSync(at.geoIp.path);
      expect([OLD_DATABASE, NEW_DATABASE].some((whole) => whole.equals(found))).toBe(true);
      await new Promise(setImmediate);
    }
    await running;
    expectNewDatabase(at);
    expect(at.provider.asked).toHaveLength(3);
  });

  it("is ended by a stop, and leaves nothing", async () => {
    const at = await createGeoIpScene();
    const half = at.provider.stall();
    const running = expect(at.updates.run()).rejects.toThrow("The server is shutting down");
    await half;
    await at.updates.close();
    await running;
    await expectOldDatabase(at);
    await eventually(() => expect(at.provider.storage.openSockets()).toBe(0));
  });

  it("that can't be stored returns 500, and the old database stays in use", async () => {
    const at = await createGeoIpScene();
    rmSync(at.geoIp.path);
    mkdirSync(join(at.geoIp.path, "inside"), { recursive: true });
    expect(await updateError(at)).toMatchObject({ status: 500, code: "geoip_not_stored" });
    expect(readdirSync(at.directory)).toEqual(["GeoLite2-City.mmdb"]);
    expect(at.geoIp.locate(READER).city).toBe("Boxford");
    rmSync(at.directory, { recursive: true });
    expect(await updateError(at)).toMatchObject({ code: "geoip_not_stored", cause: { code: "ENOENT" } });
  });

  it("contacts private addresses only if the operator has named the host", async () => {
    const redirected = await createGeoIpScene({ allowHosts: [] });
    const refused = { status: 502, cause: { reason: "refused_address" } };
    expect(await updateError(redirected)).toMatchObject(refused);
    expect(redirected.provider.storage.connections).toBe(0);
    await expectOldDatabase(redirected);
    const resolve = vi.fn(async () => ["127.0.0.1"]);
    const provider = new GeoIpProvider({ key: KEY, allowHosts: [], resolve });
    const updates = new GeoIpUpdates({ ...redirected.deps, provider });
    await expect(updates.run()).rejects.toMatchObject(refused);
    expect(resolve).toHaveBeenCalledWith("download.maxmind.com");
    await updates.close();
  });
});

/** Updates by themselves; it is 1 March, 12:00. @param ageMs of the file; undefined for none */
async function scheduled(
  ageMs: number | undefined,
  prepare: (at: GeoIpScene) => void | Promise<void> = () => {},
) {
  const at = await createGeoIpScene();
  const made = new Date(at.clock.now() - (ageMs ?? 0));
  if (ageMs === undefined) rmSync(at.geoIp.path);
  else utimesSync(at.geoIp.path, made, made);
  await prepare(at);
  at.updates.start({ isAutomatic: true, isShared: false });
  await planned(at);
  return at;
}

/** The next update waits for its time. */
const planned = ({ timer }: GeoIpScene): Promise<void> => eventually(() => expect(timer.due).toHaveLength(1));

describe("the first automatic update", () => {
  it.each([
    ["a missing database", undefined, 5 * MINUTE],
    ["one that is a week old", 7 * DAY, 5 * MINUTE],
    ["one that is two days old, however often the service starts", 2 * DAY, 5 * DAY],
    ["one from the future", -1000 * DAY, 7 * DAY],
  ])("of %s happens in time", async (_, age, soonest) => {
    const at = await scheduled(age);
    at.timer.pass(soonest - 1);
    expect(at.timer.due).toHaveLength(1);
    at.timer.pass(10 * MINUTE);
    expect(at.timer.due).toHaveLength(0);
    await eventually(() => expectNewDatabase(at));
  });

  it("happens soon if the database is new but can't be opened", async () => {
    const at = await scheduled(DAY, async ({ geoIp }) => {
      writeFileSync(geoIp.path, "cut off");
      await geoIp.load();
    });
    at.timer.pass(15 * MINUTE);
    await eventually(() => expectNewDatabase(at));
  });

  it("doesn't happen for all services at the same moment", async () => {
    const moments = new Set<number>();
    for (let start = 0; start < 5; start++) moments.add((await scheduled(undefined)).timer.due[0] ?? 0);
    expect(moments.size).toBeGreaterThan(1);
  });
});

describe("the next update", () => {
  it("happens when the database is a week old, and some hours later if there was nothing newer", async () => {
    const at = await scheduled(undefined);
    at.timer.pass(15 * MINUTE);
    await planned(at);
    expectNewDatabase(at);
    const [due = 0] = at.timer.due;
    expect(new Date(due).toISOString()).toMatch(/^2026-03-03T15:(4[2-9]|5[0-2])/);
    at.timer.pass(due - at.clock.now());
    await planned(at);
    expect(at.logged.at(-1)).toMatchObject({ msg: "the City database is up to date" });
    const wait = (at.timer.due[0] ?? 0) - at.clock.now();
    expect(wait).toBeGreaterThanOrEqual(6 * HOUR);
    expect(wait).toBeLessThan(6 * HOUR + 10 * MINUTE);
  });

  it("happens some hours after a failure, with a warning", async () => {
    const at = await scheduled(undefined, ({ provider }) => {
      provider.misbehave = (_, response) => response.writeHead(503).end();
    });
    at.timer.pass(15 * MINUTE);
    await planned(at);
    expect(at.logged.at(-1)).toMatchObject({ level: 40, msg: "could not update the City database" });
    at.provider.behave();
    at.timer.pass(6 * HOUR + 10 * MINUTE);
    await eventually(() => expectNewDatabase(at));
  });

  it("doesn't happen after a stop", async () => {
    const at = await scheduled(undefined);
    await at.updates.close();
    expect(at.timer.due).toEqual([]);
  });
});

it.each<[boolean, Record<string, string>]>([
  [true, { MAXMIND_ACCOUNT_ID: KEY.accountId, MAXMIND_LICENSE_KEY: KEY.licenseKey }],
  [
    false,
    { MAXMIND_ACCOUNT_ID: KEY.accountId, MAXMIND_LICENSE_KEY: KEY.licenseKey, GEOIP_AUTO_UPDATE: "false" },
  ],
  [false, {}],
])("the service updates automatically (%s) with %o", async (isScheduled, variables) => {
  const delays: number[] = [];
  const schedule = (delayMs: number) => {
    delays.push(delayMs);
    return () => {};
  };
  const { container } = await startApp(variables, { schedule });
  container.startSchedules();
  await container.geoIp.readFacts();
  await new Promise(setImmediate);
  // Old events are looked for once a day, the clock is recorded every hour, and examined files are forgotten six times an hour.
  const others = [DAY, HOUR, HOUR / 6];
  const isOwn = (delay: number) => delay >= 5 * MINUTE && !others.includes(delay);
  await eventually(() => expect(delays.some(isOwn)).toBe(isScheduled));
});
