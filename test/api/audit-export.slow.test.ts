/** The audit log as CSV. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { addAuditRows } from "../support/audit-rows.ts";
import { readCsv } from "../support/read-csv.ts";

const PATH = "/api/admin/audit/export";

const COLUMNS = [
  "id",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "ipAddress",
  "action",
  "objectKind",
  "objectId",
  "objectName",
  "changes",
  "requestId",
];

async function start() {
  const { app, client } = await startWithAdmin();
  app.clock.advance(86_400_000);
  /** The records that a query finds, with the header. */
  const records = async (query: string): Promise<string[][]> => {
    const response = await client.get(`${PATH}?startDate=2026-03-02&bom=0&${query}`);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    // But for the line that each export leaves, which is the newest.
    return readCsv(response.body.toString()).filter((row) => row[6] !== "export");
  };
  return { app, client, records };
}

describe("GET /api/admin/audit/export", () => {
  it("has the same entries as the list, with the changes as JSON", async () => {
    const { app, client, records } = await start();
    await app.make.book("Well");
    const [header, row = [], ...rest] = await records("");
    expect([header, rest]).toEqual([COLUMNS, []]);
    const [entry] = (await client.get("/api/admin/audit?startDate=2026-03-02&action=create")).body.entries;
    const read = Object.fromEntries(COLUMNS.map((column, index) => [column, row[index]]));
    expect({ ...read, changes: JSON.parse(row[10] ?? "") }).toEqual(entry);
    expect(entry.changes.titleEn).toEqual({ after: "Well" });
  });

  it("has every entry once and in order, regardless of the number of pages", async () => {
    const { app, records } = await start();
    await addAuditRows(app, 301);
    const [, ...rows] = await records("");
    expect(rows.map((row) => Number(row[8]))).toEqual(Array.from({ length: 301 }, (_, index) => 300 - index));
  });

  it.each([100, 200])("ends after full pages: %i entries", async (count) => {
    const { app, records } = await start();
    await addAuditRows(app, count);
    expect(await records("")).toHaveLength(count + 1);
  });

  it("applies the filters of the list on every page", async () => {
    const { app, records } = await start();
    await addAuditRows(app, 900, (index) => ({ action: index % 2 === 0 ? "create" : "update" }));
    const [, ...rows] = await records("action=create&endDate=2026-03-02");
    expect(rows).toHaveLength(450);
    expect(new Set(rows.map((row) => row[6]))).toEqual(new Set(["create"]));
  });

  it("contains only the header if no entry matches", async () => {
    const { client } = await start();
    const response = await client.get(`${PATH}?objectId=unknown`);
    expect(response.body.toString()).toBe(`\u{FEFF}${COLUMNS.join(",")}\r\n`);
  });

  it("has a file name with its date range, and isn't cached", async () => {
    const { client } = await start();
    const nameOf = async (query: string) =>
      (await client.get(`${PATH}?${query}`)).headers["content-disposition"];
    expect(await nameOf("")).toBe("attachment; filename=audit-log-all-2026-03-02.csv");
    expect(await nameOf("action=create&timezone=Pacific/Kiritimati")).toBe(
      "attachment; filename=audit-log-filtered-2026-03-03.csv",
    );
    expect(await nameOf("startDate=2026-03-01")).toBe("attachment; filename=audit-log-from-2026-03-01.csv");
    expect(await nameOf("startDate=2026-03-01T10:00:00Z&endDate=2026-03-02")).toBe(
      "attachment; filename=audit-log-from-2026-03-01-to-2026-03-02.csv",
    );
    for (const { status, headers } of [await client.get(PATH), await client.head(PATH)]) {
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "text/csv; charset=utf-8; header=present",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
  });

  it("protects spreadsheets from formulas unless raw output is requested", async () => {
    const { app, records } = await start();
    await app.make.book("=1+1");
    const name = async (query: string) => (await records(query))[1]?.[9];
    expect(await name("")).toBe("'=1+1");
    expect(await name("raw=1")).toBe("=1+1");
  });
});
