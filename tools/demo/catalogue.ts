// The demo's own small catalogue: six languages, five books, not every book in every language.
import type { Booklet, DemoBook, DemoLanguage } from "./book.ts";
import { aWellForEveryone } from "./catalogue/a-well-for-everyone.ts";
import { cleanHands } from "./catalogue/clean-hands.ts";
import { countingStars } from "./catalogue/counting-stars.ts";
import { theBicycleLibrary } from "./catalogue/the-bicycle-library.ts";
import { theSmallestTree } from "./catalogue/the-smallest-tree.ts";

export const demoLanguages: DemoLanguage[] = [
  { code: "en", name: "English", nativeName: "English", direction: "ltr" },
  { code: "es", name: "Spanish", nativeName: "Español", direction: "ltr" },
  { code: "ar", name: "Arabic", nativeName: "العربية", direction: "rtl" },
  { code: "zh", name: "Chinese", nativeName: "中文", direction: "ltr" },
  { code: "hi", name: "Hindi", nativeName: "हिन्दी", direction: "ltr" },
  { code: "fr", name: "French", nativeName: "Français", direction: "ltr" },
];

/** In the order in which they are listed. */
export const demoBooks: DemoBook[] = [
  aWellForEveryone,
  theBicycleLibrary,
  theSmallestTree,
  cleanHands,
  countingStars,
];

/** Every translation of a book together with the direction of its script, ready to be made into files. */
export function createBooklets(book: DemoBook): Booklet[] {
  return book.translations.map((translation) => ({
    ...translation,
    direction: directionOf(translation.languageCode),
  }));
}

function directionOf(languageCode: string): Booklet["direction"] {
  return demoLanguages.find(({ code }) => code === languageCode)?.direction ?? "ltr";
}
