import { describe, expect, it } from "vitest";
import { createBooklets, demoBooks, demoLanguages } from "../../tools/demo/catalogue.ts";

const SCRIPTS: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/gu,
  zh: /\p{Script=Han}/gu,
  hi: /\p{Script=Devanagari}/gu,
};
const translations = demoBooks.flatMap((book) => book.translations);
const textsOf = ({ title, description, paragraphs }: (typeof translations)[number]) => [
  title,
  description,
  ...paragraphs,
];

describe("the demo's catalogue", () => {
  it("has at least five books, all of them in English, under distinct slugs", () => {
    expect(demoBooks.length).toBeGreaterThanOrEqual(5);
    expect(new Set(demoBooks.map(({ slug }) => slug)).size).toBe(demoBooks.length);
    for (const book of demoBooks) {
      expect(book.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(book.translations.find(({ languageCode }) => languageCode === "en")?.title).toBe(book.titleEn);
    }
  });

  it("has six languages, each with a book, and not every book in every language", () => {
    const codes = demoLanguages.map(({ code }) => code);
    expect(codes).toEqual(["en", "es", "ar", "zh", "hi", "fr"]);
    expect(new Set(translations.map(({ languageCode }) => languageCode))).toEqual(new Set(codes));
    expect(translations.length).toBeLessThan(demoBooks.length * codes.length);
  });

  it.each(demoBooks)("translates $slug at most once into a language, paragraph by paragraph", (book) => {
    const codes = book.translations.map(({ languageCode }) => languageCode);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { paragraphs } of book.translations) {
      expect(paragraphs).toHaveLength(book.translations[0]?.paragraphs.length ?? 0);
      expect(paragraphs.length).toBeGreaterThanOrEqual(4);
      expect(paragraphs.length).toBeLessThanOrEqual(8);
    }
  });

  it("is in NFC, without stray spaces or control characters", () => {
    for (const text of translations.flatMap(textsOf)) {
      expect(text).toBe(text.normalize("NFC").trim());
      expect(text).not.toMatch(/[\p{Cc}\p{Co}\p{Cn}]| {2}/u);
    }
  });

  it.each(Object.entries(SCRIPTS))("contains %s only in its own script", (code, script) => {
    for (const text of translations.filter(({ languageCode }) => languageCode === code).flatMap(textsOf)) {
      expect(text).toMatch(script);
      expect(
        text
          .match(/[\p{L}\p{M}]/gu)
          ?.join("")
          .replace(script, "")
          .replace(/\p{M}/gu, ""),
      ).toBe("");
    }
  });

  it("keeps French punctuation on the line of its word", () => {
    for (const text of translations.filter(({ languageCode }) => languageCode === "fr").flatMap(textsOf)) {
      expect(text).not.toMatch(/[^\u00a0][;:!?»]|«[^\u00a0]/);
    }
  });

  it("gives every translation the direction of its language", () => {
    for (const { languageCode, direction } of demoBooks.flatMap(createBooklets)) {
      expect(direction).toBe(languageCode === "ar" ? "rtl" : "ltr");
    }
  });
});
