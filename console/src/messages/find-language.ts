/** The language of the console: the user's choice, otherwise the browser's where there are texts, otherwise English. */
import { readStored, writeStored } from "../lib/browser-storage.ts";
import { isLanguage, LANGUAGES, type Language } from "./languages.ts";

const STORED = "console.language";

export async function findLanguage(): Promise<Language> {
  const stored = readStored(STORED);
  if (isLanguage(stored)) return stored;
  const wanted = navigator.languages;
  // The rules are needed only where the first one has no texts: most browsers don't load them.
  const first = wanted[0]?.split("-")[0]?.toLowerCase();
  if (isLanguage(first)) return first;
  const { chooseLanguage } = await import("./choose-language.ts");
  const chosen = chooseLanguage(wanted, Object.keys(LANGUAGES));
  return isLanguage(chosen) ? chosen : "en";
}

export const keepLanguage = (language: Language): void => {
  writeStored(STORED, language);
};
