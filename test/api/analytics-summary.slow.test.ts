/** What a dashboard shows at first sight. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { givenEvent, openRows } from "../support/event-rows.ts";
import { idOf } from "../support/ids.ts";
import { AGENTS, linkTo, linkToAll } from "../support/reader.ts";
import { REPORTS, readRows } from "../support/reports.ts";

const PATH = "/api/admin/analytics/summary";
const [ASHA, MARIA, SARA, TOM] = [1, 2, 3, 4];

/** An analyst on 1 March 2026 at noon UTC, and rows to be written. */
async function noon() {
  const app = await startApp();
  return { app, rows: openRows(app), analyst: await app.make.login("analyst") };
}

const nothing = { downloads: 0, redeemed: 0, books: 0, contacts: 0 };
const unknown = { downloads: null, redeemed: null, books: null, contacts: null };

describe("the summary", () => {
  it("is empty if there are no events", async () => {
    const { analyst } = await noon();
    const days = (startDate: string, endDate: string, before: [string, string]) => ({
      startDate,
      endDate,
      ...nothing,
      change: unknown,
      previous: { startDate: before[0], endDate: before[1], ...nothing },
    });
    expect((await analyst.get(PATH)).body).toEqual({
      totals: { ...nothing, countries: 0 },
      funnel: { requested: 0, redeemed: 0, rate: null },
      legacyDownloads: { books: 0, languages: 0 },
      today: days("2026-03-01", "2026-03-01", ["2026-02-28", "2026-02-28"]),
      last7Days: days("2026-02-23", "2026-03-01", ["2026-02-16", "2026-02-22"]),
      last30Days: days("2026-01-31", "2026-03-01", ["2026-01-01", "2026-01-30"]),
      topBooks: [],
      topCountries: [],
      topLanguages: [],
      devices: [],
      recentDownloads: [],
    });
  });

  it("has the totals of all time and the funnel from request to redemption, without bots unless requested", async () => {
    const { rows, analyst } = await noon();
    const [redeemedAt, contactId] = [1, SARA];
    await rows.insert(givenEvent("1999-03-01T12:00Z", { countryCode: "KE", redeemedAt, contactId }));
    await rows.insert(givenEvent("2026-03-01T12:00Z", { countryCode: "IN", contactId, booksCount: 7 }));
    await rows.insert(givenEvent("2040-03-01T12:00Z", { contactId: ASHA }));
    await rows.insert(givenEvent("2026-03-01T12:00Z", { countryCode: "US", isBot: 1, redeemedAt }));
    const people = (await analyst.get(PATH)).body;
    expect(people.totals).toEqual({ downloads: 3, redeemed: 1, books: 9, contacts: 2, countries: 2 });
    expect(people.funnel).toEqual({ requested: 3, redeemed: 1, rate: 0.3333 });
    const all = (await analyst.get(`${PATH}?includeBots=true`)).body;
    expect(all.totals).toEqual({ downloads: 4, redeemed: 2, books: 10, contacts: 2, countries: 3 });
    expect(all.funnel).toEqual({ requested: 4, redeemed: 2, rate: 0.5 });
    expect([people.today.downloads, all.today.downloads]).toEqual([1, 2]);
  });

  it("compares today, 7 and 30 days with the same number of days before", async () => {
    const { rows, analyst } = await noon();
    // Of each stretch and of the one before it, the first and the last day; and one day more.
    for (const [time, contactId] of [
      ["2026-03-01T23:59:59.999Z", SARA],
      ["2026-03-01T00:00Z", SARA],
      ["2026-02-28T00:00Z", ASHA],
      ["2026-02-23T00:00Z", TOM],
      ["2026-02-22T23:59Z", TOM],
      ["2026-02-16T00:00Z", TOM],
      ["2026-01-31T00:00Z", TOM],
      ["2026-01-30T23:59Z", TOM],
      ["2026-01-01T00:00Z", MARIA],
      ["2025-12-31T23:59Z", MARIA],
      ["2026-03-02T00:00Z", MARIA],
    ] as const) {
      await rows.insert(
        givenEvent(time, { contactId, booksCount: 2, redeemedAt: contactId === TOM ? 1 : null }),
      );
    }
    const { today, last7Days, last30Days } = (await analyst.get(PATH)).body;
    expect(today).toMatchObject({
      downloads: 2,
      redeemed: 0,
      books: 4,
      contacts: 1,
      previous: { downloads: 1, redeemed: 0, books: 2, contacts: 1 },
      change: { downloads: 1, redeemed: null, books: 1, contacts: 0 },
    });
    expect(last7Days).toMatchObject({
      downloads: 4,
      redeemed: 1,
      books: 8,
      contacts: 3,
      previous: { downloads: 2, redeemed: 2, books: 4, contacts: 1 },
      change: { downloads: 1, redeemed: -0.5, books: 1, contacts: 2 },
    });
    expect(last30Days).toMatchObject({
      downloads: 7,
      redeemed: 4,
      books: 14,
      contacts: 3,
      previous: { downloads: 2, redeemed: 1, books: 4, contacts: 2 },
      change: { downloads: 2.5, redeemed: 3, books: 2.5, contacts: 0.5 },
    });
  });

  it("has the totals and the first rows of a date range, as the reports of that range do", async () => {
    const { app, rows, analyst } = await noon();
    await app.make.book("An old book", { legacyDownloadCount: 500 });
    for (const [time, countryCode, contactId] of [
      ["2025-12-31T20:59:59.999Z", "IN", TOM],
      ["2025-12-31T21:00Z", "KE", SARA],
      ["2026-01-31T20:59:59.999Z", "KE", SARA],
      ["2026-01-31T21:00Z", "BR", ASHA],
    ] as const)
      await rows.insert(givenEvent(time, { countryCode, contactId, booksCount: 2, redeemedAt: 1 }));
    const january = { startDate: "2026-01-01", endDate: "2026-01-31", timezone: "Africa/Nairobi" };
    const { body } = await analyst.get(`${PATH}?${new URLSearchParams(january)}`);
    expect(body.totals).toEqual({ downloads: 2, redeemed: 2, books: 4, contacts: 1, countries: 1 });
    expect(body.funnel).toEqual({ requested: 2, redeemed: 2, rate: 1 });
    expect(body.topBooks).toEqual(await readRows(analyst, "by-book", january));
    expect(body.topCountries).toEqual(await readRows(analyst, "by-country", january));
    expect(body.topLanguages).toEqual(await readRows(analyst, "by-language", january));
    expect(body.devices).toEqual(await readRows(analyst, "by-device", january));
    expect(body.recentDownloads).toHaveLength(2);
    expect(body.legacyDownloads).toEqual({ books: 0, languages: 0 });
    expect(body.last30Days).toMatchObject({ startDate: "2026-01-31", downloads: 2 });
  });

  it("uses the days of the time zone, however long they are", async () => {
    const { app, rows, analyst } = await noon();
    for (const time of ["2026-03-01T09:59:59.999Z", "2026-03-01T10:00Z", "2026-03-02T09:59:59.999Z"])
      await rows.insert(givenEvent(time));
    const todayIn = async (timezone: string) => {
      const { today } = (await analyst.get(`${PATH}?timezone=${timezone}`)).body;
      return [today.startDate, today.downloads, today.previous.downloads];
    };
    expect(await todayIn("Pacific/Kiritimati")).toEqual(["2026-03-02", 2, 1]);
    expect(await todayIn("America/St_Johns")).toEqual(["2026-03-01", 2, 0]);
    expect(await todayIn("UTC")).toEqual(["2026-03-01", 2, 0]);

    // Newfoundland's day of 23 hours.
    app.clock.advance(Date.parse("2026-03-08T12:00Z") - app.clock.now());
    const admin = await app.make.login("admin");
    for (const time of ["2026-03-08T03:29Z", "2026-03-08T03:30Z", "2026-03-09T02:29Z", "2026-03-09T02:30Z"])
      await rows.insert(givenEvent(time));
    const { today } = (await admin.get(`${PATH}?timezone=America/St_Johns`)).body;
    expect([today.startDate, today.downloads, today.previous.downloads]).toEqual(["2026-03-08", 2, 1]);
  });

  it("has the first ten rows of each report and the latest ten events", async () => {
    const { app, rows, analyst } = await noon();
    const codes = ["KE", "IN", "BR", "DE", "FR", "US", "ES", "MX", "NG", "TZ", "UG", null];
    for (const [index, countryCode] of codes.entries()) {
      for (let count = 0; count <= index; count += 1) {
        const more = { countryCode, bookId: idOf(index), languageId: index + 1 };
        await rows.insert(givenEvent(`2026-02-${10 + index}T12:00Z`, more));
      }
    }
    await app.make.book("An old book", { legacyDownloadCount: 500 });
    await app.make.book("Another", { legacyDownloadCount: 20 });
    await app.make.language("en", { legacyDownloadCount: 90 });
    const { body } = await analyst.get(PATH);
    const of = Object.fromEntries(
      await Promise.all(REPORTS.map(async (report) => [report, await readRows(analyst, report)])),
    );
    expect(body.topBooks).toEqual(of["by-book"].slice(0, 10));
    expect(body.topLanguages).toEqual(of["by-language"].slice(0, 10));
    expect(body.devices).toEqual(of["by-device"]);
    // An unknown country of readers isn't a country.
    expect(of["by-country"][0]).toMatchObject({ countryCode: "", totalDownloads: 12 });
    expect(body.topCountries).toEqual(of["by-country"].slice(1, 11));
    expect(body.topCountries[0]).toMatchObject({ countryCode: "UG", countryName: "Uganda" });
    expect(body.totals).toMatchObject({ downloads: 78, countries: 11 });
    expect(body.legacyDownloads).toEqual({ books: 520, languages: 90 });
    const log = await analyst.get("/api/admin/analytics/downloads?limit=10");
    expect(body.recentDownloads).toEqual(log.body.downloads);
  });

  it("contains the events of earlier requests", async () => {
    const { app, analyst } = await noon();
    await app.make.published("The Well", "en");
    await app.make.published("The Tree", "en");
    const reader = app.api.with({ "User-Agent": AGENTS.chrome });
    const link = await linkTo(reader, { slug: "the-well", languageCode: "en" });
    await linkToAll(reader, "en");
    expect((await analyst.get(PATH)).body).toMatchObject({
      totals: { downloads: 2, redeemed: 0, books: 3, contacts: 1 },
      today: { downloads: 2, redeemed: 0, books: 3, contacts: 1 },
      topBooks: [{ bookTitle: "The Well", totalBooks: 2 }, { bookTitle: "The Tree" }],
      recentDownloads: [{ bookTitle: "All books" }, { bookTitle: "The Well", redeemedAt: null }],
    });
    await reader.get(link);
    expect((await analyst.get(PATH)).body).toMatchObject({
      funnel: { requested: 2, redeemed: 1, rate: 0.5 },
      recentDownloads: [{ redeemedAt: null }, { redeemedAt: "2026-03-01T12:00:00.000Z" }],
    });
  });
});
