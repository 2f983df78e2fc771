/** The report by campaign, and the first rows of long reports with the counts of the others. */
import { describe, expect, it } from "vitest";
import { campaignKey } from "../../src/repositories/event-counts/origins.ts";
import type { EventFilter } from "../../src/repositories/exports/download-log.ts";
import { startApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { campaignsBySql } from "../support/counts-by-sql.ts";
import { type GivenEvent, givenEvent, openRows } from "../support/event-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { idOf } from "../support/ids.ts";
import type { Row } from "../support/reports.ts";

type LimitedReport = "by-book" | "by-country" | "by-campaign";

const ALL = { includeBots: false };

async function ask(analyst: Client, report: LimitedReport, query = "") {
  const response = await analyst.get(`/api/admin/analytics/${report}?${query}`);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const { data, campaigns, others } = response.body;
  const rows: Row[] = report === "by-campaign" ? campaigns : data;
  return { rows, others };
}

const visit = (number: number): GivenEvent =>
  givenEvent(`2026-03-01T12:${10 + number}Z`, {
    contactId: number % 8 || null,
    bookId: idOf(1 + (number % 6)),
    ...(number % 7 === 3 && { archiveId: "archive", booksCount: 3 }),
    countryCode: ["KE", "KE", "IN", "DE", null][number % 5] ?? null,
    redeemedAt: number % 3 || null,
    utmSource: ["news", null, "a, b", "news"][number % 4] ?? null,
    utmMedium: number % 4 === 0 ? "email" : null,
    utmCampaign: number % 9 === 0 ? "50%" : null,
    isBot: number === 5 ? 1 : 0,
  });

async function visits() {
  const app = await startApp();
  const rows = openRows(app);
  await rows.insertArchive("archive", [idOf(1), idOf(2), idOf(9)]);
  for (let number = 0; number < 30; number += 1) await rows.insert(visit(number));
  return { app, rows, analyst: await app.make.login("analyst") };
}

describe("GET /api/admin/analytics/by-campaign", () => {
  it("counts what readers' forms carried, and those without a campaign as a row of their own", async () => {
    const app = await startApp();
    const { book } = await app.make.published("The Well", "en");
    const form = { bookId: book.id, languageCode: "en", contact };
    for (const query of ["utm_source=news&utm_medium=email&utm_campaign=spring", "", "", "utm_source="])
      expect((await app.api.post(`/api/download/submit?${query}`, form)).status).toBe(200);
    const { rows, others } = await ask(await app.make.login("analyst"), "by-campaign", "includeBots=true");
    const counts = { totalDownloads: 1, totalBooks: 1, uniqueContacts: 1, redeemed: 0 };
    expect(rows).toEqual([
      { utmSource: null, utmMedium: null, utmCampaign: null, ...counts, totalDownloads: 3, totalBooks: 3 },
      { utmSource: "news", utmMedium: "email", utmCampaign: "spring", ...counts },
    ]);
    expect(others).toBe(undefined);
  });

  it.each<[string, EventFilter]>([
    ["", ALL],
    ["includeBots=true&utmSource=news", { includeBots: true, utmSource: "news" }],
    ["isRedeemed=false&countryCode=ke", { ...ALL, isRedeemed: false, countryCode: "KE" }],
    [`bookId=${idOf(2)}`, { ...ALL, bookId: idOf(2) }],
    ["startDate=2026-03-01T12:20:00Z", { ...ALL, from: Date.parse("2026-03-01T12:20Z") }],
  ])("counts what SQL counts, also after changes: %s", async (query, filter) => {
    const { app, rows, analyst } = await visits();
    const expectAsSql = async () => {
      const reported = await ask(analyst, "by-campaign", query);
      const counts = reported.rows.map(({ utmSource, utmMedium, utmCampaign, ...row }) => ({
        key: campaignKey({
          utmSource: textOf(utmSource),
          utmMedium: textOf(utmMedium),
          utmCampaign: textOf(utmCampaign),
        }),
        ...row,
      }));
      const expected = (await campaignsBySql(app.container.database.read, filter)).map(
        ({ key, downloads, books, contacts, redeemed }) => ({
          key,
          totalDownloads: downloads,
          totalBooks: books,
          uniqueContacts: contacts,
          redeemed,
        }),
      );
      expect(expected.length).toBeGreaterThan(0);
      expect(counts).toHaveLength(expected.length);
      expect(counts).toEqual(expect.arrayContaining(expected));
    };
    await expectAsSql();
    await rows.change([7, 9], { redeemedAt: 1 });
    await rows.remove([2, 11]);
    await rows.insert(
      givenEvent("2026-03-01T13:00Z", { contactId: 5, utmSource: "news", countryCode: "KE" }),
    );
    await expectAsSql();
  });

  it("lists at most a thousand campaigns, and counts the others", async () => {
    const { rows, analyst } = await visits();
    const known = (await ask(analyst, "by-campaign")).rows.length;
    for (let number = 0; number < 1000; number += 1)
      await rows.insert(givenEvent("2026-03-01T13:00Z", { contactId: 1, utmCampaign: `campaign ${number}` }));
    const { rows: listed, others } = await ask(analyst, "by-campaign");
    expect(listed).toHaveLength(1000);
    expect(others).toMatchObject({ rows: known, totalDownloads: known });
  });
});

const textOf = (value: string | number | null | undefined) => (typeof value === "string" ? value : null);

const sumOf = (rows: readonly Row[], field: string): number =>
  rows.reduce((sum, row) => sum + Number(row[field]), 0);

describe("the first rows of a report", () => {
  it.each<[LimitedReport, number]>([
    ["by-book", 2],
    ["by-country", 1],
    ["by-campaign", 3],
  ])("are those with the most downloads, and others counts the rest: %s", async (report, limit) => {
    const { analyst } = await visits();
    const { rows: all } = await ask(analyst, report);
    const { rows, others } = await ask(analyst, report, `limit=${limit}`);
    expect(rows).toHaveLength(limit);
    expect(all).toEqual(expect.arrayContaining(rows));
    const rest = all.filter((row) => !rows.some((first) => JSON.stringify(first) === JSON.stringify(row)));
    const least = Math.min(...rows.map(({ totalDownloads }) => Number(totalDownloads)));
    for (const row of rest) expect(Number(row.totalDownloads)).toBeLessThanOrEqual(least);
    expect(others).toMatchObject({
      rows: all.length - limit,
      totalDownloads: sumOf(rest, "totalDownloads"),
      totalBooks: sumOf(rest, "totalBooks"),
    });
    expect((await ask(analyst, report, "limit=1000")).others).toEqual({
      rows: 0,
      totalDownloads: 0,
      totalBooks: 0,
      uniqueContacts: 0,
    });
  });

  it("have others whose contacts are distinct over all their rows", async () => {
    const { app, analyst } = await visits();
    const events = await app.container.database.read
      .selectFrom("download_events")
      .select(["contactId", "countryCode", "bookId", "archiveId", "utmSource", "utmMedium", "utmCampaign"])
      .where("isBot", "=", 0)
      .execute();
    const distinct = (matching: typeof events) =>
      new Set(matching.flatMap(({ contactId }) => contactId ?? [])).size;

    const countries = await ask(analyst, "by-country", "limit=1");
    const [country] = countries.rows;
    expect(countries.others.uniqueContacts).toBe(
      distinct(events.filter(({ countryCode }) => (countryCode ?? "") !== country?.countryCode)),
    );

    const campaigns = await ask(analyst, "by-campaign", "limit=2");
    const shown = campaigns.rows.map((row) =>
      JSON.stringify([row.utmSource, row.utmMedium, row.utmCampaign]),
    );
    expect(campaigns.others.uniqueContacts).toBe(
      distinct(
        events.filter(
          ({ utmSource, utmMedium, utmCampaign }) =>
            !shown.includes(JSON.stringify([utmSource, utmMedium, utmCampaign])),
        ),
      ),
    );

    const books = await ask(analyst, "by-book", "limit=2");
    const listed = new Set(books.rows.map(({ bookId }) => bookId));
    const delivered = (event: (typeof events)[number]) =>
      event.archiveId === null ? [event.bookId ?? ""] : [idOf(1), idOf(2), idOf(9)];
    expect(books.others.uniqueContacts).toBe(
      distinct(events.filter((event) => delivered(event).some((id) => !listed.has(id)))),
    );
  });

  it("are rejected with an impossible number", async () => {
    const { analyst } = await visits();
    for (const report of ["by-book", "by-country", "by-campaign"]) {
      const path = `/api/admin/analytics/${report}`;
      expectProblem(await analyst.get(`${path}?limit=0`), 400, { errors: ["limit too_small"] });
      expectProblem(await analyst.get(`${path}?limit=1001`), 400, { errors: ["limit too_big"] });
    }
    for (const report of ["by-date", "by-language", "by-device"])
      expectProblem(await analyst.get(`/api/admin/analytics/${report}?limit=5`), 400, {
        errors: ["limit unknown_field"],
      });
  });
});
