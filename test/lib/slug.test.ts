/** Slugs: what titles become, and what every slug promises. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlug, numberSlug } from "../../src/lib/slug.ts";
import { anyText } from "../support/any-text.ts";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

describe("slugOf", () => {
  it.each([
    ["The Way of Happiness", "the-way-of-happiness"],
    ["  --Hello,   World!-- ", "hello-world"],
    ["Élan vital: Çà & là", "elan-vital-ca-la"],
    ["Let’s read! Don't stop", "lets-read-dont-stop"],
    ["Hawaiʻi", "hawaii"],
    ["İstanbul", "istanbul"],
    ["ﬁve ① Ｆｕｌｌ", "five-1-full"],
    ["1984", "1984"],
    ["A/B\\C.D_E", "a-b-c-d-e"],
    ["Straße, ẞ", "strasse-ss"],
    ["Æsop & Œuvre", "aesop-oeuvre"],
    ["Søren Łódź Đàn ılık Þór", "soren-lodz-dan-ilik-thor"],
    ["圣经", ""],
    ["كتاب", ""],
    ["", ""],
  ])("%j becomes %j", (title, slug) => {
    expect(createSlug(title)).toBe(slug);
  });

  it("cuts at 80 characters and leaves no hyphen at the end", () => {
    expect(createSlug("a".repeat(200))).toBe("a".repeat(80));
    expect(createSlug(`${"a".repeat(79)} b`)).toBe("a".repeat(79));
  });

  it("is empty or well-formed, at most 80 characters, and its own slug, for any title", () => {
    fc.assert(
      fc.property(anyText, (title) => {
        const slug = createSlug(title);
        expect(slug === "" || SLUG.test(slug)).toBe(true);
        expect(slug.length).toBeLessThanOrEqual(80);
        expect(createSlug(slug)).toBe(slug);
      }),
    );
  });

  it("is independent of the encoding of accents and the case of letters", () => {
    fc.assert(
      fc.property(anyText, (title) => {
        expect(createSlug(title.normalize("NFD"))).toBe(createSlug(title.normalize("NFC")));
      }),
    );
    expect(createSlug("ÉLAN")).toBe(createSlug("e\u0301lan"));
  });
});

describe("numberedSlug", () => {
  it("appends the number", () => {
    expect(numberSlug("my-book", 2)).toBe("my-book-2");
    expect(numberSlug("my-book", 10)).toBe("my-book-10");
  });

  it("shortens the slug so that the number fits into 80 characters", () => {
    expect(numberSlug("a".repeat(80), 2)).toBe(`${"a".repeat(78)}-2`);
    expect(numberSlug(`${"a".repeat(77)}-bb`, 2)).toBe(`${"a".repeat(77)}-2`);
  });

  it("gives a unique well-formed slug for each number", () => {
    const slugs = fc.stringMatching(/^[a-z0-9]{1,40}(-[a-z0-9]{1,39})?$/);
    const numbers = fc.uniqueArray(fc.integer({ min: 2, max: 1_000_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(slugs, numbers, (slug, all) => {
        const numbered = all.map((n) => numberSlug(slug, n));
        expect(new Set(numbered).size).toBe(all.length);
        for (const one of numbered) {
          expect(one).toMatch(SLUG);
          expect(one.length).toBeLessThanOrEqual(80);
        }
      }),
    );
  });
});
