/** The City database of several instances: in the store, where one of them puts it. */
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CITY_DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { startApp } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import {
  GeoIpProviderHost,
  NEW_DATABASE,
  OLD_DATABASE,
  READER,
  RELEASED,
} from "../support/geoip-provider.ts";
import { onS3 } from "../support/on-s3.ts";
import { openBucket } from "../support/s3-bucket.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const UPDATE = "/api/admin/settings/update-geoip";
const TEN_MINUTES = 10 * 60_000;
const CITY = `geoip/${CITY_DATABASE_FILE}`;

/** An instance with tasks whose time a test lets pass. */
async function instance(settings: Readonly<Record<string, string>>, dataDir = createTempFolder()) {
  const timer = new FakeScheduler(new FakeClock());
  const app = await startApp(settings, { dataDir, schedule: timer.schedule });
  app.container.startSchedules();
  const city = () => app.container.geoIp.locate(READER).city;
  const settingsNow = async () => (await (await app.admin()).get("/api/admin/settings")).body;
  return { app, timer, city, settingsNow };
}

it("the City database is fetched by one instance, and used by the others ten minutes later and after a start", async () => {
  const provider = await GeoIpProviderHost.start();
  const settings = { ...onS3(), ...provider.variables };
  const [one, another] = [await instance(settings), await instance(settings)];
  const { body } = await (await one.app.admin()).post(UPDATE);
  expect(body).toMatchObject({ success: true, fileSize: NEW_DATABASE.length });
  expect([one.city(), another.city()]).toEqual(["London", null]);
  const shown = {
    geoipExists: true,
    geoipPath: expect.stringMatching(/^s3:.+\/geoip\/GeoLite2-City\.mmdb$/),
  };
  expect(await another.settingsNow()).toMatchObject(shown);
  another.timer.pass(TEN_MINUTES);
  await eventually(() => expect(another.city()).toBe("London"));
  const late = await instance(settings);
  expect(late.city()).toBe("London");
  expect(existsSync(join(one.app.dataDir, CITY_DATABASE_FILE))).toBe(false);
  const stored = await openBucket(settings).head(CITY);
  expect(stored?.metadata).toEqual({ modified: String(Date.parse(RELEASED)) });

  // The update of another instance finds it, and downloads nothing.
  const asked = provider.asked.length;
  const again = await (await another.app.admin()).post(UPDATE);
  expect(again.body).toMatchObject({ message: "The City database is up to date." });
  expect(provider.asked.slice(asked)).toEqual(["HEAD tar.gz"]);
});

it("the City database is that of the data folder until the store has one", async () => {
  const provider = await GeoIpProviderHost.start();
  const dataDir = createTempFolder();
  const path = join(dataDir, CITY_DATABASE_FILE);
  writeFileSync(path, OLD_DATABASE);
  utimesSync(path, new Date("2026-02-27"), new Date("2026-02-27"));
  const settings = { ...onS3(), ...provider.variables };
  const { app, city, settingsNow } = await instance(settings, dataDir);
  expect(city()).toBe("Boxford");
  expect(await settingsNow()).toMatchObject({ geoipPath: path, geoipFileSize: OLD_DATABASE.length });
  expect((await (await app.admin()).post(UPDATE)).status).toBe(200);
  expect(city()).toBe("London");
});

it("the City database stays in use if the one in the store is damaged", async () => {
  const provider = await GeoIpProviderHost.start();
  const settings = { ...onS3(), ...provider.variables };
  const one = await instance(settings);
  await (await one.app.admin()).post(UPDATE);
  async function* damaged() {
    yield NEW_DATABASE.subarray(0, 500);
  }
  await openBucket(settings).upload(CITY, damaged());
  one.timer.pass(TEN_MINUTES);
  const warning = { level: 40, msg: "can't use the City database" };
  await eventually(() => expect(one.app.logged).toContainEqual(expect.objectContaining(warning)));
  expect(one.city()).toBe("London");
});
