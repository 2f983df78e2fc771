/** A data folder with an old City database in use, a provider that has a newer one, and the updates between them. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { FolderFile } from "../../src/adapters/files/named-file.ts";
import { GeoIp } from "../../src/adapters/geo-ip/geo-ip.ts";
import { GeoIpProvider, type GeoIpProviderOptions } from "../../src/adapters/geo-ip/provider.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { AppError } from "../../src/errors.ts";
import { CITY_DATABASE_FILE, DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { GeoIpUpdates } from "../../src/services/geo-ip.ts";
import { createUsualEntries } from "../../tools/lib/mmdb-writer.ts";
import { FakeClock } from "./clock.ts";
import { FakeScheduler } from "./fake-scheduler.ts";
import { GeoIpProviderHost, KEY, NEW_DATABASE, OLD_DATABASE, READER, SECRETS } from "./geoip-provider.ts";
import { createLineSink } from "./line-sink.ts";
import { openDescriptors } from "./open-descriptors.ts";
import { createTempFolder } from "./temp-folder.ts";

const OLD_TIME = "2026-02-20T10:00:00.000Z";

/** @param options of the provider's side; by default with short time limits */
export async function createGeoIpScene(options: Partial<GeoIpProviderOptions> = {}) {
  const provider = await GeoIpProviderHost.start();
  const directory = createTempFolder();
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, createLineSink(logged));
  const cityFile = new FolderFile(join(directory, CITY_DATABASE_FILE));
  const geoIp = new GeoIp({ cityFile, log });
  writeFileSync(geoIp.path, OLD_DATABASE);
  utimesSync(geoIp.path, new Date(OLD_TIME), new Date(OLD_TIME));
  await geoIp.load();
  const clock = new FakeClock();
  const timer = new FakeScheduler(clock);
  const asked = new GeoIpProvider({
    key: KEY,
    url: provider.url,
    allowHosts: [provider.storage.hostAndPort],
    connectTimeoutMs: 5000,
    idleTimeoutMs: 5000,
    totalTimeoutMs: 10_000,
    ...options,
  });
  const database = await openSqlite(join(createTempFolder(), DATABASE_FILE), createTempFolder());
  onTestFinished(() => database.close());
  const deps = { geoIp, database, clock, schedule: timer.schedule, log };
  const updates = new GeoIpUpdates({ ...deps, provider: asked });
  onTestFinished(() => updates.close());
  return { provider, directory, geoIp, updates, deps, clock, timer, logged };
}
export type GeoIpScene = Awaited<ReturnType<typeof createGeoIpScene>>;

/** What an update fails with. The key is neither in it nor in the log. */
export async function updateError({ updates, logged }: GeoIpScene): Promise<AppError> {
  const error = await updates.run().then(
    () => expect.fail("the update succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  const reported = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(logged);
  for (const secret of SECRETS) expect(reported).not.toContain(secret);
  return error;
}

/** Byte for byte, in use, alone in its folder, and nothing open. */
export async function expectOldDatabase({ directory, geoIp }: GeoIpScene): Promise<void> {
  expect(readdirSync(directory)).toEqual(["GeoLite2-City.mmdb"]);
  expect(readFileSync(geoIp.path).equals(OLD_DATABASE)).toBe(true);
  expect(statSync(geoIp.path).mtime.toISOString()).toBe(OLD_TIME);
  expect(geoIp.locate(READER).city).toBe("Boxford");
  if (process.platform === "linux") expect(await openDescriptors(directory)).toEqual([]);
}

export function expectNewDatabase({ directory, geoIp }: GeoIpScene): void {
  expect(readdirSync(directory)).toEqual(["GeoLite2-City.mmdb"]);
  expect(readFileSync(geoIp.path).equals(NEW_DATABASE)).toBe(true);
  expect(geoIp.locate(READER)).toEqual({ countryCode: "GB", countryName: "United Kingdom", city: "London" });
}

/** 502 with these words, all as it was, and the next attempt isn't hindered by this one. */
export async function expectProviderError(at: GeoIpScene, words: string | RegExp): Promise<void> {
  const error = await updateError(at);
  expect(error).toMatchObject({ status: 502, code: "geoip_provider_failed" });
  expect(error.message).toMatch(words);
  await expectOldDatabase(at);
  at.provider.behave();
  await at.provider.offer(createUsualEntries(NEW_DATABASE));
  expect(await at.updates.run()).toMatchObject({ isReplaced: true });
  expectNewDatabase(at);
}
