/** Where the readers of downloads are: found by the whole address, also where only a part is kept. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCityRecord, writeMmdb } from "../../tools/lib/mmdb-writer.ts";
import { startApp } from "../support/app.ts";
import { AGENTS, findOnlyEvent, linkTo, listEvents } from "../support/reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase } from "../support/test-database.ts";

const CITIES = writeMmdb({
  "81.2.69.142/32": createCityRecord("GB", "United Kingdom", "London"),
  "2a02:2e0:3fe:1001::/64": createCityRecord("DE", "Germany", "Hannover"),
});

/** @param cities bytes of the City database; none by default */
async function scene(variables: Record<string, string> = {}, cities?: Buffer) {
  const dataDir = createTempFolder();
  addDatabase(dataDir);
  if (cities) writeFileSync(join(dataDir, "GeoLite2-City.mmdb"), cities);
  const app = await startApp({ TRUST_PROXY: "1", ...variables }, { dataDir });
  await app.make.published("The Well", "en");
  const asked = { slug: "the-well", languageCode: "en" };
  const from = (address: string) => app.api.with({ "X-Forwarded-For": address, "User-Agent": AGENTS.chrome });
  return { app, from, linkFrom: (address: string) => linkTo(from(address), asked) };
}

describe("an event", () => {
  it("has the country without configuration", async () => {
    const { app, linkFrom } = await scene();
    await linkFrom("41.90.1.1");
    expect(await findOnlyEvent(app)).toMatchObject({ countryCode: "KE", countryName: "Kenya", city: null });
  });

  it("has the city with a City database", async () => {
    const { app, linkFrom } = await scene({}, CITIES);
    await linkFrom("81.2.69.142");
    await linkFrom("2a02:2e0:3fe:1001::77");
    expect(await listEvents(app)).toMatchObject([
      { countryCode: "GB", countryName: "United Kingdom", city: "London" },
      { countryCode: "DE", countryName: "Germany", city: "Hannover" },
    ]);
  });

  it.each([
    ["full", "81.2.69.142", "2a02:2e0:3fe:1001::77"],
    ["truncated", "81.2.69.0", "2a02:2e0:3fe::"],
    ["none", null, null],
  ])("has the location of the whole address with IP_STORAGE=%s", async (IP_STORAGE, v4, v6) => {
    const { app, linkFrom } = await scene({ IP_STORAGE }, CITIES);
    await linkFrom("81.2.69.142");
    await linkFrom("2a02:2e0:3fe:1001::77");
    expect(await listEvents(app)).toMatchObject([
      { ipAddress: v4, city: "London" },
      { ipAddress: v6, city: "Hannover" },
    ]);
  });

  it("has the location of the downloading client", async () => {
    const { app, from, linkFrom } = await scene({}, CITIES);
    const link = await linkFrom("2a02:2e0:3fe:1001::77");
    await from("81.2.69.142").get(link);
    expect(await findOnlyEvent(app)).toMatchObject({
      countryCode: "GB",
      countryName: "United Kingdom",
      city: "London",
    });
  });

  it.each(["10.0.0.7", "81.2.69.143"])("from %s has no location", async (address) => {
    const { app, linkFrom } = await scene({}, CITIES);
    await linkFrom(address);
    expect(await findOnlyEvent(app)).toMatchObject({ countryCode: null, countryName: null, city: null });
  });

  it("ignores forwarded addresses from untrusted clients", async () => {
    const { app, linkFrom } = await scene({ TRUST_PROXY: "0" }, CITIES);
    await linkFrom("81.2.69.142");
    expect(await findOnlyEvent(app)).toMatchObject({ ipAddress: "127.0.0.1", countryCode: null, city: null });
  });
});

it("the service starts with a damaged City database, and still finds countries", async () => {
  const { app, linkFrom } = await scene({}, CITIES.subarray(0, -100));
  await linkFrom("81.2.69.142");
  expect(await findOnlyEvent(app)).toMatchObject({ countryCode: "GB", city: null });
  expect(app.logged).toContainEqual(
    expect.objectContaining({ level: 40, msg: expect.stringContaining("can't use the City database") }),
  );
});
