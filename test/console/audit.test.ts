/** The audit log of the console: where two values differ, which fields are shown, and which filters an address means. */
import { describe, expect, it } from "vitest";
import { readAuditFilter, writeAuditRequest } from "../../console/src/audit/audit-filter.ts";
import { listChanges } from "../../console/src/audit/changed-fields.ts";
import { countKinds, groupEntries } from "../../console/src/audit/entry-groups.ts";
import { findDifference, formatValue } from "../../console/src/audit/text-difference.ts";
import texts from "../../console/src/messages/en/audit.json" with { type: "json" };
import { columnsOf } from "../../src/db/schema.ts";

/** The tables whose changes the log records. */
const TABLES = [
  "users",
  "api_keys",
  "languages",
  "books",
  "translations",
  "book_files",
  "covers",
  "channels",
  "contacts",
] as const;

/** What the log leaves out, and the identifiers that the console leaves out. */
const UNSHOWN = new Set([
  ...["id", "searchText", "countryText", "codeKey", "createdAt", "updatedAt"],
  ...["mailKey", "mailFailures", "verifiedAt"],
]);
const IDENTIFIERS = new Set(["bookId", "languageId", "channelId", "publicId"]);

const AUDITED_FIELDS = TABLES.flatMap((table): string[] => [...columnsOf(table)]).filter(
  (field) => !UNSHOWN.has(field) && !IDENTIFIERS.has(field),
);

const WORDS = { formatTime: (iso: string) => `at ${iso}`, yes: "yes", no: "no" };

describe("the entries of one piece of work", () => {
  const entryOf = (second: number, more: object = {}) => ({
    id: String(second),
    at: new Date(second * 1000).toISOString(),
    actorKind: "system",
    actorId: null,
    actorName: "import",
    ipAddress: null,
    action: "create",
    objectKind: second % 2 === 0 ? "book" : "file",
    objectId: String(second),
    objectName: `Record ${second}`,
    changes: {},
    requestId: null,
    ...more,
  });
  /** An import of five records, the newest first. */
  const IMPORT = [50, 41, 32, 23, 10].map((second) => entryOf(second));
  const sizesOf = (entries: Parameters<typeof groupEntries>[0]) =>
    groupEntries(entries).map((group) => group.length);

  it("are one group if five or more follow each other in a minute each", () => {
    expect(sizesOf([])).toEqual([]);
    expect(sizesOf(IMPORT)).toEqual([5]);
    expect(sizesOf(IMPORT.slice(1))).toEqual([1, 1, 1, 1]);
    expect(sizesOf([entryOf(110), ...IMPORT])).toEqual([6]);
    expect(sizesOf([entryOf(111), ...IMPORT])).toEqual([1, 5]);
    expect([...countKinds(IMPORT)]).toEqual([
      ["book", 3],
      ["file", 2],
    ]);
  });

  it.each([{ action: "login" }, { actorKind: "user" }, { actorId: "anna" }, { actorName: "move" }])(
    "end where another does something, or something else is done: %j",
    (more) => {
      expect(sizesOf([entryOf(51, more), ...IMPORT, entryOf(9, more)])).toEqual([1, 5, 1]);
    },
  );
});

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

it.each([
  [null, ""],
  [undefined, ""],
  [true, "yes"],
  [3, "3"],
  [["a", "b"], "a, b"],
  [{ name: "Seas", position: null }, "name: Seas, position: "],
  ["2026-03-01T12:00:00.000Z", "at 2026-03-01T12:00:00.000Z"],
])("a value %j is %j", (value, text) => {
  expect(formatValue(value, WORDS)).toBe(text);
});

describe("the filters in an address", () => {
  it("are asked of the service, with the zone of the days", () => {
    const filter = readAuditFilter(new URLSearchParams("action=update&startDate=2026-03-01&page=2"), "UTC");
    expect(filter).toMatchObject({ action: "update", startDate: "2026-03-01", page: 2, objectKind: "" });
    expect(writeAuditRequest(filter, "Africa/Nairobi")).toEqual({
      action: "update",
      startDate: "2026-03-01",
      timezone: "Africa/Nairobi",
    });
  });

  it("aren't used where they name nothing that exists", () => {
    const filter = readAuditFilter(
      new URLSearchParams("action=eat&objectKind=cake&actorKind=&page=-1&startDate=0202-03-01"),
      "UTC",
    );
    expect(writeAuditRequest(filter, "UTC")).toEqual({ timezone: "UTC" });
    expect(filter.page).toBe(1);
  });
});

describe("the changed fields", () => {
  it("are those that say something: neither empty before and after, nor the identifiers of named records", () => {
    const listed = listChanges({
      titleEn: { after: "The Well" },
      series: { after: null },
      tags: { before: ["water"], after: [] },
      authors: { before: [], after: null },
      description: { before: "", after: "" },
      isActive: { after: 0 },
      channelId: { after: "01a2" },
    });
    expect(listed.map(([name]) => name)).toEqual(["titleEn", "tags", "isActive"]);
  });

  it("of each table have names", () => {
    expect(AUDITED_FIELDS.filter((field) => !Object.hasOwn(texts.audit.fieldNames, field))).toEqual([]);
  });
});
