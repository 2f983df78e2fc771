/** Ranges of days in the console, and what two users changed at the same time. */
import { describe, expect, it } from "vitest";
import {
  countDays,
  findEndOfDay,
  findRange,
  findRangeBefore,
  findStartOfDay,
  findToday,
  readRange,
} from "../../console/src/dates/range.ts";
import { adoptSent, joinChanges } from "../../console/src/forms/join-changes.ts";

it.each([
  ["Africa/Nairobi", "2026-12-31", "2026-12-30T21:00:00.000Z", "2026-12-31T20:59:59.999Z"],
  ["UTC", "2026-12-31", "2026-12-31T00:00:00.000Z", "2026-12-31T23:59:59.999Z"],
  ["America/St_Johns", "2026-07-01", "2026-07-01T02:30:00.000Z", "2026-07-02T02:29:59.999Z"],
  ["Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00.000Z", "2026-01-01T09:59:59.999Z"],
  // The clocks skip the hour after midnight, or repeat the one before it.
  ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z", "2026-03-29T20:59:59.999Z"],
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", "2026-09-07T02:59:59.999Z"],
  ["Asia/Beirut", "2026-10-24", "2026-10-23T21:00:00.000Z", "2026-10-24T21:59:59.999Z"],
  ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T04:59:59.999Z"],
])("a day in a time zone %s: %s is %s to %s", (timezone, day, start, end) => {
  expect(findStartOfDay(day, timezone).toISOString()).toBe(start);
  expect(findEndOfDay(day, timezone).toISOString()).toBe(end);
});

describe("a range of days", () => {
  it("ends on the day that it is in the time zone", () => {
    const now = Date.parse("2026-03-01T22:30:00Z");
    expect([findToday("Africa/Nairobi", now), findToday("UTC", now)]).toEqual(["2026-03-02", "2026-03-01"]);
  });

  it.each([
    ["today", "2026-04-15", "2026-04-15"],
    ["last7Days", "2026-04-09", "2026-04-15"],
    ["last30Days", "2026-03-17", "2026-04-15"],
    ["thisMonth", "2026-04-01", "2026-04-15"],
    ["lastMonth", "2026-03-01", "2026-03-31"],
    ["last12Months", "2025-04-16", "2026-04-15"],
    ["thisYear", "2026-01-01", "2026-04-15"],
  ] as const)("%s is %s to %s, and can stand in an address by its name", (preset, startDate, endDate) => {
    const range = findRange(preset, "2026-04-15");
    expect(range).toEqual({ startDate, endDate });
    const query = new URLSearchParams({ range: preset, startDate: "2020-01-01" });
    expect(readRange(query, "Africa/Nairobi", Date.parse("2026-04-14T22:00:00Z"))).toEqual(range);
  });

  it("follows on the range before it, which has as many days", () => {
    const range = { startDate: "2026-03-01", endDate: "2026-03-31" };
    expect(findRangeBefore(range)).toEqual({ startDate: "2026-01-29", endDate: "2026-02-28" });
    expect(countDays(findRangeBefore(range))).toBe(countDays(range));
  });

  it("is left open where the address has no day", () => {
    expect(
      readRange(new URLSearchParams("startDate=0002-01-01&endDate=2026-13-01&range=everLasting"), "UTC"),
    ).toEqual({
      startDate: "",
      endDate: "",
    });
  });
});

describe("changes of two users", () => {
  const before = { title: "Well", pages: 12, note: "" };

  it("are joined where they are of different fields", () => {
    const typed = { ...before, title: "Deep well" };
    const saved = { ...before, pages: 14 };
    expect(joinChanges(before, typed, saved)).toEqual({
      values: { title: "Deep well", pages: 14, note: "" },
      conflicts: [],
    });
  });

  it("conflict where both changed a field differently, and what was typed stays", () => {
    const typed = { ...before, title: "Deep well", note: "same" };
    const saved = { ...before, title: "Old well", note: "same" };
    expect(joinChanges(before, typed, saved)).toEqual({ values: typed, conflicts: ["title"] });
  });

  it("aren't found where an attempt whose response was lost has saved what is there", () => {
    const typed = { title: " Deep  well", pages: 13, note: "more" };
    const saved = { title: "Deep well", pages: 12, note: "theirs" };
    const sent = { ...typed, pages: 12 };
    expect(adoptSent({ before, typed }, sent, saved)).toEqual({
      before: { title: "Deep well", pages: 12, note: "" },
      typed: { title: "Deep well", pages: 13, note: "more" },
    });
  });
});
