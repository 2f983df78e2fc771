/** Where an address is: by the City database in the data folder, else by the countries that ship with the service. */

import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import { isPublicAddress, unmappedAddress } from "../../lib/ip-address.ts";
import { isMissing } from "../../lib/node-errors.ts";
import type { Logger } from "../logger.ts";
import { GeoIpDatabase, type Place, UNKNOWN_PLACE } from "./database.ts";

/** A file of a package, found where npm has put it. */
const shippedCountries = (): string =>
  createRequire(import.meta.url).resolve(
    "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  );

const REMEMBERED = 10_000;

export class GeoIp {
  readonly #log: Logger;
  readonly #known = new LRUCache<string, Place>({ max: REMEMBERED });
  #cities: GeoIpDatabase | undefined;
  /** Only while there are no cities. */
  #countries: GeoIpDatabase | undefined;

  constructor({ log }: { log: Logger }) {
    this.#log = log;
  }

  /** Whether a City database is in use. */
  get hasCities(): boolean {
    return this.#cities !== undefined;
  }

  /** Opens the City database at `path`; without a good one, the countries. */
  async load(path: string): Promise<void> {
    const cities = await this.#openCities(path);
    this.#countries = cities ? undefined : await GeoIpDatabase.open(shippedCountries(), "countries");
    this.#cities = cities;
    this.#known.clear();
  }

  /** From now on every look-up is answered by this City database. */
  use(cities: GeoIpDatabase): void {
    this.#cities = cities;
    this.#countries = undefined;
    this.#known.clear();
  }

  /** Unknown for what isn't an address of the public internet. Never throws. */
  locate(address: string): Place {
    const plain = unmappedAddress(address);
    if (!isPublicAddress(plain)) return UNKNOWN_PLACE;
    const known = this.#known.get(plain);
    if (known) return known;
    const place = this.#lookUp(plain);
    this.#known.set(plain, place);
    return place;
  }

  #lookUp(address: string): Place {
    try {
      return (this.#cities ?? this.#countries)?.placeOf(address) ?? UNKNOWN_PLACE;
    } catch (error) {
      this.#log.warn({ err: error }, "the geolocation database is damaged");
      return UNKNOWN_PLACE;
    }
  }

  async #openCities(path: string): Promise<GeoIpDatabase | undefined> {
    try {
      return await GeoIpDatabase.open(path, "cities");
    } catch (error) {
      if (!isMissing(error)) {
        this.#log.warn(
          { err: error, path },
          "can't use the City database; only countries are available until the next update",
        );
      }
      return undefined;
    }
  }
}
