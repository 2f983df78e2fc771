/** Locates addresses: with the City database in the data folder, or else with the included country database. */
import { readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "../../errors.ts";
import { isPublicAddress, unmappedAddress } from "../../lib/ip-address.ts";
import { ifExists } from "../../lib/node-errors.ts";
import { syncFolder, writeDurably } from "../files/file-store-disk.ts";
import type { Logger } from "../logger.ts";
import { GeoIpDatabase, type Place, UNKNOWN_PLACE } from "./database.ts";

/** The path of the City database in a data folder. */
export const cityDatabaseIn = (dataDir: string): string => join(dataDir, "GeoLite2-City.mmdb");

/** Resolved from the installed npm package. */
const SHIPPED_COUNTRIES = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/**
 * The City database at a path; undefined if there is none.
 * @throws GeoIpFormatError if the file isn't one
 */
export async function openCities(path: string): Promise<GeoIpDatabase | undefined> {
  const bytes = await ifExists(readFile(path));
  return bytes && new GeoIpDatabase(bytes, "cities");
}

/** The country database that is installed with the service. */
export const openCountries = async (): Promise<GeoIpDatabase> =>
  new GeoIpDatabase(await readFile(fileURLToPath(import.meta.resolve(SHIPPED_COUNTRIES))), "countries");

export class GeoIp {
  /** Absolute path of the City database. */
  readonly path: string;
  readonly #deps: { dataDir: string; log: Logger };
  #database: GeoIpDatabase | undefined;
  #modifiedAt: number | undefined;

  constructor(deps: { dataDir: string; log: Logger }) {
    this.#deps = deps;
    this.path = cityDatabaseIn(deps.dataDir);
  }

  /** Whether a City database is in use. */
  get hasCities(): boolean {
    return this.#database?.contents === "cities";
  }

  /** Modification time (epoch milliseconds) of the City database in use, whose file a command may have replaced since. */
  get modifiedAt(): number | undefined {
    return this.hasCities ? this.#modifiedAt : undefined;
  }

  /** Size and modification time (epoch milliseconds) of the City database; undefined if there is none. */
  async facts(): Promise<{ sizeBytes: number; modifiedAt: number } | undefined> {
    const stats = await ifExists(stat(this.path));
    return stats?.isFile() ? { sizeBytes: stats.size, modifiedAt: Math.floor(stats.mtimeMs) } : undefined;
  }

  /** Opens the City database, or the country database without a usable one. Deletes incomplete files of an update. */
  async load(): Promise<void> {
    await rm(this.#unfinished, { force: true });
    this.#modifiedAt = (await this.facts())?.modifiedAt;
    this.#database = (await this.#usableCities()) ?? (await openCountries());
  }

  async #usableCities(): Promise<GeoIpDatabase | undefined> {
    const { path } = this;
    try {
      return await openCities(path);
    } catch (err) {
      this.#deps.log.warn({ err, path }, "can't use the City database; only countries are available");
      return undefined;
    }
  }

  /**
   * Stores a City database and uses it. The old file is unchanged until the new one is renamed into place.
   * @param modifiedAt epoch milliseconds, for the file
   * @throws GeoIpFormatError if `bytes` aren't a City database, AppError 500 if it can't be stored
   */
  async replace(bytes: Buffer, modifiedAt: number | undefined): Promise<void> {
    const cities = new GeoIpDatabase(bytes, "cities");
    try {
      await writeDurably(this.#unfinished, bytes, "w");
      if (modifiedAt !== undefined) await utimes(this.#unfinished, modifiedAt / 1000, modifiedAt / 1000);
      await rename(this.#unfinished, this.path);
      await syncFolder(this.#deps.dataDir);
    } catch (cause) {
      // What can't be deleted now is deleted at the next start.
      await rm(this.#unfinished, { force: true }).catch(() => {});
      throw new AppError(500, "geoip_not_stored", "The City database could not be stored.", { cause });
    }
    this.#database = cities;
    this.#modifiedAt = (await this.facts())?.modifiedAt;
  }

  /** Unknown for anything but a public internet address. Never throws. */
  locate(address: string): Place {
    const plain = unmappedAddress(address);
    if (!this.#database || !isPublicAddress(plain)) return UNKNOWN_PLACE;
    try {
      return this.#database.placeOf(plain);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the geolocation database is damaged");
      return UNKNOWN_PLACE;
    }
  }

  get #unfinished(): string {
    return `${this.path}.part`;
  }
}
