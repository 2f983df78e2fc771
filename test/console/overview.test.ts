/** What the overview works out by itself. */
import { describe, expect, it } from "vitest";
import { writeCsv } from "../../console/src/overview/csv.ts";

describe("a table as CSV", () => {
  it("quotes what needs it and keeps spreadsheets from running formulas", () => {
    const rows = [
      ["name", "count"],
      ['A "deep", well', 3],
      [" =HYPERLINK(1)", -2],
      ["two\nlines", 0],
    ];
    expect(writeCsv(rows)).toBe(
      '\uFEFFname,count\r\n"A ""deep"", well",3\r\n\' =HYPERLINK(1),-2\r\n"two\nlines",0\r\n',
    );
  });
});
