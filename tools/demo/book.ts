// The shapes of the demo's own catalogue: languages, books with their translations, one booklet to print.

export type Direction = "ltr" | "rtl";

export type DemoLanguage = { code: string; name: string; nativeName: string; direction: Direction };

/** One book in one language; the paragraphs are its whole text, plain and in NFC. */
type DemoTranslation = {
  languageCode: string;
  title: string;
  description: string;
  paragraphs: string[];
};

export type DemoBook = {
  titleEn: string;
  slug: string;
  description: string;
  translations: DemoTranslation[];
};

/** What a file is made from: one translation and how it is written. */
export type Booklet = DemoTranslation & { direction: Direction };
