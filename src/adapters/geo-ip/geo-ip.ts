/** Locates addresses: with the City database in the data folder or the bucket, or else with the included country database. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../errors.ts";
import { isPublicAddress, unmapAddress } from "../../lib/ip-address.ts";
import type { NamedFile, NamedFileFacts } from "../files/named-file.ts";
import type { Logger } from "../logger.ts";
import { GeoIpDatabase, type Place, UNKNOWN_PLACE } from "./database.ts";

/** Resolved from the installed npm package. */
const SHIPPED_COUNTRIES = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/**
 * The City database in a file; undefined if there is none.
 * @throws GeoIpFormatError if the file isn't one
 */
export async function openCities(file: NamedFile): Promise<GeoIpDatabase | undefined> {
  return (await file.readFacts()) && new GeoIpDatabase(await file.read(), "cities");
}

let countries: Promise<GeoIpDatabase> | undefined;

/** The country database that is installed with the service, read once: 8 MB that never change. */
export function openCountries(): Promise<GeoIpDatabase> {
  countries ??= readFile(fileURLToPath(import.meta.resolve(SHIPPED_COUNTRIES))).then(
    (bytes) => new GeoIpDatabase(bytes, "countries"),
  );
  return countries;
}

interface GeoIpDeps {
  cityFile: NamedFile;
  log: Logger;
}

export class GeoIp {
  readonly #deps: GeoIpDeps;
  #database: GeoIpDatabase | undefined;
  /** The City database that was read last. One that can't be used isn't read again, either. */
  #read: { facts: NamedFileFacts | undefined; isUsable: boolean } | undefined;

  constructor(deps: GeoIpDeps) {
    this.#deps = deps;
  }

  /** Absolute path at which an operator can provide the City database. */
  get path(): string {
    return this.#deps.cityFile.path;
  }

  /** Whether a City database is in use. */
  get hasCities(): boolean {
    return this.#database?.contents === "cities";
  }

  /** When the provider made the City database in use; undefined without one. */
  get citiesBuiltAt(): Date | undefined {
    return this.hasCities ? this.#database?.builtAt : undefined;
  }

  /** Undefined if there is no City database. */
  readFacts(): Promise<NamedFileFacts | undefined> {
    return this.#deps.cityFile.readFacts();
  }

  /** Opens the City database, or the country database without a usable one. */
  async load(): Promise<void> {
    await this.refresh();
    this.#database ??= await openCountries();
  }

  /**
   * Opens the City database if it isn't the one in use, which stays in use if that fails. Never fails.
   * @returns the City database that is now in use; undefined if there is none, or it is unusable
   */
  async refresh(): Promise<NamedFileFacts | undefined> {
    const { cityFile, log } = this.#deps;
    try {
      const facts = await cityFile.readFacts();
      if (facts === undefined) return undefined;
      if (!isDeepStrictEqual(facts, this.#read?.facts)) {
        const bytes = await cityFile.read();
        this.#read = { facts, isUsable: false };
        this.#database = new GeoIpDatabase(bytes, "cities");
        this.#read = { facts, isUsable: true };
      }
      return this.#read?.isUsable ? facts : undefined;
    } catch (err) {
      log.warn({ err, path: this.path }, "can't use the City database");
      return undefined;
    }
  }

  /**
   * Stores a City database and uses it.
   * @param modifiedAt epoch milliseconds, for the file
   * @throws GeoIpFormatError if `bytes` aren't a City database, AppError 500 if it can't be stored
   */
  async replace(bytes: Buffer, modifiedAt: number | undefined): Promise<void> {
    const cities = new GeoIpDatabase(bytes, "cities");
    try {
      await this.#deps.cityFile.write(bytes, modifiedAt);
      this.#read = { facts: await this.#deps.cityFile.readFacts(), isUsable: true };
    } catch (cause) {
      throw new AppError(500, "geoip_not_stored", "The City database could not be stored.", { cause });
    }
    this.#database = cities;
  }

  /** Unknown for anything but a public internet address. Never throws. */
  locate(address: string): Place {
    const plain = unmapAddress(address);
    if (!this.#database || !isPublicAddress(plain)) return UNKNOWN_PLACE;
    try {
      return this.#database.placeOf(plain);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the geolocation database is damaged");
      return UNKNOWN_PLACE;
    }
  }
}
