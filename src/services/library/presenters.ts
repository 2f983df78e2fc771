/** Maps the settings and texts of the library to API objects. */
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { LibraryLogoFacts, LibraryRow, LibraryTextsRow } from "../../repositories/library.repository.ts";
import {
  type Library,
  type LibraryTextsRecord,
  library,
  libraryTexts,
} from "../../schemas/library.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { contactFieldsOf, DEFAULT_SETTINGS, presentLogo } from "./library-reader.ts";
import { chooseTexts, type TextsOfLanguage } from "./library-texts.ts";

export function presentLibrary(row: LibraryRow | undefined, logo: LibraryLogoFacts | undefined): Library {
  const { name, accentColor, lastName, phone, country, offersAll, channelId } = row ?? DEFAULT_SETTINGS;
  return library.encode({
    name,
    accentColor,
    contactFields: contactFieldsOf({ lastName, phone, country }),
    offersAll: offersAll === 1,
    channelId,
    logo: logo ? presentLogo(logo) : null,
    version: versionOf(name, accentColor, lastName, phone, country, offersAll, channelId),
  });
}

export const NO_TEXTS: TextsOfLanguage = {
  name: "",
  introduction: "",
  footer: "",
  about: "",
  privacy: "",
  consent: "",
  consentVersion: "",
};

interface Others {
  /** The languages that stand in, in their order. */
  languages: readonly LanguageRow[];
  rows: readonly LibraryTextsRow[];
  /** Of the library in no language. */
  name: string;
}

export function presentTexts(
  { code }: LanguageRow,
  { name, introduction, footer, about, privacy, consent, consentVersion }: TextsOfLanguage = NO_TEXTS,
  others: Others,
): LibraryTextsRecord {
  const texts = { name, introduction, footer, about, privacy, consent, consentVersion };
  const { languages: _, ...fallback } = chooseTexts(others.languages, others.rows, others.name);
  return libraryTexts.encode({
    languageCode: code,
    ...texts,
    fallback,
    version: versionOf(...Object.values(texts)),
  });
}
