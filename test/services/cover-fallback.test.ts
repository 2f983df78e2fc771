/** Which cover and which title stand in for those that aren't there. */
import { expect, it } from "vitest";
import type { CoverRow } from "../../src/repositories/covers.repository.ts";
import type { LanguageRow } from "../../src/repositories/languages.repository.ts";
import { coverFor, translationFor } from "../../src/services/covers/public-covers.service.ts";

const times = { createdAt: 1, updatedAt: 1 };

function language(id: number, code: string, parentId: number | null = null): LanguageRow {
  const names = { code, codeKey: code.toLowerCase(), name: code, nativeName: code, customDomain: null };
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
  coverFor(places.map(coverIn), asked, substitutes)?.id;

it("goes from the language to its parent, to the book's own, to English, to any", () => {
  expect(shown([null, english, endo, spanish, mexican], mexican)).toBe("es-MX");
  expect(shown([null, english, endo, spanish], mexican)).toBe("es");
  expect(shown([null, english, endo], mexican)).toBe("own");
  expect(shown([english, endo], mexican)).toBe("en");
  expect(shown([endo], mexican)).toBe("enb");
  expect(shown([], mexican)).toBeUndefined();
});

it("takes no child for its parent", () => {
  expect(shown([english], spanish)).toBe("en");
  expect(shown([english, mexican], spanish)).toBe("en");
});

it("takes any English where there is no plain one, and nothing that only begins like it", () => {
  expect(shown([british, spanish])).toBe("en-GB");
  expect(shown([english, british, spanish])).toBe("en");
  expect(shown([british, endo, spanish].toReversed())).toBe("en-GB");
  expect(shown([spanish, endo])).toBe("es");
});

it("shows only those that may be shown, but that of the language that is inherited from always", () => {
  expect(shown([english, endo], spanish, [endo])).toBe("enb");
  expect(shown([english, endo], spanish, [])).toBeUndefined();
  expect(shown([spanish], mexican, [mexican])).toBe("es");
  expect(shown([null, mexican, spanish], mexican, [])).toBe("es");
  expect(shown([null, mexican], mexican, [])).toBe("own");
});

it("finds the translation of the language, else of its parent, and none where no language is asked for", () => {
  const translation = ({ id, code }: LanguageRow) => {
    const texts = { title: code, description: null, searchText: "" };
    const credits = { authors: "[]", contributors: "[]", publisher: null, license: null, isbn: null };
    return { id: code, bookId: "1", languageId: id, languageCode: code, ...texts, ...credits, ...times };
  };
  const translations = [english, spanish, mexican].map(translation);
  expect(translationFor(translations, mexican)?.title).toBe("es-MX");
  expect(translationFor(translations.slice(0, 2), mexican)?.title).toBe("es");
  expect(translationFor(translations, endo)).toBeUndefined();
  expect(translationFor(translations, undefined)).toBeUndefined();
});
