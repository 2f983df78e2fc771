/** The atoms of every schema: what they let through, and in which form. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { toOneLine } from "../../src/lib/one-line.ts";
import {
  booleanParameter,
  count,
  flag,
  instant,
  int32,
  integerParameter,
  languageCode,
  multilineText,
  text,
  timestamp,
} from "../../src/schemas/atoms.ts";
import { offsetOf, paginationOf, pagingFields } from "../../src/schemas/queries.ts";
import { anyText } from "../support/any-text.ts";

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe("text", () => {
  it("is one line, in NFC, well-formed, without control characters, and within its bounds, or rejected", () => {
    const atom = text({ min: 1, max: 50 });
    fc.assert(
      fc.property(anyText, (given) => {
        const parsed = atom.safeParse(given);
        const line = toOneLine(given);
        const clean = line.normalize("NFC");
        const isFit = line.isWellFormed() && !/\p{Cc}/u.test(line) && clean.length >= 1 && clean.length <= 50;
        expect(parsed.success).toBe(isFit);
        if (parsed.success) expect(parsed.data).toBe(clean);
      }),
    );
  });

  it("is measured after trimming and composing", () => {
    const atom = text({ min: 1, max: 3 });
    expect(atom.parse("  e\u0301e\u0301e\u0301  ")).toBe("ééé");
    for (const rejected of ["", "   ", "four", "é".repeat(4)]) expect(accepts(atom, rejected)).toBe(false);
  });

  it("gets an error of each kind together", () => {
    const { error } = text({ max: 3 }).safeParse("\0\ud800 and too long");
    expect(error?.issues).toHaveLength(3);
  });

  it("is examined no further if it is much too long, or has more marks than any language", () => {
    const atom = text({ max: 50 });
    const issuesOf = (given: string) => atom.safeParse(given).error?.issues ?? [];
    for (const given of ["\0".repeat(301), "e\u0301".repeat(151)])
      expect(issuesOf(given).map(({ message }) => message)).toEqual(["must have at most 50 characters"]);
    expect(atom.parse(`  e${"\u0316\u0301".repeat(15)}${" ".repeat(100)}`)).toHaveLength(30);
    expect(issuesOf(`\0e${"\u0316\u0301".repeat(15)}\u0301`).map(({ message }) => message)).toEqual([
      "must not have more than 30 combining marks in a row",
    ]);
  });

  it("can have several lines only where its schema permits", () => {
    const lines = "one\r\n\ttwo\nthree";
    expect(multilineText({ max: 100 }).parse(lines)).toBe(lines);
    expect(text({ max: 100 }).parse(lines)).toBe("one two three");
    for (const control of ["\0", "\u0007", "\u001b", "\u007f", "\u0085", "\v"]) {
      expect(accepts(multilineText({ max: 100 }), `a${control}b`), JSON.stringify(control)).toBe(false);
    }
    for (const control of ["\0", "\u0007", "\u001b", "\u007f", "\u0080"])
      expect(accepts(text({ max: 100 }), `a${control}b`), JSON.stringify(control)).toBe(false);
  });
});

describe("numbers", () => {
  it("in a query are plain digits within bounds", () => {
    const atom = integerParameter(-5, 9);
    fc.assert(
      fc.property(fc.integer({ min: -20, max: 20 }), (n) => {
        expect(accepts(atom, String(n))).toBe(n >= -5 && n <= 9);
      }),
    );
    const rejected = [
      "",
      " 1",
      "1 ",
      "1.0",
      "1e0",
      "0x1",
      "+1",
      "１",
      "١",
      "--1",
      "1,0",
      "NaN",
      "Infinity",
      "1_0",
      1,
      null,
      ["1"],
    ];
    for (const value of rejected) expect(accepts(atom, value), JSON.stringify(value)).toBe(false);
    expect(integerParameter(1).parse("9007199254740991")).toBe(9_007_199_254_740_991);
    expect(integerParameter(1).safeParse("9007199254740992").error?.issues).toHaveLength(1);
  });

  it("in a body are JSON numbers, integer and within bounds", () => {
    for (const value of ["1", 1.5, Number.NaN, Infinity, 2 ** 53, true, null, [1]]) {
      expect([accepts(int32, value), accepts(count, value)], String(value)).toEqual([false, false]);
    }
    expect([-(2 ** 31), 2 ** 31 - 1, 0].every((value) => accepts(int32, value))).toBe(true);
    expect([-(2 ** 31) - 1, 2 ** 31].some((value) => accepts(int32, value))).toBe(false);
    expect([accepts(count, 0), accepts(count, -1)]).toEqual([true, false]);
  });

  it("as flags are 0 or 1, and booleans in a query are words", () => {
    expect([0, 1, 2, -1, "1", true, null].map((value) => accepts(flag, value))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(
      ["true", "false", "1", "0", "TRUE", "", "2", true].map((value) => accepts(booleanParameter, value)),
    ).toEqual([true, true, true, true, false, false, false, false]);
    expect(booleanParameter.parse("false")).toBe(false);
  });
});

it("paging reduces a limit to 200, and counts pages", () => {
  expect(pagingFields.limit.parse("200")).toBe(200);
  expect(pagingFields.limit.parse("100000")).toBe(200);
  expect(pagingFields.limit.parse(undefined)).toBe(50);
  expect(pagingFields.page.parse(undefined)).toBe(1);
  expect([0, 1, 50, 51, 101].map((total) => paginationOf({ page: 1, limit: 50 }, total).totalPages)).toEqual([
    0, 1, 1, 2, 3,
  ]);
  expect(offsetOf({ page: 3, limit: 50 })).toBe(100);
  expect(Number.isSafeInteger(offsetOf({ page: 1_000_000_000, limit: 200 }))).toBe(true);
});

describe("times and languages", () => {
  it("a point in time has a zone and exists", () => {
    expect(instant.parse("2026-03-01T14:00:00+02:00")).toBe(Date.UTC(2026, 2, 1, 12));
    for (const value of ["2026-03-01", "2026-03-01T12:00:00", "2026-02-30T00:00:00Z", "now", 0]) {
      expect(accepts(instant, value), String(value)).toBe(false);
    }
    expect(accepts(timestamp, "2026-03-01T12:00:00.000Z")).toBe(true);
    expect(accepts(timestamp, "2026-03-01T12:00:00Z")).toBe(false);
  });

  it("a language code is canonical", () => {
    expect(languageCode.parse(" PT-br ")).toBe("pt-BR");
    for (const value of ["", "english", "en_US", "x-a", "a".repeat(65), 5])
      expect(accepts(languageCode, value)).toBe(false);
  });
});
