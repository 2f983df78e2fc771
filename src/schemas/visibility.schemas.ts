/** The books of a sub-language, and the overrides that show or hide them there. */
import { z } from "zod";
import { booleanField, recordId, success, uuid } from "./atoms.ts";
import { language } from "./languages.schemas.ts";

/** As many as a body holds, and as one transaction writes within 50 ms. */
const MAX_OVERRIDES = 5_000;

const overrideMeta = {
  description:
    "`false` hides the book in this language, `true` says that it is to be shown, `null` leaves it to what is inherited. None of them shows a book of which there is no file.",
};
const bookOverride = z.boolean().nullable().meta(overrideMeta);
/** Here `null` is a value of its own. */
const givenOverride = booleanField.nullable().meta(overrideMeta);

export const bookOverrides = z
  .strictObject({
    overrides: z
      .array(
        z.strictObject({ bookId: recordId.describe("Identifier of the book."), isVisible: givenOverride }),
      )
      .min(1)
      .max(MAX_OVERRIDES)
      .describe("Books and their new overrides. Other books keep theirs."),
  })
  .meta({
    id: "SubLanguageBookOverrides",
    description: "Overrides to set, all or none.",
    examples: [{ overrides: [{ bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", isVisible: false }] }],
  });
export type BookOverrides = z.output<typeof bookOverrides>;

export const subLanguageBook = z
  .object({
    bookId: uuid.describe("Identifier of the book."),
    slug: z.string().describe("Slug of the book."),
    titleEn: z.string().describe("English title."),
    isVisible: z.boolean().meta({
      description:
        "Whether readers find the book in this language: whether `GET /api/books` lists it with the language's code. A book without an active file here or in the parent isn't found, whatever its override, and none is while the language is switched off.",
    }),
    override: bookOverride,
    inherited: z
      .boolean()
      .meta({ description: "Whether there is no override, so that the parent's counts." }),
  })
  .meta({
    id: "SubLanguageBookOverride",
    description: "A book in a sub-language, and whether it is shown there.",
    examples: [
      {
        bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
        slug: "the-deep-well",
        titleEn: "The Deep Well",
        isVisible: false,
        override: false,
        inherited: false,
      },
    ],
  });
export type SubLanguageBook = z.infer<typeof subLanguageBook>;

export const subLanguageBooks = z.object({
  language,
  books: z.array(subLanguageBook).describe("All active books, in their order."),
});
export const subLanguageBooksUpdated = success.extend({
  books: z.array(subLanguageBook).describe("Books of the request, as they are now."),
});
