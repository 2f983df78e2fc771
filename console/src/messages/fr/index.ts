/** The French texts. */
import type { LanguageFiles, TextFile } from "../language-files.ts";

export const texts: LanguageFiles = {
  first: import.meta.glob<TextFile>("./{start,api}.json", { eager: true, import: "default" }),
  others: import.meta.glob<TextFile>(["./*.json", "!./{start,api}.json"], { import: "default" }),
};
