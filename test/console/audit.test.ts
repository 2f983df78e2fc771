/** The audit log of the console: where two values differ, and which filters an address means. */
import { describe, expect, it } from "vitest";
import { readAuditFilter, writeAuditRequest } from "../../console/src/audit/audit-filter.ts";
import { findDifference, formatValue } from "../../console/src/audit/text-difference.ts";

const WORDS = { formatTime: (iso: string) => `at ${iso}`, yes: "yes", no: "no" };

describe("the difference of two texts", () => {
  it.each([
    ["The Deep Well", "The Deeper Well", ["The ", "Deep", "Deeper", " Well"]],
    ["water", "water, folk tales", ["water", "", ", folk tales", ""]],
    ["", "new", ["", "", "new", ""]],
    ["old", "", ["", "old", "", ""]],
    ["the the", "the the the", ["the the", "", " the", ""]],
    ["same", "same", ["same", "", "", ""]],
  ])("of %j and %j", (before, after, [start, removed, added, end]) => {
    expect(findDifference(before, after)).toEqual({ start, removed, added, end });
  });

  it("keeps a short part of what is the same on both sides", () => {
    const long = "word ".repeat(100);
    const { start, removed, added, end } = findDifference(`${long}old ${long}`, `${long}new ${long}`);
    expect([removed, added]).toEqual(["old", "new"]);
    expect([start.length, end.length]).toEqual([81, 81]);
    expect(start).toMatch(/^….*word $/);
    expect(end).toMatch(/^ word.*…$/);
  });
});

describe("a value", () => {
  it.each([
    [null, ""],
    [undefined, ""],
    [true, "yes"],
    [3, "3"],
    [["a", "b"], "a, b"],
    [{ name: "Seas", position: null }, "name: Seas, position: "],
    ["2026-03-01T12:00:00.000Z", "at 2026-03-01T12:00:00.000Z"],
  ])("%j is %j", (value, text) => {
    expect(formatValue(value, WORDS)).toBe(text);
  });
});

describe("the filters in an address", () => {
  it("are asked of the service, with the zone of the days", () => {
    const filter = readAuditFilter(new URLSearchParams("action=update&startDate=2026-03-01&page=2"));
    expect(filter).toMatchObject({ action: "update", startDate: "2026-03-01", page: 2, objectKind: "" });
    expect(writeAuditRequest(filter)).toEqual({
      action: "update",
      startDate: "2026-03-01",
      timezone: "America/Adak",
    });
  });

  it("aren't used where they name nothing that exists", () => {
    const filter = readAuditFilter(new URLSearchParams("action=eat&objectKind=cake&actorKind=&page=-1"));
    expect(writeAuditRequest(filter)).toEqual({});
    expect(filter.page).toBe(1);
  });
});
