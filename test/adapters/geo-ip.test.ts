/** Where addresses are, by the countries that ship and by a City database in the data folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { FolderFile } from "../../src/adapters/files/named-file.ts";
import { GeoIp } from "../../src/adapters/geo-ip/geo-ip.ts";
import {
  createCityRecord,
  type MmdbOptions,
  type MmdbValue,
  writeMmdb,
} from "../../tools/lib/mmdb-writer.ts";
import { createLineSink } from "../support/line-sink.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const UNKNOWN = { countryCode: null, countryName: null, city: null };

/** @param bytes of the City database; without it there is none */
async function geoIpWith(bytes?: Buffer) {
  const logged: Record<string, unknown>[] = [];
  const geoIp = new GeoIp({
    cityFile: new FolderFile(join(createTempFolder(), "city.mmdb")),
    log: pino(createLineSink(logged)),
  });
  if (bytes) writeFileSync(geoIp.path, bytes);
  await geoIp.load();
  return { geoIp, logged };
}

const PLACES = {
  "81.2.69.0/24": createCityRecord("GB", "United Kingdom", "London"),
  "8.8.8.8/32": createCityRecord("US", "United States"),
  "2a02:2e0::/32": createCityRecord("DE", "Germany", "Köln"),
};
const citiesOf = (places: Readonly<Record<string, MmdbValue>>, options?: MmdbOptions) =>
  geoIpWith(writeMmdb(places, options));

/** Counts how often the file is read. */
class CountedFile extends FolderFile {
  reads = 0;

  override read(): Promise<Buffer> {
    this.reads += 1;
    return super.read();
  }
}

describe("a City database", () => {
  const counted = () => {
    const cityFile = new CountedFile(join(createTempFolder(), "city.mmdb"));
    return { cityFile, geoIp: new GeoIp({ cityFile, log: pino(createLineSink([])) }) };
  };

  it("isn't read again after it was stored, until it changes", async () => {
    const { cityFile, geoIp } = counted();
    await geoIp.load();
    await geoIp.replace(writeMmdb(PLACES), 1_000_000_000_000);
    expect(await geoIp.refresh()).toMatchObject({ modifiedAt: 1_000_000_000_000 });
    expect(cityFile.reads).toBe(0);
    writeFileSync(geoIp.path, writeMmdb({ "8.8.8.0/24": createCityRecord("FR", "France", "Paris") }));
    expect(await geoIp.refresh()).toBeDefined();
    expect(cityFile.reads).toBe(1);
    expect(geoIp.locate("8.8.8.8")).toMatchObject({ city: "Paris" });
  });

  it("isn't read again if it is invalid, until it changes", async () => {
    const { cityFile, geoIp } = counted();
    writeFileSync(geoIp.path, "not a database");
    await geoIp.load();
    expect(await geoIp.refresh()).toBeUndefined();
    expect([cityFile.reads, geoIp.hasCities]).toEqual([1, false]);
    writeFileSync(geoIp.path, writeMmdb(PLACES));
    expect(await geoIp.refresh()).toBeDefined();
    expect([cityFile.reads, geoIp.hasCities]).toEqual([2, true]);
  });
});

it.each([
  ["8.8.8.8", "US", "United States"],
  ["41.90.1.1", "KE", "Kenya"],
  ["2a02:2e0:3fe:1001::1", "DE", "Germany"],
])("without a City database the country of %s is %s", async (address, countryCode, countryName) => {
  const { geoIp, logged } = await geoIpWith();
  expect(geoIp.locate(address)).toEqual({ countryCode, countryName, city: null });
  expect(geoIp.hasCities).toBe(false);
  expect(logged).toEqual([]);
});

