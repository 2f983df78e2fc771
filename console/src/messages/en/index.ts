/** The English texts. What the API says by code is in its own words in English, so `api.json` isn't loaded. */
import type { LanguageFiles, TextFile } from "../language-files.ts";

export const texts: LanguageFiles = {
  first: import.meta.glob<TextFile>("./start.json", { eager: true, import: "default" }),
  others: import.meta.glob<TextFile>(["./*.json", "!./{start,api}.json"], { import: "default" }),
};
