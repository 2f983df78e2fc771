/** `geoip [--update]`: what the country and the City database are, and the download of the latest City database. */
import { z } from "zod";
import { type FileStorage, openStorage } from "../adapters/files/storage.ts";
import { GeoIpFormatError } from "../adapters/geo-ip/database.ts";
import { GeoIp, openCities, openCountries } from "../adapters/geo-ip/geo-ip.ts";
import { createLogger } from "../adapters/logger.ts";
import { systemClock, systemScheduler } from "../adapters/system.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { mebibytes } from "../lib/sizes.ts";
import { createProvider, GeoIpUpdates } from "../services/geo-ip.ts";
import type { Call } from "./command.ts";

const geoIpOptions = z.object({ update: z.boolean().default(false) });

/** Works whether or not a server is running. Returns 1 if the City database can't be used. */
export async function geoip({ options }: Call): Promise<number> {
  const { update: isUpdate } = geoIpOptions.parse(options);
  const config = readConfig();
  const storage = await openStorage(config);
  try {
    if (isUpdate) process.stdout.write(await update(config, storage));
    return await report(config, storage);
  } finally {
    storage.closeStorage();
  }
}

async function report(config: Config, storage: FileStorage): Promise<number> {
  const { isUsable, text } = await describeCities(config, storage);
  const countries = `Countries: included, built on ${formatDay((await openCountries()).builtAt)}. Used without a City database.`;
  process.stdout.write(`${text}\n${countries}\n`);
  return isUsable ? 0 : 1;
}

/** @throws ConfigError without a key */
async function update(config: Config, { cityFile }: FileStorage): Promise<string> {
  const provider = createProvider(config);
  if (!provider)
    throw new ConfigError([
      "MAXMIND_ACCOUNT_ID, MAXMIND_LICENSE_KEY: required to download the City database",
    ]);
  const log = createLogger("silent", { pretty: false });
  const geoIp = new GeoIp({ cityFile, log });
  await geoIp.load();
  const updates = new GeoIpUpdates({
    provider,
    geoIp,
    // At worst, a server downloads the same at the same time.
    database: { runAtOneInstance: (_, work) => work(new AbortController().signal).then(() => true) },
    clock: systemClock,
    schedule: systemScheduler,
    log,
  });
  try {
    const { isReplaced, sizeBytes } = await updates.run();
    return isReplaced
      ? `Downloaded the latest City database (${mebibytes(sizeBytes)}). A running server uses it after its own next update, or its next start.\n`
      : "The City database is up to date.\n";
  } finally {
    await updates.close();
  }
}

async function describeCities(
  { geoIpKey }: Config,
  { cityFile }: FileStorage,
): Promise<{ isUsable: boolean; text: string }> {
  const path = (await cityFile.readFacts())?.path;
  try {
    const cities = await openCities(cityFile);
    if (cities) return { isUsable: true, text: `Cities: ${path}, built on ${formatDay(cities.builtAt)}.` };
    const needed = geoIpKey ? "" : "set MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY, then ";
    return { isUsable: true, text: `Cities: none. To download them, ${needed}run bookdist geoip --update.` };
  } catch (error) {
    if (!(error instanceof GeoIpFormatError)) throw error;
    return { isUsable: false, text: `Cities: ${path} can't be used. ${error.message}` };
  }
}

const formatDay = (time: Date): string => time.toISOString().slice(0, 10);
