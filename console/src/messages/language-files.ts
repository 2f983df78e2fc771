/** What the index of a language's folder has. */
import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";

export type Text = string | MessageFormatElement[];
export type TextFile = Readonly<Record<string, Text>>;

/** The files of a language, by their paths in its folder. */
export interface LanguageFiles {
  /** What the console begins with. */
  first: Readonly<Record<string, TextFile>>;
  others: Readonly<Record<string, () => Promise<TextFile>>>;
}
