/** Where addresses are, by the countries that ship and by a City database in the data folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { GeoIpDatabase } from "../../src/adapters/geo-ip/database.ts";
import { GeoIp } from "../../src/adapters/geo-ip/geo-ip.ts";
import { lineSink } from "../support/line-sink.ts";
import { cityRecord, type MmdbOptions, type MmdbValue, writeMmdb } from "../support/mmdb-writer.ts";
import { tempFolder } from "../support/temp-folder.ts";

const UNKNOWN = { countryCode: null, countryName: null, city: null };

/** @param bytes of the City database; without it there is none */
async function geoIpWith(bytes?: Buffer) {
  const path = join(tempFolder(), "GeoLite2-City.mmdb");
  if (bytes) writeFileSync(path, bytes);
  const logged: Record<string, unknown>[] = [];
  const geoIp = new GeoIp({ log: pino(lineSink(logged)) });
  await geoIp.load(path);
  return { geoIp, logged, path };
}

const PLACES = {
  "81.2.69.0/24": cityRecord("GB", "United Kingdom", "London"),
  "8.8.8.8/32": cityRecord("US", "United States"),
  "2a02:2e0::/32": cityRecord("DE", "Germany", "Köln"),
};
const citiesOf = (places: Readonly<Record<string, MmdbValue>>, options?: MmdbOptions) =>
  geoIpWith(writeMmdb(places, options));

describe("without a City database", () => {
  it.each([
    ["8.8.8.8", "US", "United States"],
    ["81.2.69.142", "GB", "United Kingdom"],
    ["41.90.1.1", "KE", "Kenya"],
    ["200.160.2.3", "BR", "Brazil"],
    ["133.11.1.1", "JP", "Japan"],
    ["80.58.61.250", "ES", "Spain"],
    ["2001:4860:4860::8888", "US", "United States"],
    ["2a02:2e0:3fe:1001::1", "DE", "Germany"],
  ])("the country of %s is %s", async (address, countryCode, countryName) => {
    const { geoIp, logged } = await geoIpWith();
    expect(geoIp.locate(address)).toEqual({ countryCode, countryName, city: null });
    expect(geoIp.hasCities).toBe(false);
    expect(logged).toEqual([]);
  });
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

  it("what it doesn't know is unknown", async () => {
    const { geoIp } = await citiesOf(PLACES);
    for (const address of ["81.2.68.255", "81.2.70.0", "8.8.8.9", "2a02:2e1::"]) {
      expect(geoIp.locate(address), address).toEqual(UNKNOWN);
    }
  });

  it.each<[string, MmdbValue, object]>([
    ["no country", { city: { names: { en: "Atlantis" } } }, UNKNOWN],
    ["no English name", { country: { iso_code: "TR", names: { de: "Türkei" } } }, { countryName: "Türkiye" }],
    ["no names", { country: { iso_code: "TR" }, city: {} }, { countryName: "Türkiye", city: null }],
    ["a code that no country has", { country: { iso_code: "XQ", names: { en: "X" } } }, UNKNOWN],
    ["the code of nowhere", { country: { iso_code: "ZZ", names: { en: "Z" } } }, UNKNOWN],
    ["a code that isn't one", { country: { iso_code: "gb", names: { en: "X" } } }, UNKNOWN],
    ["another shape", { country: "GB", city: ["London"] }, UNKNOWN],
    [
      "a city of another shape",
      { country: { iso_code: "GB" }, city: { names: { en: 7 } } },
      { countryCode: "GB", city: null },
    ],
    ["a text", "GB", UNKNOWN],
  ])("a record with %s doesn't lead astray", async (_, record, place) => {
    const { geoIp } = await citiesOf({ ...PLACES, "9.9.9.0/24": record });
    expect(geoIp.locate("9.9.9.9")).toMatchObject(place);
  });

  it("an address is looked up once, however it is written, and forgotten when it doesn't come back", async () => {
    const { geoIp } = await citiesOf(PLACES);
    const place = geoIp.locate("81.2.69.142");
    expect(geoIp.locate("::ffff:5102:458e")).toBe(place);
    for (let other = 0; other < 10_000; other += 1) geoIp.locate(`20.1.${other >> 8}.${other & 255}`);
    expect(geoIp.locate("81.2.69.142")).toEqual(place);
    expect(geoIp.locate("81.2.69.142")).not.toBe(place);
  });

  it("another takes its place at once, and what was remembered goes", async () => {
    const { geoIp } = await citiesOf(PLACES);
    expect(geoIp.locate("81.2.69.142").city).toBe("London");
    const path = join(tempFolder(), "other.mmdb");
    writeFileSync(path, writeMmdb({ "81.2.69.0/24": cityRecord("GB", "United Kingdom", "Boxford") }));
    geoIp.use(await GeoIpDatabase.open(path, "cities"));
    expect(geoIp.locate("81.2.69.142").city).toBe("Boxford");
  });
});