describe("with a City database", () => {
  it.each([24, 28] as const)("cities have their English names (records of %i bits)", async (recordSize) => {
    const { geoIp } = await citiesOf(PLACES, { recordSize });
    expect(geoIp.hasCities).toBe(true);
    const london = { countryCode: "GB", countryName: "United Kingdom", city: "London" };
    expect(geoIp.locate("81.2.69.0")).toEqual(london);
    expect(geoIp.locate("81.2.69.255")).toEqual(london);
    expect(geoIp.locate("2a02:2e0:3fe::1")).toEqual({
      countryCode: "DE",
      countryName: "Germany",
      city: "Köln",
    });
    expect(geoIp.locate("8.8.8.8")).toEqual({ countryCode: "US", countryName: "United States", city: null });
  });

  it("unlisted addresses are unknown", async () => {
    const { geoIp } = await citiesOf(PLACES);
    for (const address of ["81.2.68.255", "81.2.70.0", "8.8.8.9", "2a02:2e1::"]) {
      expect(geoIp.locate(address), address).toEqual(UNKNOWN);
    }
  });

  it.each<[string, MmdbValue, object]>([
    ["no country", { city: { names: { en: "Atlantis" } } }, UNKNOWN],
    ["no English name", { country: { iso_code: "TR", names: { de: "Türkei" } } }, { countryName: "Türkiye" }],
    ["no names", { country: { iso_code: "TR" }, city: {} }, { countryName: "Türkiye", city: null }],
    ["a code that isn't one", { country: { iso_code: "gb", names: { en: "X" } } }, UNKNOWN],
    ["another shape", { country: "GB", city: ["London"] }, UNKNOWN],
  ])("a record with %s is ignored", async (_, record, place) => {
    const { geoIp } = await citiesOf({ ...PLACES, "9.9.9.0/24": record });
    expect(geoIp.locate("9.9.9.9")).toMatchObject(place);
  });
});

describe("addresses", () => {
  it.each(["::ffff:81.2.69.142", "::FFFF:5102:458e"])("%s is IPv4", async (address) => {
    const { geoIp } = await citiesOf(PLACES);
    expect(geoIp.locate(address)).toMatchObject({ countryCode: "GB", city: "London" });
  });

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "::1",
    "fe80::1%eth0",
    "::ffff:10.1.2.3",
    "",
    "unknown",
    "81.2.69.142:80",
    "081.2.69.142",
    "81.2.69.142, 8.8.8.8",
    "1".repeat(10_000),
  ])("%s has no location", async (address) => {
    const everywhere = {
      "0.0.0.0/1": createCityRecord("US", "United States"),
      "128.0.0.0/1": createCityRecord("US", "United States"),
    };
    const { geoIp } = await citiesOf({ ...everywhere, "2000::/3": createCityRecord("US", "United States") });
    expect(geoIp.locate("8.8.8.8").countryCode).toBe("US");
    expect(geoIp.locate(address)).toEqual(UNKNOWN);
  });
});

describe("an unusable City database", () => {
  const whole = writeMmdb(PLACES);
  it.each<[string, Buffer]>([
    ["empty", Buffer.alloc(0)],
    ["text", Buffer.from("404 page not found")],
    ["cut off", whole.subarray(0, -200)],
    ["scrambled", Buffer.concat([Buffer.alloc(1000, 0xff), whole.subarray(1000)])],
    ["of countries", writeMmdb(PLACES, { type: "GeoLite2-Country" })],
  ])("(%s) leaves only countries, with a warning", async (_, bytes) => {
    const { geoIp, logged } = await geoIpWith(bytes);
    expect(geoIp.hasCities).toBe(false);
    expect(geoIp.locate("81.2.69.142")).toEqual({
      countryCode: "GB",
      countryName: "United Kingdom",
      city: null,
    });
    expect(logged).toMatchObject([
      { level: 40, path: geoIp.path, err: { message: expect.stringMatching(/^The (database|file) /) } },
    ]);
  });

  it("(with damage that opening doesn't detect) returns unknown for it, with a warning, and locations elsewhere", async () => {
    const places = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [
        `20.${index >> 8}.${index & 255}.0/24`,
        createCityRecord("US", "United States"),
      ]),
    );
    const bytes = writeMmdb({
      ...places,
      "81.2.69.0/24": createCityRecord("GB", "United Kingdom", "London"),
    });
    // The type of the last record's first value becomes one that there isn't.
    bytes.fill(0, bytes.lastIndexOf("city") - 2, bytes.lastIndexOf("city") + 8);
    const { geoIp, logged } = await geoIpWith(bytes);
    expect(geoIp.hasCities).toBe(true);
    expect(geoIp.locate("81.2.69.142")).toEqual(UNKNOWN);
    expect(logged).toMatchObject([{ level: 40, msg: "the geolocation database is damaged" }]);
    expect(geoIp.locate("20.0.0.1").countryCode).toBe("US");
  });
});
