/** The texts of the library that readers of a language see: a missing one is taken from its parent, then from English. */
import { chooseLanguage } from "../../lib/choose-language.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { LibraryTextsRow } from "../../repositories/library.repository.ts";

/** The texts that are missing one by one. A consent and its version are missing together. */
const SINGLE_TEXTS = ["name", "introduction", "footer", "about", "privacy"] as const;

/** What is set in a language. */
export type TextsOfLanguage = Omit<LibraryTextsRow, "languageId" | "updatedAt">;

/** Each text by itself, and the consent, which includes its version. */
type LibraryTextName = (typeof SINGLE_TEXTS)[number] | "consent";

/** The language in which a text is written. */
export interface TextLanguage {
  code: string;
  direction: "ltr" | "rtl";
}

/** Plain texts; empty where there is none in any of the languages. */
export interface LibraryTexts extends Record<LibraryTextName, string> {
  consentVersion: string;
  /** In which language each text is; null for an empty one, and for the name of the library in no language. */
  languages: Readonly<Record<LibraryTextName, TextLanguage | null>>;
}

/**
 * The languages whose texts readers see, in this order.
 * @param code of the language of the page; undefined or unknown: English alone
 */
export function listTextLanguages(all: readonly LanguageRow[], code: string | undefined): LanguageRow[] {
  const own = code === undefined ? undefined : findByCode(all, code);
  const parent = all.find(({ id }) => id === own?.parentId);
  const englishCode = chooseLanguage(
    ["en"],
    all.map((language) => language.code),
  );
  const english = englishCode === undefined ? undefined : findByCode(all, englishCode);
  return [...new Set([own, parent, english])].filter((language) => language !== undefined);
}

const findByCode = (all: readonly LanguageRow[], code: string): LanguageRow | undefined =>
  all.find(({ codeKey }) => codeKey === code.toLowerCase());

/**
 * @param languages in the order in which they are asked
 * @param name of the library in no language, which stands in for a missing one
 */
export function chooseTexts(
  languages: readonly LanguageRow[],
  rows: readonly LibraryTextsRow[],
  name: string,
): LibraryTexts {
  const choose = (field: LibraryTextName) => {
    for (const { id, code, direction } of languages) {
      const row = rows.find(({ languageId }) => languageId === id);
      if (row && row[field] !== "") return { row, language: { code, direction } };
    }
    return undefined;
  };
  const chosen = {
    name: choose("name"),
    introduction: choose("introduction"),
    footer: choose("footer"),
    about: choose("about"),
    privacy: choose("privacy"),
    consent: choose("consent"),
  };
  return {
    name: chosen.name?.row.name ?? name,
    introduction: chosen.introduction?.row.introduction ?? "",
    footer: chosen.footer?.row.footer ?? "",
    about: chosen.about?.row.about ?? "",
    privacy: chosen.privacy?.row.privacy ?? "",
    consent: chosen.consent?.row.consent ?? "",
    consentVersion: chosen.consent?.row.consentVersion ?? "",
    languages: {
      name: chosen.name?.language ?? null,
      introduction: chosen.introduction?.language ?? null,
      footer: chosen.footer?.language ?? null,
      about: chosen.about?.language ?? null,
      privacy: chosen.privacy?.language ?? null,
      consent: chosen.consent?.language ?? null,
    },
  };
}
