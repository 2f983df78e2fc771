/** The order of fallbacks for covers and titles. */
import { expect, it } from "vitest";
import type { CoverRow } from "../../src/repositories/covers.repository.ts";
import type { LanguageRow } from "../../src/repositories/languages.repository.ts";
import { chooseCover } from "../../src/services/covers/cover-choice.ts";

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
