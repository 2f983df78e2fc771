import { describe, expect, it } from "vitest";
import { clip, layOutTable, measureWidth, padEnd, padStart, wrapItems } from "../../tools/demo/text-width.ts";

describe("displayWidth", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["Español", 7],
    ["e\u0301", 1],
    ["中文", 4],
    ["（，）", 6],
    ["العربية", 7],
    ["أيدٍ", 3],
    ["हिन्दी", 5],
    ["“·…” ✓", 6],
    ["📚", 2],
    ["a\u200bb\u2068c\u2069", 3],
  ])("of %j is %i", (text, cells) => {
    expect(measureWidth(text)).toBe(cells);
  });
});

describe("padding", () => {
  it("counts cells, not characters", () => {
    expect(padEnd("中文", 6)).toBe("中文  ");
    expect(padStart("e\u0301", 3)).toBe("  e\u0301");
    expect(padEnd("too long", 3)).toBe("too long");
  });
});

describe("clip", () => {
  it("keeps text that fits", () => {
    expect(clip("中文", 4)).toBe("中文");
  });

  it("ends with an ellipsis inside the given cells, never within a letter", () => {
    expect(clip("中文字", 5)).toBe("中文…");
    expect(clip("中文字", 4)).toBe("中…");
    expect(clip("ae\u0301iou", 3)).toBe("ae\u0301…");
  });
});

describe("flow", () => {
  it("breaks between items only", () => {
    expect(wrapItems(["one", "two", "three"], " · ", 9)).toEqual(["one · two", "three"]);
    expect(wrapItems(["longer than the line", "b"], " · ", 5)).toEqual(["longer than the line", "b"]);
    expect(wrapItems([], " · ", 9)).toEqual([]);
  });
});

describe("table", () => {
  it("aligns columns by cells", () => {
    const rows = [
      ["5 B", "中文", "x"],
      ["1,234 B", "ar", "y"],
    ];
    expect(layOutTable(rows, ["right", "left", "left"])).toEqual(["    5 B  中文  x", "1,234 B  ar    y"]);
  });
});
