/** Slugs: what titles become, and what every slug promises. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFormerSlug, createSlug, findSlugNumber, numberSlug } from "../../src/lib/slug.ts";
import { anyText } from "../support/any-text.ts";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

describe("createSlug", () => {
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
    ["Guðrún Ŧuoppa Ŋaŋa Ħaġar", "gudrun-tuoppa-nganga-hagar"],
    ["Ɓ ɗ ɖ Ƙ ƴ Ɛ ɔ ǝ ƒ Ɣ ʋ Ɲ", "b-d-d-k-y-e-o-e-f-g-v-ny"],
    ["圣经", "book-cpvk59gg"],
    ["كتاب", "book-2cxzxcu1"],
    ["Математика 1", "1-5hkc6qdl"],
    ["Ərəb", "r-b-20jex0jt"],
    ["Alif ٣", "alif-5qhd63k1"],
    ["?! 🎉", ""],
    ["", ""],
  ])("%j becomes %j", (title, slug) => {
    expect(createSlug(title)).toBe(slug);
  });

  it("cuts at 80 characters and leaves no hyphen at the end", () => {
    expect(createSlug("a".repeat(200))).toBe("a".repeat(80));
    expect(createSlug(`${"a".repeat(79)} b`)).toBe("a".repeat(79));
  });

  it("cuts the readable part, never the hash", () => {
    for (let length = 60; length < 90; length += 1) {
      const slug = createSlug(`${"a".repeat(length)} я`);
      expect(slug).toMatch(/^a+-[a-z0-9]{8}$/);
      expect(slug.length).toBeLessThanOrEqual(80);
    }
    expect(createSlug(`${"a".repeat(70)} b я`)).toMatch(/^a{70}-[a-z0-9]{8}$/);
  });

  it("hashes the title without regard to case and white space alone", () => {
    const slug = createSlug("Война и мир");
    for (const same of [" ВОЙНА\u00a0\u2028И  мир\t", "Война и мир".normalize("NFD")])
      expect(createSlug(same)).toBe(slug);
    for (const other of ["Воина и мир", "Война-и мир", "Войнаимир"]) expect(createSlug(other)).not.toBe(slug);
    const digest = createHash("sha256").update("война и мир").digest("hex");
    expect(slug).toBe(`book-${BigInt(`0x${digest}`).toString(36).slice(0, 8)}`);
  });

  it("begins with another noun for something else than a book", () => {
    expect(createSlug("Радио", "channel")).toMatch(/^channel-[a-z0-9]{8}$/);
    expect(createSlug("Радио 1", "channel")).toMatch(/^1-[a-z0-9]{8}$/);
  });

  it("differs for titles that differ in letters which can't be spelled", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[а-яա-ֆ1-3]{1,6}$/u), { minLength: 2 }), (titles) => {
        expect(new Set(titles.map((title) => createSlug(title))).size).toBe(titles.length);
      }),
    );
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

describe("numberSlug", () => {
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
        for (const [index, one] of numbered.entries()) {
          expect(findSlugNumber(slug, one)).toBe(all[index]);
          expect(one).toMatch(SLUG);
          expect(one.length).toBeLessThanOrEqual(80);
        }
      }),
    );
  });
});

it.each([
  ["Математика 1", "1"],
  ["Ƙarami", "arami"],
  ["Ərəb", "ereb"],
  ["Straße, ẞ", "strasse-ss"],
  ["圣经", ""],
])("createFormerSlug is what the rule before made of %j: %j", (title, slug) => {
  expect(createFormerSlug(title)).toBe(slug);
});
