import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { formatDuration, Report, StepFailed } from "../../tools/demo/print.ts";
import { measureWidth } from "../../tools/demo/text-width.ts";

function recorded() {
  const written: string[] = [];
  const report = new Report((text) => written.push(text), 100);
  return { report, lines: () => stripVTControlCharacters(written.join("")).split("\n").slice(0, -1) };
}

describe("Report", () => {
  it("prints a step on one line, its details below, and returns its value", async () => {
    const { report, lines } = recorded();
    const value = await report.step("Count", async () => ({
      result: "three",
      details: ["1", "2"],
      value: 3,
    }));
    expect(value).toBe(3);
    expect(lines()[0]).toMatch(/^ {2}✓ Count {2,}three {2,}[\d.]+ ms$/);
    expect(lines().slice(1)).toEqual(["    1", "    2"]);
    expect(report.failed).toBe(0);
  });

  it("ends the lines of all steps in the same cell, regardless of the script", async () => {
    const { report, lines } = recorded();
    for (const result of ["plain", "中文", "هنا", "हिन्दी"]) {
      await report.step("Step", async () => ({ result, value: undefined }));
    }
    expect(new Set(lines().map(measureWidth))).toEqual(new Set([100]));
  });

  it("continues a long result on the next lines and cuts nothing", async () => {
    const { report, lines } = recorded();
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`);
    await report.step("Step", async () => ({ result: words.join(" "), value: undefined }));
    const [first = "", ...further] = lines();
    expect(measureWidth(first)).toBe(100);
    expect(further.length).toBeGreaterThan(2);
    for (const line of further) expect(line.search(/\S/)).toBe(first.indexOf("word0"));
    expect(further.filter((line) => measureWidth(line) > 100)).toEqual([]);
    expect(
      lines()
        .join(" ")
        .match(/word\d+/g),
    ).toEqual(words);
  });

  it("prints a failed step with its reasons and throws", async () => {
    const { report, lines } = recorded();
    const cause = new Error("refused", { cause: new Error("port closed") });
    const step = report.step("Connect", () => Promise.reject(cause));
    await expect(step).rejects.toThrow(StepFailed);
    expect(lines()[0]).toMatch(/^ {2}✗ Connect {2,}failed/);
    expect(lines().slice(1)).toEqual(["    refused", "    port closed"]);
    expect(report.failed).toBe(1);
  });

  it("prints a summary", async () => {
    const { report, lines } = recorded();
    await report.step("One", async () => ({ result: "", value: undefined }));
    report.summary();
    expect(lines().at(-1)).toMatch(/^ All passed: 1 step in [\d.]+ ms$/);
    await report.step("Two", () => Promise.reject(new Error("no"))).catch(() => undefined);
    report.summary();
    expect(lines().at(-1)).toMatch(/^ 1 of 2 steps failed, in [\d.]+ ms$/);
  });

  it("prints nothing once muted", async () => {
    const { report, lines } = recorded();
    report.mute();
    report.heading("Nothing");
    await report.step("Quiet", async () => ({ result: "", value: undefined }));
    expect(lines()).toEqual([]);
  });
});

describe("duration", () => {
  it.each([
    [0.04, "0.0 ms"],
    [9.96, "10.0 ms"],
    [99.97, "100.0 ms"],
    [100, "100 ms"],
    [1234.5, "1,235 ms"],
  ])("of %d is %s", (milliseconds, shown) => {
    expect(formatDuration(milliseconds)).toBe(shown);
  });
});
