/** Texts of one line: what counts as a space, and what is dropped at the ends. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toLine, toOneLine } from "../../src/lib/one-line.ts";
import { anyText } from "../support/any-text.ts";

describe("toOneLine", () => {
  it.each([
    ["Ana\tMaría", "Ana María"],
    ["Ana\n", "Ana"],
    ["The Well\r\n", "The Well"],
    ["The\r\nWell", "The Well"],
    ["\u00a0The\u00a0Well\u2028", "The Well"],
    ["The\u2028Well\u2029", "The Well"],
    ["a\vb\fc\u0085d", "a b c d"],
    ["数学\u3000一", "数学 一"],
    ["\ufeffAna", "Ana"],
    ["Ana\u200b", "Ana"],
    ["\u200e Ana \u200f", "Ana"],
    ["\u202aAna\u202c", "Ana"],
    ["\u2068Ana\u2069", "Ana"],
    ["\u2060Ana\u2066", "Ana"],
    ["\u061cسارة\u00ad", "سارة"],
    ["\u180eAna\u2061\u206f", "Ana"],
  ])("%j is %j", (given, line) => expect(toOneLine(given)).toBe(line));

  it.each([
    "two  spaces",
    "می\u200cخواهم",
    "👨\u200d👩\u200d👧",
    "a\u200bb",
    "അവന്\u200d",
    "ক্\u200d",
    "ක්\u200d",
    "tab\0less",
  ])("%j stays as it is", (text) => expect(toOneLine(text)).toBe(text));

  it.each(["\u200b", "\u200b \u2060", "\u3164", "\u00ad\u034f", "\u2800 \u2800", " \t\n"])(
    "%j is empty",
    (text) => expect(toOneLine(text)).toBe(""),
  );

  it("is its own result, and takes time in proportion to the length", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toOneLine(toOneLine(text))).toBe(toOneLine(text));
      }),
    );
    const started = performance.now();
    for (const part of [" ", "\t", " \t", "\u200b", "\u200b ", "\u094d\u200d"])
      toOneLine(`a${part.repeat(100_000)}b${part.repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

it("a line that must never be rejected has white space and invisible characters removed in the same way", () => {
  expect(toLine("\u200bspring\u00a0\u2028 2026\u0007\u200e", 200)).toBe("spring 2026");
});
