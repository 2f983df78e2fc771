/** A data folder with an old City database in use, a provider that has a newer one, and the refresh between them. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { GeoIpFile } from "../../src/adapters/geo-ip/file.ts";
import { GeoIp } from "../../src/adapters/geo-ip/geo-ip.ts";
import { GeoIpProvider, type GeoIpProviderOptions } from "../../src/adapters/geo-ip/provider.ts";
import { AppError } from "../../src/errors.ts";
import { GeoIpRefresh } from "../../src/services/geo-ip.ts";
import {
  GeoIpProviderHost,
  KEY,
  NEW_DATABASE,
  OLD_DATABASE,
  READER,
  SECRETS,
  usualEntries,
} from "./geoip-provider.ts";
import { lineSink } from "./line-sink.ts";
import { openDescriptors } from "./open-descriptors.ts";
import { tempFolder } from "./temp-folder.ts";

export const OLD_TIME = "2026-02-20T10:00:00.000Z";

/** @param options of the provider's side; by default it loses patience quickly */
export async function geoIpScene(options: Partial<GeoIpProviderOptions> = {}) {
  const provider = await GeoIpProviderHost.start();
  const directory = tempFolder();
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, lineSink(logged));
  let ids = 0;
  const file = new GeoIpFile({ directory, newId: () => `id-${++ids}` });
  writeFileSync(file.path, OLD_DATABASE);
  utimesSync(file.path, new Date(OLD_TIME), new Date(OLD_TIME));
  const geoIp = new GeoIp({ log });
  await geoIp.load(file.path);
  const asked = new GeoIpProvider({
    key: KEY,
    url: provider.url,
    allowHosts: [provider.storage.hostAndPort],
    connectTimeoutMs: 5000,
    idleTimeoutMs: 5000,
    totalTimeoutMs: 10_000,
    ...options,
  });
  const refresh = new GeoIpRefresh({ provider: asked, file, geoIp, log });
  onTestFinished(() => refresh.close());
  return { provider, directory, file, geoIp, refresh, log, logged };
}
export type GeoIpScene = Awaited<ReturnType<typeof geoIpScene>>;

/** What a refresh fails with. The key is neither in it nor in the log. */
export async function refreshError({ refresh, logged }: GeoIpScene): Promise<AppError> {
  const error = await refresh.run().then(
    () => expect.fail("the refresh succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  const reported = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(logged);
  for (const secret of SECRETS) expect(reported).not.toContain(secret);
  return error;
}

/** Byte for byte, in use, alone in its folder, and nothing open. */
export async function expectOldDatabase({ directory, file, geoIp }: GeoIpScene): Promise<void> {
  expect(readdirSync(directory)).toEqual(["GeoLite2-City.mmdb"]);
  expect(readFileSync(file.path).equals(OLD_DATABASE)).toBe(true);
  expect(statSync(file.path).mtime.toISOString()).toBe(OLD_TIME);
  expect(geoIp.locate(READER).city).toBe("Boxford");
  if (process.platform === "linux") expect(await openDescriptors(directory)).toEqual([]);
}

export function expectNewDatabase({ directory, file, geoIp }: GeoIpScene): void {
  expect(readdirSync(directory)).toEqual(["GeoLite2-City.mmdb"]);
  expect(readFileSync(file.path).equals(NEW_DATABASE)).toBe(true);
  expect(geoIp.locate(READER)).toEqual({ countryCode: "GB", countryName: "United Kingdom", city: "London" });
}

/** 502 with these words, all as it was, and the next attempt isn't hindered by this one. */
export async function expectProviderError(at: GeoIpScene, words: string | RegExp): Promise<void> {
  const error = await refreshError(at);
  expect(error).toMatchObject({ status: 502, code: "geoip_provider_failed" });
  expect(error.message).toMatch(words);
  await expectOldDatabase(at);
  at.provider.behave();
  await at.provider.offer(usualEntries(NEW_DATABASE));
  expect(await at.refresh.run()).toMatchObject({ isReplaced: true });
  expectNewDatabase(at);
}
