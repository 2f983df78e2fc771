import { describe, expect, it } from "vitest";
import { guardCell } from "../../src/lib/csv.ts";
import { measureWork } from "../support/own-work.ts";

describe("a cell that a spreadsheet would execute", () => {
  it.each([
    ..."=+-@＝＋－＠\t\r",
    "=1+1",
    "+49-30-1234",
    "+1+cmd",
    "-2+3",
    "+",
    "+ 1;2",
    "@SUM(A1)",
    "=cmd|'/C calc'!A0",
    '=HYPERLINK("http://evil")',
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
    "\u202a+1+1\u202c",
    "\u202a=1\u202c",
    "+1\u22122",
    "\u00a0+33 6",
  ])("gets an apostrophe: %j", (text) => {
    expect(guardCell(text)).toBe(`'${text}`);
  });

  it.each([
    ..."a '=1 1=1 a@b.example 3-4 १ \u00bd “=1 \u0301=1".split(" "),
    "",
    " ",
    "\n",
    "\0",
    "plain text",
    "line\n=not first",
    "+49 30 1234",
    "+254 (20) 1234567",
    "+491234",
    "+33\u00a06\u00a012\u00a034",
    "+33\u202f6\u202f12\u202f34",
    "+33\u20096\u200912",
    "+49\u201130\u20111234",
    "+49\u201030\u20131234",
    "\u202a+254 20 1234567\u202c",
    "\u2068+254 20 1234567\u2069",
    "\u200e+254\u200b20\ufeff1234567\u200f",
    "+۹۸ ۹۱۲ ۳۴۵",
    "བོད་ཡིག",
    "🪣=1",
  ])("doesn't include %j", (text) => {
    expect(guardCell(text)).toBe(text);
  });

  it.each([
    ["Eve;=cmd|' /C calc'!A0;", "Eve;'=cmd|' /C calc'!A0;"],
    ["Eve\t=1", "Eve\t'=1"],
    ["a|+1|-2|@a", "a|'+1|'-2|'@a"],
    ['x; "=1"', 'x; "\'=1"'],
    ["x;\u00a0\0＝1", "x;\u00a0\0'＝1"],
    ["=1;=2", "'=1;'=2"],
    ["a;;=1", "a;;'=1"],
    ["a,=1", "a,=1"],
  ])("gets an apostrophe after a separator within: %j", (text, guarded) => {
    expect(guardCell(text)).toBe(guarded);
  });

  it("gets one after a comma if commas don't cause quoting", () => {
    expect(guardCell("a,=1", ";")).toBe("a,'=1");
    expect(guardCell("a, +1", "\t")).toBe("a, '+1");
  });

  it("is detected in at most linear time", () => {
    const took = measureWork(() => {
      guardCell(`${" ".repeat(1_000_000)}a`);
      guardCell(`a${"\t".repeat(1_000_000)}`);
      guardCell(`a${";  ".repeat(300_000)}`);
      guardCell(`a;${" ".repeat(1_000_000)}`, ";");
    });
    expect(took).toBeLessThan(5_000);
  });
});
