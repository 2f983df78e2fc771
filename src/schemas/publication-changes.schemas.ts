/** Changes of many publications in one request. */
import { z } from "zod";
import { booleanField, count, languageCode, optional, recordId, success } from "./atoms.ts";

export const MAX_PUBLICATION_CHANGES = 10_000;

export const publicationChange = z
  .strictObject({
    bookId: recordId.describe("Identifier of the book."),
    channelId: recordId.describe("Identifier of the channel."),
    languageId: optional(z.int()).describe("Identifier of the language. Send this or `languageCode`."),
    languageCode: optional(languageCode).describe("BCP 47 code of the language. Send this or `languageId`."),
    isPublished: booleanField.describe("Whether the book is to be published on the channel."),
  })
  .meta({
    id: "PublicationChange",
    atLeastOneOf: ["languageId", "languageCode"],
    description: "A book, a channel and a language, and whether the book is to be published there.",
  });
export type PublicationChange = z.output<typeof publicationChange>;

export const publicationChanges = z
  .strictObject({
    changes: z
      .array(publicationChange)
      .min(1)
      .max(MAX_PUBLICATION_CHANGES)
      .describe("The changes, each about another book, channel or language."),
  })
  .meta({
    id: "PublicationChanges",
    description: "Books, channels and languages, and whether to publish the books there.",
    example: {
      changes: [
        {
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
          channelId: "01a1fb60-1a34-772b-a309-dba157e20a90",
          languageCode: "es",
          isPublished: true,
        },
      ],
    },
  });

/** The items are validated one by one: ten thousand would hold the event loop. */
export const publicationChangesEnvelope = publicationChanges.extend({
  changes: z.array(z.unknown()).min(1).max(MAX_PUBLICATION_CHANGES),
});

export const publicationsChanged = success
  .extend({ changed: count.describe("Number of publications that weren't in the requested state before.") })
  .meta({
    id: "PublicationsChanged",
    description: "How many publications have changed.",
    example: { success: true, changed: 1 },
  });
