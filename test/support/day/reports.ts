/** Holds the reports by date, book, country, language and device against what the readers of a day did. */
import { expect } from "vitest";
import type { Client } from "../client.ts";
import type { DayCatalogue } from "./catalogue.ts";
import { type Counted, countBy, countOfBook } from "./counts.ts";
import { dayIn, PERIODS, ZONES } from "./days.ts";
import type { Deed } from "./replay.ts";
import { bodyOf, type CountedScene } from "./scene.ts";

export async function expectReports(scene: CountedScene): Promise<void> {
  for (const [filter, keeps] of filtersOf(scene.catalogue)) {
    const kept = { ...scene, deeds: scene.deeds.filter(keeps) };
    expect(kept.deeds.length, filter).toBeGreaterThan(1);
    await expectGroups(kept, filter);
    if (!filter.includes("bookId")) await expectBooks(kept, filter);
  }
  await expectPeriods(scene);
}

type Filter = readonly [query: string, keeps: (deed: Deed) => boolean];

/** Queries, and which of the deeds each of them leaves. */
function filtersOf(catalogue: DayCatalogue): Filter[] {
  const [well, tree] = [catalogue.book("the-well"), catalogue.book("the-tree")];
  const [english, brazilian] = [catalogue.language("en"), catalogue.language("pt-BR")];
  const onDay = (zone: string): Filter => [
    `startDate=2026-03-29&endDate=2026-03-29&timezone=${zone}`,
    ({ at }) => dayIn(zone, at) === "2026-03-29",
  ];
  return [
    ["", () => true],
    [`languageId=${english.id}`, ({ languageCode }) => languageCode === "en"],
    [`languageId=${brazilian.id}`, ({ languageCode }) => languageCode === "pt-BR"],
    [`bookId=${tree.id}`, ({ bookIds }) => bookIds.includes(tree.id)],
    [
      `bookId=${well.id}&languageId=${english.id}`,
      ({ bookIds, languageCode }) => bookIds.includes(well.id) && languageCode === "en",
    ],
    ["countryCode=KE", ({ seat }) => seat.countryCode === "KE"],
    ["deviceType=mobile", ({ seat }) => seat.deviceType === "mobile"],
    [
      `deviceType=desktop&languageId=${english.id}&endDate=2026-03-29T12:00:00Z`,
      ({ seat, languageCode, at }) =>
        seat.deviceType === "desktop" && languageCode === "en" && at <= Date.UTC(2026, 2, 29, 12),
    ],
    ...ZONES.map(onDay),
  ];
}

async function expectGroups({ admin, catalogue, deeds, bots }: CountedScene, filter: string): Promise<void> {
  const query = `${filter}&${bots}`;
  const zone = new URLSearchParams(filter).get("timezone") ?? "UTC";
  expect(await countsOf(admin, "by-country", "countryCode", query), query).toEqual(
    countBy(deeds, ({ seat }) => seat.countryCode),
  );
  expect(await countsOf(admin, "by-device", "deviceType", query), query).toEqual(
    countBy(deeds, ({ seat }) => seat.deviceType),
  );
  expect(await countsOf(admin, "by-language", "languageCode", query), query).toEqual(
    withLegacy(
      countBy(deeds, ({ languageCode }) => languageCode),
      (code) => catalogue.language(code),
    ),
  );
  expect(await countsOf(admin, "by-date", "date", query), query).toEqual(
    countBy(deeds, ({ at }) => dayIn(zone, at)),
  );
  const log = await bodyOf(admin, `/api/admin/analytics/downloads?limit=1&${query}`);
  expect(log.pagination.total, query).toBe(deeds.length);
}

/** Without a filter, also the book that nobody could ask for. */
async function expectBooks({ admin, catalogue, deeds, bots }: CountedScene, filter: string): Promise<void> {
  const listed = catalogue.books.filter(
    ({ id, legacyDownloadCount }) =>
      deeds.some(({ bookIds }) => bookIds.includes(id)) || (filter === "" && legacyDownloadCount > 0),
  );
  const counted = new Map(listed.map(({ id, slug }) => [slug, countOfBook(deeds, id)]));
  const slugs = new Map(catalogue.books.map(({ id, slug }) => [id, slug]));
  const found = await countsOf(admin, "by-book", "bookId", `${filter}&${bots}`);
  expect(new Map([...found].map(([id, counts]) => [slugs.get(id), counts])), `${filter}&${bots}`).toEqual(
    withLegacy(counted, (slug) => catalogue.book(slug)),
  );
}

async function expectPeriods({ admin, deeds, bots }: CountedScene): Promise<void> {
  for (const timezone of ZONES) {
    for (const [granularity, periodIn] of Object.entries(PERIODS)) {
      const query = `timezone=${timezone}&granularity=${granularity}&${bots}`;
      const expected = countBy(deeds, ({ at }) => periodIn(timezone, at));
      expect(await countsOf(admin, "by-date", "date", query), query).toEqual(expected);
    }
  }
}

type Row = Counted & { legacyDownloads?: number; [name: string]: unknown };

/** The counts of each row, by one of its fields. */
async function countsOf(admin: Client, report: string, field: string, query: string) {
  const { data }: { data: Row[] } = await bodyOf(admin, `/api/admin/analytics/${report}?${query}`);
  const counts = new Map<string, Counted>();
  for (const { totalDownloads, totalBooks, uniqueContacts, redeemed, legacyDownloads, ...names } of data) {
    const legacy = legacyDownloads === undefined ? {} : { legacyDownloads };
    counts.set(String(names[field]), { totalDownloads, totalBooks, uniqueContacts, redeemed, ...legacy });
  }
  expect(counts.size).toBe(data.length);
  return counts;
}

const withLegacy = (counted: Map<string, Counted>, find: (key: string) => { legacyDownloadCount: number }) =>
  new Map(
    [...counted].map(([key, counts]) => [key, { ...counts, legacyDownloads: find(key).legacyDownloadCount }]),
  );
