/** Downloads by day, week, month and year, in time zones whose days begin elsewhere and are of other lengths. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { givenEvent, openRows } from "../support/event-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";

const PATH = "/api/admin/analytics/by-date";

/** The counts by date of events that happened at these times. */
async function reportOn(times: readonly string[]) {
  const app = await startApp();
  const rows = openRows(app);
  for (const time of times) await rows.insert(givenEvent(time));
  const analyst = await app.make.login("analyst");
  return {
    rows,
    analyst,
    async counts(query: Record<string, string>): Promise<Record<string, number>> {
      const response = await analyst.get(`${PATH}?${new URLSearchParams(query)}`);
      expect(response.status, JSON.stringify(response.body)).toBe(200);
      const data: { date: string; totalDownloads: number }[] = response.body.data;
      expect(data.map(({ date }) => date)).toEqual(data.map(({ date }) => date).sort());
      return Object.fromEntries(data.map(({ date, totalDownloads }) => [date, totalDownloads]));
    },
  };
}

describe("the days of a report", () => {
  it("has 23 hours when the clock goes forward and 25 when it goes back", async () => {
    const { counts } = await reportOn([
      "2026-03-28T22:59:59.999Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T21:59:59.999Z",
      "2026-03-29T22:00:00.000Z",
      "2026-10-24T21:59:59.999Z",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T22:59:59.999Z",
      "2026-10-25T23:00:00.000Z",
    ]);
    const timezone = "Europe/Berlin";
    expect(await counts({ timezone })).toEqual({
      "2026-03-28": 1,
      "2026-03-29": 2,
      "2026-03-30": 1,
      "2026-10-24": 1,
      "2026-10-25": 2,
      "2026-10-26": 1,
    });
    // Both ends belong to the range, whole.
    for (const day of ["2026-03-29", "2026-10-25"])
      expect(await counts({ timezone, startDate: day, endDate: day })).toEqual({ [day]: 2 });
    expect(await counts({})).toEqual({ "2026-03-28": 2, "2026-03-29": 2, "2026-10-24": 2, "2026-10-25": 2 });
  });

  it("are grouped into weeks that begin on Monday, in the time zone", async () => {
    const { counts } = await reportOn([
      "2026-03-08T03:29:59Z",
      "2026-03-09T02:29:59Z",
      "2026-03-09T02:30:00Z",
    ]);
    // In Newfoundland the Sunday has 23 hours.
    expect(await counts({ timezone: "America/St_Johns", granularity: "week" })).toEqual({
      "2026-03-02": 2,
      "2026-03-09": 1,
    });
    expect(await counts({ granularity: "week" })).toEqual({ "2026-03-02": 1, "2026-03-09": 2 });
  });
});

