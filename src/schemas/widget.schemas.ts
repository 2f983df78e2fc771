/** The element `<book-library>`: the texts with which it speaks one language. */
import { z } from "zod";
import { libraryTexts } from "./library-texts.schemas.ts";

const sentence = z.string().min(1).max(500);

/** A part of the texts of readers' pages, whose places for values it shares. */
export const widgetTexts = z.object({
  ...libraryTexts.pick({
    languages: true,
    findBook: true,
    count: true,
    wholeLanguage: true,
    allBooks: true,
    noMatch: true,
    noBooks: true,
    emptyLanguage: true,
    chooseLanguage: true,
    privacy: true,
    why: true,
    firstName: true,
    email: true,
    download: true,
    check: true,
    firstNameError: true,
    emailError: true,
    started: true,
  }).shape,
  loading: sentence,
  retry: sentence,
  more: sentence,
  marketing: sentence,
  sending: sentence,
  corrected: sentence,
  /** `{}` is a time. */
  untilTime: sentence,
  /** `{}` is an e-mail address. */
  suggestion: sentence,
  correct: sentence,
  again: sentence,
  expired: sentence,
  offline: sentence,
  /** `{}` is the id of the request. */
  failed: sentence,
  cancel: sentence,
  close: sentence,
  /** For a page that may not read the books; the link to them follows. */
  elsewhere: sentence,
  /** Of a link that delivers once the reader has pressed the button in a letter. */
  mailHeading: sentence,
  mailText: sentence,
  mailButton: sentence,
  busy: sentence,
  unavailable: sentence,
});
export type WidgetTexts = z.output<typeof widgetTexts>;

/** As they are documented: which there are changes with the script, which alone reads them. */
export const anyWidgetTexts = z
  .record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))
  .meta({
    id: "WidgetTexts",
    description:
      "The texts of `<book-library>` in one language, by name; one with a number in it has a form for each plural category. Which there are changes with the script.",
    example: { findBook: "Find a book", count: { one: "1 book", other: "{} books" } },
  });

export type AnyWidgetTexts = z.output<typeof anyWidgetTexts>;

/** A text that is one sentence, not one for each plural form. */
export type Sentence = Exclude<keyof WidgetTexts, "count">;

export const widgetTextsParams = z.object({
  code: z.string().max(35).describe("Code of the language."),
});