describe("addresses", () => {
  it.each(["::ffff:81.2.69.142", "::FFFF:81.2.69.142", "::ffff:5102:458e", "0:0:0:0:0:ffff:5102:458e"])(
    "%s is IPv4",
    async (address) => {
      const { geoIp } = await citiesOf(PLACES);
      expect(geoIp.locate(address)).toMatchObject({ countryCode: "GB", city: "London" });
    },
  );

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "172.16.0.1",
    "169.254.1.1",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "::ffff:10.1.2.3",
    "::ffff:127.0.0.1",
    "2001:db8::1",
    "",
    "unknown",
    "81.2.69",
    "81.2.69.142:80",
    "081.2.69.142",
    "81.2.69.142, 8.8.8.8",
    "[::1]",
    "1".repeat(10_000),
  ])("%s is nowhere", async (address) => {
    const everywhere = {
      "0.0.0.0/1": cityRecord("US", "United States"),
      "128.0.0.0/1": cityRecord("US", "United States"),
    };
    const { geoIp } = await citiesOf({ ...everywhere, "2000::/3": cityRecord("US", "United States") });
    expect(geoIp.locate("8.8.8.8").countryCode).toBe("US");
    expect(geoIp.locate(address)).toEqual(UNKNOWN);
  });
});

describe("a City database that is of no use", () => {
  const whole = writeMmdb(PLACES);
  it.each<[string, Buffer]>([
    ["empty", Buffer.alloc(0)],
    ["text", Buffer.from("404 page not found")],
    ["cut off", whole.subarray(0, -200)],
    ["without its beginning", whole.subarray(1000)],
    ["scrambled", Buffer.concat([Buffer.alloc(1000, 0xff), whole.subarray(1000)])],
    ["of countries", writeMmdb(PLACES, { type: "GeoLite2-Country" })],
    [
      "of networks",
      writeMmdb({ "8.8.8.0/24": { autonomous_system_number: 15169 } }, { type: "GeoLite2-ASN" }),
    ],
  ])("(%s) leaves the countries, with a warning", async (_, bytes) => {
    const { geoIp, logged, path } = await geoIpWith(bytes);
    expect(geoIp.hasCities).toBe(false);
    expect(geoIp.locate("81.2.69.142")).toEqual({
      countryCode: "GB",
      countryName: "United Kingdom",
      city: null,
    });
    expect(logged).toMatchObject([
      { level: 40, path, err: { message: expect.stringMatching(/^The (database|file) /) } },
    ]);
  });

  it("(damaged where it wasn't tried) answers unknown there, with a warning, and goes on elsewhere", async () => {
    const places = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [
        `20.${index >> 8}.${index & 255}.0/24`,
        cityRecord("US", "United States"),
      ]),
    );
    const bytes = writeMmdb({ ...places, "81.2.69.0/24": cityRecord("GB", "United Kingdom", "London") });
    // The type of the last record's first value becomes one that there isn't.
    bytes.fill(0, bytes.lastIndexOf("city") - 2, bytes.lastIndexOf("city") + 8);
    const { geoIp, logged } = await geoIpWith(bytes);
    expect(geoIp.hasCities).toBe(true);
    expect(geoIp.locate("81.2.69.142")).toEqual(UNKNOWN);
    expect(logged).toMatchObject([{ level: 40, msg: "the geolocation database is damaged" }]);
    expect(geoIp.locate("20.0.0.1").countryCode).toBe("US");
  });
});
