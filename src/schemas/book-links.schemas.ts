/** Links to a book on the pages of channels, and their QR codes. */
import { z } from "zod";
import { integerParameter, languageCode, uuid } from "./atoms.ts";
import { slug } from "./books.schemas.ts";

const linkLanguage = languageCode.describe("BCP 47 code of the language in which the book is linked.");
const linkChannel = slug.optional().describe("Slug of an active channel.");

export const bookLinksQuery = z.strictObject({
  languageCode: linkLanguage.optional().describe("Limits the result to links in this language."),
  channel: linkChannel.describe("Limits the result to links of the active channel with this slug."),
});
export type BookLinksQuery = z.output<typeof bookLinksQuery>;

export const QR_TYPES = ["image/svg+xml", "image/png"] as const;

export const bookQrQuery = z.strictObject({
  languageCode: linkLanguage,
  channel: linkChannel.describe("Slug of an active channel; without it, the link of no channel."),
  format: z.enum(["svg", "png"]).default("svg").describe("Type of the image."),
  size: integerParameter(128, 2048)
    .default(512)
    .describe(
      "Width and height of a PNG in pixels, of which a code with many squares needs more than the least; an SVG has no size of its own.",
    ),
});
export type BookQrQuery = z.output<typeof bookQrQuery>;

export const bookLinks = z
  .object({
    links: z
      .array(
        z.object({
          channelId: uuid.nullable().describe("Identifier of the channel; null for the link of no channel."),
          channelSlug: z
            .string()
            .nullable()
            .describe("Slug of the channel; null for the link of no channel."),
          languageCode: z.string().describe("BCP 47 code of the language."),
          url: z.string().describe("Address of the book for readers, with the campaign of the channel."),
          qrUrl: z.string().describe("Path of its QR code on this server."),
        }),
      )
      .describe(
        "Links by language, in each first that of no channel, then those of channels in their order.",
      ),
  })
  .meta({
    id: "BookLinks",
    description: "Links to a book for readers, by language and channel.",
    example: {
      links: [
        {
          channelId: "01a1fb60-1a34-772b-a309-dba157e20a90",
          channelSlug: "childrens-site",
          languageCode: "es",
          url: "https://books.example.org/library/es/books/the-deep-well?utm_source=kids",
          qrUrl:
            "/api/admin/books/01a1fb60-1a34-772b-a309-dba157e20a81/qr?languageCode=es&channel=childrens-site",
        },
      ],
    },
  });
export type BookLinks = z.infer<typeof bookLinks>;
