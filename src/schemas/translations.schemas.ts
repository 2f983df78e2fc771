/** Translations of a book: its title and description in another language, and what is known of that edition. */
import { z } from "zod";
import {
  languageCode,
  multilineText,
  optional,
  recordId,
  rowId,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
  withLanguage,
} from "./atoms.ts";
import { editionCredits, editionCreditsExample, translationCreditFields } from "./credits.schemas.ts";
import { clearable, required, upsertOf } from "./fields.ts";

export const title = text({ min: 1, max: 500 });
export const description = multilineText({ max: 10_000 });

/** The fields of a translation besides its language. */
export const translationFields = {
  title: required(title, "Title in this language."),
  description: clearable(description, "", "Description in this language."),
  ...translationCreditFields,
};

export const translationRequest = upsertOf(translationFields)
  .extend({
    languageCode: optional(languageCode).describe("BCP 47 code of the language. Send this or `languageId`."),
    languageId: optional(z.int()).describe("Identifier of the language. Send this or `languageCode`."),
  })
  .refine(...withLanguage())
  .meta({
    id: "TranslationRequest",
    atLeastOneOf: ["languageCode", "languageId"],
    description:
      "A book in one language. Fields other than `title` that are omitted keep the values of an existing translation.",
    example: { languageCode: "es", title: "El pozo profundo", license: "CC-BY-4.0" },
  });
export type TranslationRequest = z.output<typeof translationRequest>;

export const translationParams = z.object({
  bookId: recordId.describe("Identifier of the book."),
  languageId: rowId.describe("Identifier of the language."),
});

export const translation = z
  .object({
    id: uuid.describe("Identifier of the translation."),
    languageId: z.int().describe("Identifier of the language."),
    title: z.string().describe("Title in this language."),
    description: z.string().nullable().describe("Description in this language; null if there is none."),
    languageCode: z.string().describe("BCP 47 code of the language."),
    authors: z
      .array(z.string())
      .describe("Names of the authors as written in this language; empty if the authors of the book apply."),
    ...editionCredits("this language"),
    createdAt: timestamp.describe("When the translation was created."),
    updatedAt: timestamp.describe("When the translation was last changed."),
    version,
  })
  .meta({
    id: "Translation",
    description: "A book in one language.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a82",
      languageId: 2,
      title: "El pozo profundo",
      description: null,
      languageCode: "es",
      ...editionCreditsExample,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: versionExample,
    },
  });
export type Translation = z.infer<typeof translation>;
