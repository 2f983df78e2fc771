/** A book as readers of a language get it. */
import { z } from "zod";
import { languageCode } from "./atoms.ts";
import { publicBook } from "./public.schemas.ts";

export const bookPreviewQuery = z.strictObject({
  languageCode: languageCode.describe("BCP 47 code of the language of the readers."),
});

export const bookPreview = z
  .object({
    book: publicBook
      .nullable()
      .describe("The book as `GET /api/books` lists it in this language; null if readers don't find it."),
    reasons: z
      .array(z.enum(["archived", "language_inactive", "no_file", "hidden", "not_yet", "no_more"]))
      .describe(
        "Why readers don't find the book: it is archived, the language is inactive, there is no active file in the language or its parent, an override hides the book in the sub-language, `publishAt` is in the future (`not_yet`), or `unpublishAt` has passed (`no_more`).",
      ),
    remarks: z
      .array(z.enum(["no_translation", "no_cover"]))
      .describe(
        "Fallbacks that readers see: `no_translation` the English texts, `no_cover` a generated cover.",
      ),
  })
  .meta({
    id: "BookPreview",
    description: "A book as readers of a language get it, or the reasons why they don't.",
    example: { book: null, reasons: ["no_file"], remarks: ["no_translation", "no_cover"] },
  });
export type BookPreview = z.infer<typeof bookPreview>;
