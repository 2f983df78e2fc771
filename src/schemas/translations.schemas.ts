/** Translations of a book's title and description. */
import { z } from "zod";
import {
  identifier,
  integerParameter,
  languageCode,
  MAX_INT32,
  multilineText,
  optional,
  text,
  timestamp,
} from "./atoms.ts";

export const translationRequest = z
  .strictObject({
    languageCode: optional(languageCode),
    languageId: optional(z.int()),
    title: text({ min: 1, max: 500 }),
    description: optional(multilineText({ max: 10_000 })),
  })
  .meta({ id: "TranslationRequest", examples: [{ languageCode: "es", title: "El pozo profundo" }] });
export type TranslationRequest = z.output<typeof translationRequest>;

export const translationParams = z.object({
  bookId: identifier,
  languageId: integerParameter(1, MAX_INT32),
});

export const translation = z
  .object({
    id: z.string(),
    languageId: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    languageCode: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: "Translation",
    examples: [
      {
        id: "01a1fb60-1a34-772b-a309-dba157e20a82",
        languageId: 2,
        title: "El pozo profundo",
        description: null,
        languageCode: "es",
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    ],
  });
export type Translation = z.infer<typeof translation>;
