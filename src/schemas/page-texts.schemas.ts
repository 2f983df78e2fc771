/** The texts of readers' pages in one language: those of the service, and the operator's in the data folder. */
import { z } from "zod";
import { letterTexts } from "./letter-texts.schemas.ts";
import { libraryTexts } from "./library-texts.schemas.ts";

const sentence = z.string().trim().min(1).max(500);
const page = z.strictObject({ heading: sentence, text: sentence });

export const pageTexts = z.strictObject({
  expired: page,
  unknown: page,
  unavailable: page,
  busy: page,
  failed: page,
  form: page,
  /** A form on a site that may not use this service. */
  foreignSite: page,
  /** The text of the button that renews an expired link. */
  renew: sentence,
  /** Shown when the button has been clicked. Files of operators that are older than this text lack it. */
  begins: sentence.optional(),
  /** What the reader can do if a page doesn't help. */
  again: sentence,
  /** The text of the link to the public site. */
  back: sentence,
  /** The label of the request's id. Files of operators that are older than this text lack it. */
  reference: sentence.optional(),
  /** Errors in the fields of the form. */
  fields: z.strictObject({
    email: sentence,
    firstName: sentence,
    /** The form's charset is unknown. Files of operators that are older than this text lack it. */
    letters: sentence.optional(),
    other: sentence,
  }),
  /** Files of operators that are older than the library lack it: its pages are then in another language. */
  library: libraryTexts.optional(),
  /** Files of operators that are older than letters lack it: letters are then in another language. */
  letters: letterTexts.optional(),
  /** What `<book-library>` says besides: src/schemas/widget.schemas.ts. A language without one of them isn't its own. */
  site: z.record(z.string(), sentence).optional(),
});

export type PageTexts = z.output<typeof pageTexts>;
