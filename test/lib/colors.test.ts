import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, darkenFor, lightenFor, READABLE_CONTRAST } from "../../src/lib/colors.ts";

const LIGHT = "#f5f3ee";
const DARK = "#211f1c";

const color = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("colours that can be read", () => {
  it("has the contrast of the standard", () => {
    expect(contrastOf("#ffffff", "#000000")).toBeCloseTo(21, 5);
    expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.478, 3);
    expect(contrastOf("#1d5f8a", "#1d5f8a")).toBe(1);
  });

  it("makes every colour readable on a light and on a dark background", () => {
    fc.assert(
      fc.property(color, (given) => {
        expect(contrastOf(darkenFor(LIGHT, given), LIGHT)).toBeGreaterThanOrEqual(READABLE_CONTRAST);
        expect(contrastOf(lightenFor(DARK, given), DARK)).toBeGreaterThanOrEqual(READABLE_CONTRAST);
      }),
    );
  });

  it("leaves what can be read, and darkens no more than needed", () => {
    expect(darkenFor(LIGHT, "#1d5f8a")).toBe("#1d5f8a");
    expect(lightenFor(DARK, "#ffcc00")).toBe("#ffcc00");
    const darkened = darkenFor(LIGHT, "#ffcc00");
    expect(contrastOf(darkened, LIGHT)).toBeLessThan(READABLE_CONTRAST + 0.2);
  });

  it("keeps the hue", () => {
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(darkenFor(LIGHT, "#ffcc00").slice(at, at + 2), 16),
    );
    expect(red).toBeGreaterThan(green ?? 0);
    expect(green).toBeGreaterThan(blue ?? 0);
  });
});