describe("the periods of a report", () => {
  it("count only downloads within the range", async () => {
    const { counts } = await reportOn(["2026-03-02T00:00Z", "2026-03-05T12:00Z", "2026-03-08T23:59Z"]);
    const inside = { startDate: "2026-03-03", endDate: "2026-03-05T12:00:00Z" };
    for (const [granularity, date] of [
      ["week", "2026-03-02"],
      ["month", "2026-03-01"],
      ["year", "2026-01-01"],
    ] as const) {
      expect(await counts({ granularity })).toEqual({ [date]: 3 });
      expect(await counts({ ...inside, granularity })).toEqual({ [date]: 1 });
    }
  });

  it("are those with downloads; with fill also the empty ones between them, up to the requested dates", async () => {
    const { counts } = await reportOn(["2026-03-03T12:00Z", "2026-03-05T12:00Z"]);
    const [startDate, endDate] = ["2026-03-02", "2026-03-06"];
    expect(await counts({ startDate, endDate })).toEqual({ "2026-03-03": 1, "2026-03-05": 1 });
    const between = { "2026-03-03": 1, "2026-03-04": 0, "2026-03-05": 1 };
    expect(await counts({ fill: "true" })).toEqual(between);
    expect(await counts({ fill: "true", startDate })).toEqual({ "2026-03-02": 0, ...between });
    expect(await counts({ fill: "true", endDate })).toEqual({ ...between, "2026-03-06": 0 });
    expect(await counts({ fill: "true", startDate, endDate, countryCode: "KE" })).toEqual({
      "2026-03-02": 0,
      "2026-03-03": 0,
      "2026-03-04": 0,
      "2026-03-05": 0,
      "2026-03-06": 0,
    });
    expect(await counts({ fill: "true", startDate: "2026-03-06" })).toEqual({});
    expect(await counts({ fill: "true", countryCode: "KE" })).toEqual({});
    expect(await counts({ fill: "true", granularity: "month", startDate, endDate: "2026-05-01" })).toEqual({
      "2026-03-01": 2,
      "2026-04-01": 0,
      "2026-05-01": 0,
    });
  });

  it("exclude bots unless requested, and have the same counts as the other reports", async () => {
    const { rows, analyst } = await reportOn(["2026-03-03T12:00Z"]);
    await rows.insert(givenEvent("2026-03-03T13:00Z", { contactId: 1, redeemedAt: 1, booksCount: 5 }));
    await rows.insert(givenEvent("2026-03-03T14:00Z", { contactId: 1, isBot: 1 }));
    await rows.insert(givenEvent("2026-03-04T14:00Z", { isBot: 1 }));
    const day = { date: "2026-03-03", totalDownloads: 2, totalBooks: 6, uniqueContacts: 1, redeemed: 1 };
    expect((await analyst.get(PATH)).body).toEqual({ data: [day] });
    const all = { ...day, totalDownloads: 3, totalBooks: 7 };
    const bot = { date: "2026-03-04", totalDownloads: 1, totalBooks: 1, uniqueContacts: 0, redeemed: 0 };
    expect((await analyst.get(`${PATH}?includeBots=true`)).body).toEqual({ data: [all, bot] });
  });

  it("are at most ten thousand: a longer range is rejected, not cut", async () => {
    const { counts, analyst } = await reportOn(["2026-03-03T12:00Z"]);
    // Where nothing can have happened, nothing has to be looked at.
    expect(await counts({ startDate: "1970-01-01", endDate: "9999-12-31" })).toEqual({ "2026-03-03": 1 });
    const filled = (endDate: string, granularity = "day") =>
      analyst.get(`${PATH}?startDate=2000-01-01&endDate=${endDate}&fill=true&granularity=${granularity}`);
    expect((await filled("2027-05-18")).body.data.length).toBe(10_000);
    for (const [endDate, granularity] of [
      ["2027-05-19", "day"],
      ["9999-12-31", "week"],
    ] as const) {
      expectProblem(await filled(endDate, granularity), 400, { errors: ["granularity too_many_periods"] });
    }
    expect((await filled("9999-12-31", "year")).body.data.length).toBe(8000);
    expect(await counts({ startDate: "2026-01-01" })).toEqual({ "2026-03-03": 1 });
  });

  it("are limited by periods with downloads: one download of 1970 doesn't exceed the limit", async () => {
    const { counts, analyst, rows } = await reportOn(["1970-01-01T00:00Z", "2025-12-31T12:00Z"]);
    await rows.insert(givenEvent("2026-01-01T12:00Z"));
    await rows.insert({ ...givenEvent("2024-02-29T12:00Z"), languageId: 7 });
    await rows.insert({ ...givenEvent("1999-06-01T12:00Z"), isBot: 1 });
    const all = { "1970-01-01": 1, "2024-02-29": 1, "2025-12-31": 1, "2026-01-01": 1 };
    expect(await counts({})).toEqual(all);
    expect(await counts({ endDate: "2024-12-31" })).toEqual({ "1970-01-01": 1, "2024-02-29": 1 });
    expect(await counts({ timezone: "America/New_York" })).toEqual({
      "1969-12-31": 1,
      "2024-02-29": 1,
      "2025-12-31": 1,
      "2026-01-01": 1,
    });
    expect(await counts({ granularity: "week" })).toEqual({
      "1969-12-29": 1,
      "2024-02-26": 1,
      "2025-12-29": 2,
    });
    expect(await counts({ granularity: "year" })).toEqual({
      "1970-01-01": 1,
      "2024-01-01": 1,
      "2025-01-01": 1,
      "2026-01-01": 1,
    });
    // With empty ones it is twenty thousand days, unless the first download that is counted came later.
    expectProblem(await analyst.get(`${PATH}?fill=true`), 400, { errors: ["granularity too_many_periods"] });
    expectProblem(await analyst.get(`${PATH}?fill=true&endDate=2026-01-01`), 400);
    expect(await counts({ fill: "true", languageId: "7" })).toEqual({ "2024-02-29": 1 });
    const filled = await counts({ fill: "true", languageId: "7", endDate: "2026-01-01" });
    expect(Object.keys(filled)).toHaveLength(673);
    expect(Object.keys(await counts({ fill: "true", startDate: "2025-12-30" }))).toHaveLength(3);
    expect(await counts({ fill: "true", languageId: "99" })).toEqual({});
    expect(await counts({ fill: "true", languageId: "99", endDate: "2026-01-01" })).toEqual({});
  });

  it("are rejected if more than ten thousand have downloads", async () => {
    const app = await startApp();
    const times = Array.from({ length: 10_000 }, (_, number) => Date.UTC(1990, 0, 1 + number));
    await addContacts(app, [{ events: times.map((downloadedAt) => ({ downloadedAt })) }]);
    const analyst = await app.make.login("analyst");
    expect((await analyst.get(PATH)).body.data).toHaveLength(10_000);
    await addContacts(app, [{ events: [{ downloadedAt: 0 }] }]);
    expectProblem(await analyst.get(PATH), 400, { errors: ["granularity too_many_periods"] });
    expect((await analyst.get(`${PATH}?startDate=1970-01-02`)).body.data).toHaveLength(10_000);
  });
});
