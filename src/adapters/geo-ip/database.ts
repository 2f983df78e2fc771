/** A geolocation database in memory: a file in MaxMind's format, opened, checked and tried. */
import { readFile, stat } from "node:fs/promises";
import { type CityResponse, Reader } from "maxmind";
import { z } from "zod";
import { countryName } from "../../lib/countries.ts";

/** Where an address is, in English; null is unknown. */
export interface Place {
  countryCode: string | null;
  countryName: string | null;
  city: string | null;
}

export const UNKNOWN_PLACE: Place = Object.freeze({ countryCode: null, countryName: null, city: null });

/** The file isn't what it should be. The message is fit for an administrator. */
export class GeoIpFormatError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "GeoIpFormatError";
  }
}

export class GeoIpDatabase {
  readonly #reader: Reader<CityResponse>;

  private constructor(reader: Reader<CityResponse>) {
    this.#reader = reader;
  }

  /** The whole file goes into memory. @throws GeoIpFormatError when it doesn't hold what `contents` says */
  static async open(path: string, contents: "cities" | "countries"): Promise<GeoIpDatabase> {
    const { size } = await stat(path);
    if (size > MAX_DATABASE_BYTES) throw new GeoIpFormatError("The database is too large.");
    const bytes = await readFile(path);
    const reader = readerOf(bytes);
    const { databaseType } = reader.metadata;
    if (contents === "cities" && !/city/i.test(databaseType)) {
      throw new GeoIpFormatError("The database is not a City database.");
    }
    const database = new GeoIpDatabase(reader);
    database.#tryOut();
    return database;
  }

  /** Throws when the bytes that belong to this address make no sense. */
  placeOf(address: string): Place {
    return placeIn(this.#reader.get(address));
  }

  /** Looks the first networks up that it knows; none of them may be damaged, and one must have a country. */
  #tryOut(): void {
    let isKnown = false;
    let network = 0;
    for (let steps = 0; steps < TRIED_NETWORKS && network < 2 ** 32; steps++) {
      const [record, prefix] = sensibly(() => this.#reader.getWithPrefixLength(ipv4Of(network)));
      isKnown ||= placeIn(record).countryCode !== null;
      network += 2 ** (32 - prefix);
    }
    if (!isKnown) throw new GeoIpFormatError("The database contains no countries.");
  }
}

/** The largest that MaxMind sells has a quarter of it. */
export const MAX_DATABASE_BYTES = 512 * 1024 * 1024;
/** A few milliseconds' worth. */
const TRIED_NETWORKS = 1000;
/** What begins the metadata, which is at most so long and ends the file (MaxMind DB format 2.0). */
const METADATA_MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const MAX_METADATA_BYTES = 128 * 1024;
/** Between the search tree and the data. */
const SEPARATOR_BYTES = 16;

function readerOf(bytes: Buffer): Reader<CityResponse> {
  // The reader itself would look through the whole file for it, byte by byte.
  const metadataAt = bytes.subarray(-MAX_METADATA_BYTES).lastIndexOf(METADATA_MARKER);
  if (metadataAt < 0) throw new GeoIpFormatError("The file is not a MaxMind database.");
  const reader = sensibly(() => new Reader<CityResponse>(bytes));
  const { binaryFormatMajorVersion, ipVersion, nodeCount, searchTreeSize } = reader.metadata;
  if (binaryFormatMajorVersion !== 2 || ipVersion !== 6 || !(nodeCount > 0)) {
    throw new GeoIpFormatError("The format of the database is not supported.");
  }
  const dataEnd = Math.max(0, bytes.length - MAX_METADATA_BYTES) + metadataAt;
  if (searchTreeSize + SEPARATOR_BYTES > dataEnd) throw new GeoIpFormatError("The database is incomplete.");
  return reader;
}

function sensibly<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new GeoIpFormatError("The database is damaged.", error);
  }
}

const ipv4Of = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");

const name = z.string().min(1).max(200);
const english = z
  .object({ en: name.optional().catch(undefined) })
  .optional()
  .catch(undefined);

/** GeoIP2 and GeoLite2 have objects with names in many languages, the database that ships has a code. */
const record = z.object({
  country: z.object({ iso_code: z.string(), names: english }).optional().catch(undefined),
  city: z.object({ names: english }).optional().catch(undefined),
  country_code: z.string().optional().catch(undefined),
});

function placeIn(found: unknown): Place {
  const { country, city, country_code } = record.safeParse(found).data ?? {};
  const countryCode = country?.iso_code ?? country_code ?? "";
  const known = countryName(countryCode);
  if (known === undefined) return UNKNOWN_PLACE;
  return { countryCode, countryName: country?.names?.en ?? known, city: city?.names?.en ?? null };
}
