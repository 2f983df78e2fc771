/** The order of fallbacks for covers and titles. */
import { expect, it } from "vitest";
import type { CoverRow } from "../../src/repositories/covers.repository.ts";
import type { LanguageRow } from "../../src/repositories/languages.repository.ts";
import { chooseCover, chooseTranslation } from "../../src/services/covers/cover-choice.ts";

const times = { createdAt: 1, updatedAt: 1 };

function language(id: number, code: string, parentId: number | null = null): LanguageRow {
  const names = {
    code,
    codeKey: code.toLowerCase(),
    name: code,
    nativeName: code,
    customDomain: null,
    emailConfirmation: null,
  };
  return { id, ...names, direction: "ltr", parentId, legacyDownloadCount: 0, isActive: 1, ...times };
}

function coverIn(place: LanguageRow | null): CoverRow {
  const image = { contentType: "image/png", width: 1, height: 1, fileSizeBytes: 1, sha256: "" };
  const languageCode = place?.code ?? null;
  return {
    id: languageCode ?? "own",
    bookId: "1",
    languageId: place?.id ?? null,
    languageCode,
    ...image,
    ...times,
  };
}

const spanish = language(1, "es");
const mexican = language(2, "es-MX", 1);
const english = language(3, "en");
const british = language(4, "en-GB", 3);
const endo = language(5, "enb");
const all = [spanish, mexican, english, british, endo];

/** The code of the cover that is shown. */
const shown = (places: readonly (LanguageRow | null)[], asked?: LanguageRow, substitutes = all) =>
  chooseCover(places.map(coverIn), asked, substitutes)?.id;

it("the fallback goes from the language to its parent, to the default cover, to English, to any", () => {
  expect(shown([null, english, endo, spanish, mexican], mexican)).toBe("es-MX");
  expect(shown([null, english, endo, spanish], mexican)).toBe("es");
  expect(shown([null, english, endo], mexican)).toBe("own");
  expect(shown([english, endo], mexican)).toBe("en");
  expect(shown([endo], mexican)).toBe("enb");
  expect(shown([], mexican)).toBeUndefined();
});

it("the fallback ignores sub-languages of the language", () => {
  expect(shown([english], spanish)).toBe("en");
  expect(shown([english, mexican], spanish)).toBe("en");
});

it("the fallback prefers plain English, then a variant, never `enb`", () => {
  expect(shown([british, spanish])).toBe("en-GB");
  expect(shown([english, british, spanish])).toBe("en");
  expect(shown([british, endo, spanish].toReversed())).toBe("en-GB");
  expect(shown([spanish, endo])).toBe("es");
});

it("the fallback includes only visible covers, except that of an inherited language", () => {
  expect(shown([english, endo], spanish, [endo])).toBe("enb");
  expect(shown([english, endo], spanish, [])).toBeUndefined();
  expect(shown([spanish], mexican, [mexican])).toBe("es");
  expect(shown([null, mexican, spanish], mexican, [])).toBe("es");
  expect(shown([null, mexican], mexican, [])).toBe("own");
});

it("the translation is that of the language, else of its parent, and none if no language is requested", () => {
  const translation = ({ id, code }: LanguageRow) => {
    const texts = { title: code, description: null, searchText: "" };
    const credits = { authors: "[]", contributors: "[]", publisher: null, license: null, isbn: null };
    return { id: code, bookId: "1", languageId: id, languageCode: code, ...texts, ...credits, ...times };
  };
  const translations = [english, spanish, mexican].map(translation);
  expect(chooseTranslation(translations, mexican)?.title).toBe("es-MX");
  expect(chooseTranslation(translations.slice(0, 2), mexican)?.title).toBe("es");
  expect(chooseTranslation(translations, endo)).toBeUndefined();
  expect(chooseTranslation(translations, undefined)).toBeUndefined();
});
