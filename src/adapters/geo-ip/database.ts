/** A geolocation database in MaxMind's format, in memory and validated. */
import { type CityResponse, Reader } from "maxmind";
import { z } from "zod";
import { findCountryName } from "../../lib/countries.ts";

/** The location of an address, in English; null if unknown. */
export interface Place {
  countryCode: string | null;
  countryName: string | null;
  city: string | null;
}

export const UNKNOWN_PLACE: Place = Object.freeze({ countryCode: null, countryName: null, city: null });

/** Bytes that aren't the expected database or archive. The message is fit for an administrator. */
export class GeoIpFormatError extends Error {
  override name = "GeoIpFormatError";
}

/** Four times the size of MaxMind's largest database. */
export const MAX_DATABASE_BYTES = 512 * 1024 * 1024;

/** The start of the metadata at the end of the file, which has a limited size (MaxMind DB format 2.0). */
const METADATA_MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const MAX_METADATA_BYTES = 128 * 1024;
/** Looked up in a few milliseconds. */
const TRIED_NETWORKS = 1000;

export class GeoIpDatabase {
  readonly contents: "cities" | "countries";
  readonly #reader: Reader<CityResponse>;

  /**
   * @throws GeoIpFormatError unless `bytes` are a database for all addresses, and with `cities` an undamaged City
   * database. The included database isn't tried: npm has compared its hash, and each start would pay for it.
   */
  constructor(bytes: Buffer, contents: "cities" | "countries") {
    this.contents = contents;
    // The reader would search the whole file for it.
    if (!bytes.subarray(-MAX_METADATA_BYTES).includes(METADATA_MARKER)) {
      throw new GeoIpFormatError("The file is not a MaxMind database.");
    }
    this.#reader = readUndamaged(() => new Reader<CityResponse>(bytes));
    const { databaseType, ipVersion } = this.#reader.metadata;
    if (ipVersion !== 6 || (contents === "cities" && !/city/i.test(databaseType))) {
      throw new GeoIpFormatError("The database is not a City database.");
    }
    if (contents === "cities" && !readUndamaged(() => this.#hasCountries())) {
      throw new GeoIpFormatError("The database contains no countries.");
    }
  }

  /** When the provider made it. */
  get builtAt(): Date {
    return this.#reader.metadata.buildEpoch;
  }

  /** Throws if the data for this address is damaged. */
  placeOf(address: string): Place {
    return placeIn(this.#reader.get(address));
  }

  /** Looks up the first networks. Throws if one of them is damaged. */
  #hasCountries(): boolean {
    let network = 0;
    let hasCountries = false;
    for (let tried = 0; tried < TRIED_NETWORKS && network < 2 ** 32; tried++) {
      const [record, prefix] = this.#reader.getWithPrefixLength(formatIpv4(network));
      hasCountries ||= placeIn(record).countryCode !== null;
      network += 2 ** (32 - prefix);
    }
    return hasCountries;
  }
}

function readUndamaged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new GeoIpFormatError("The database is damaged.", { cause: error });
  }
}

const formatIpv4 = (number: number): string =>
  [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");

const text = z.string().max(200).optional();
const names = z.object({ en: text }).optional();

/** GeoIP2 and GeoLite2 have objects with names in many languages, the included country database only a code. */
const record = z.object({
  country: z.object({ iso_code: text, names }).optional(),
  city: z.object({ names }).optional(),
  country_code: text,
});

function placeIn(found: unknown): Place {
  const { country, city, country_code } = record.safeParse(found).data ?? {};
  const countryCode = country?.iso_code ?? country_code ?? "";
  const known = findCountryName(countryCode);
  if (known === undefined) return UNKNOWN_PLACE;
  return { countryCode, countryName: country?.names?.en ?? known, city: city?.names?.en ?? null };
}
