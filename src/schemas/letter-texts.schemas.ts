/** The texts of letters in one language: a part of the texts of readers' pages. */
import { z } from "zod";

const sentence = z.string().trim().min(1).max(500);

/** What the letters of one kind say. */
const letter = z.strictObject({
  /** `{}` is the title of the book, or what the letter is about. */
  subject: sentence,
  text: sentence,
  /** The name of the link. */
  button: sentence,
  /** Below the link. */
  note: sentence,
});

const page = z.strictObject({ heading: sentence, text: sentence });
const pageWithButton = page.extend({ button: sentence });

export const letterTexts = z.strictObject({
  download: letter,
  /** Asks whether the address is the reader's. */
  confirmation: letter,
  /** `{}` is the host of this service. */
  invitation: letter,
  /** After a forgotten password. `{}` is the host of this service. */
  reset: letter,
  /** Before the address of a link that is shown as a text. */
  open: sentence,
  /** `{}` is the host of this service. */
  why: sentence,
  /** The name of the link that stops all letters. */
  stop: sentence,
  /** The page that asks whether letters are to stop, the one after it, and the one after that was taken back. */
  stopPage: pageWithButton,
  stopped: pageWithButton,
  resumed: page,
  /** The page with the button that confirms, and the one after it, with the download. */
  confirmPage: pageWithButton,
  confirmed: pageWithButton,
  /** The page of a link that delivers only after that; its button opens the link again. */
  lookIntoMail: pageWithButton,
  /** Added there if the letter may wait for a limit. */
  delayed: sentence,
});

export type LetterTexts = z.output<typeof letterTexts>;

/** The kinds that have texts of their own. */
export type LetterName = {
  [Name in keyof LetterTexts]: LetterTexts[Name] extends z.output<typeof letter> ? Name : never;
}[keyof LetterTexts];

/** The pages to which letters lead. */
export type LetterPageName = {
  [Name in keyof LetterTexts]: LetterTexts[Name] extends z.output<typeof page> ? Name : never;
}[keyof LetterTexts];
