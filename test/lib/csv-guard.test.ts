import { describe, expect, it } from "vitest";
import { guardedCell } from "../../src/lib/csv-guard.ts";

describe("T19 a cell that a spreadsheet would run", () => {
  it.each([
    ..."=+-@＝＋－＠\t\r",
    ...["=1+1", "+49 30 1234", "-2+3", "@SUM(A1)", "=cmd|'/C calc'!A0", '=HYPERLINK("http://evil")'],
    ...[
      "  =1",
      "\0=1",
      "\n=1",
      "\r\n=1",
      "\u00a0=1",
      "\u{FEFF}=1",
      "\u200b=1",
      "\u2028=1",
      "\u3000＝1",
      " \0\n\u202e@a",
    ],
  ])("gets an apostrophe: %j", (text) => {
    expect(guardedCell(text)).toBe(`'${text}`);
  });

  it.each([
    ..."a '=1 1=1 a@b.example 3-4 १ \u00bd “=1 \u0301=1".split(" "),
    ...["", " ", "\n", "\0", "plain text", "line\n=not first", "བོད་ཡིག", "🪣=1"],
  ])("is not %j", (text) => {
    expect(guardedCell(text)).toBe(text);
  });

  it("is found in no more than linear time", () => {
    const began = performance.now();
    guardedCell(`${" ".repeat(1_000_000)}a`);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
