/** How callers want CSV: the same options for every export. */
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { readCsv } from "../support/read-csv.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const EVE = "Eve;=cmd|' /C calc'!A0,+1";

/** A contact who means harm with an event and a phone number, a book of such a name, and what was done for them. */
async function scene() {
  const { app, client: admin } = await startWithAdmin();
  await app.make.language("es");
  await app.make.book(EVE, { slug: "eve" });
  const event = { downloadedAt: NOON, bookTitle: EVE };
  await addContacts(app, [{ firstName: EVE, phone: "+254 20 1234567", lastName: "-1", events: [event] }]);
  return async (path: string, query: string): Promise<string> => {
    const response = await admin.get(`/api/admin/${path}${path.includes("?") ? "&" : "?"}${query}`);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body.toString();
  };
}

const EXPORTS = [
  "contacts/export",
  "analytics/downloads/export",
  "audit/export?action=create",
  "channels/matrix/export?languageCode=es",
  "books/export?status=all",
];

describe.each(EXPORTS)("%s", (path) => {
  it("accepts every delimiter, with and without byte order mark, guard and zone", async () => {
    const exported = await scene();
    const cells = readCsv(await exported(path, "raw=1&bom=0"));
    expect(cells.length).toBeGreaterThan(1);
    for (const [name, delimiter] of [
      ["comma", ","],
      ["semicolon", ";"],
      ["tab", "\t"],
    ] as const) {
      const text = await exported(path, `raw=1&delimiter=${name}`);
      expect(text.startsWith("\u{FEFF}")).toBe(true);
      expect(readCsv(text.slice(1), delimiter)).toEqual(cells);
      const guarded = readCsv(await exported(path, `bom=0&delimiter=${name}`), delimiter).flat();
      expect(guarded.filter((cell) => /^[-=]|[;|][\s"]*[=]/.test(cell))).toEqual([]);
      expect(guarded.some((cell) => cell.includes("Eve;'=cmd|' /C calc'!A0"))).toBe(true);
    }
    const zoned = readCsv(await exported(path, "raw=1&bom=0&timezone=Africa/Nairobi")).flat();
    const utc = cells.flat().filter((cell) => /^\d{4}-.*Z$/.test(cell));
    expect(zoned.filter((cell) => /^\d{4}-.*\+03:00$/.test(cell))).toHaveLength(utc.length);
    expect(zoned.filter((cell) => /^\d{4}-.*Z$/.test(cell))).toEqual([]);
  });

  it("reports every unknown option", async () => {
    const app = await startApp();
    await app.make.language("es");
    const query = "delimiter=pipe&bom=maybe&raw=2&timezone=Nowhere";
    const response = await (await app.admin()).get(
      `/api/admin/${path}${path.includes("?") ? "&" : "?"}${query}`,
    );
    expectProblem(response, 400, { code: "invalid_input" });
    const paths = response.body.errors.map(({ path: field }: { path: string }) => field);
    expect(paths.sort()).toEqual(["bom", "delimiter", "raw", "timezone"]);
  });
});

it("an export leaves plain phone numbers unchanged", async () => {
  const exported = await scene();
  const [, row = []] = readCsv(await exported("contacts/export", "bom=0"));
  expect(row.slice(3, 5)).toEqual(["'-1", "+254 20 1234567"]);
});

it("an export writes times of a zone with their offset", async () => {
  const exported = await scene();
  const [, row = []] = readCsv(await exported("analytics/downloads/export", "bom=0&timezone=Asia/Kathmandu"));
  expect(row[1]).toBe("2026-03-01T17:45:00.000+05:45");
});
