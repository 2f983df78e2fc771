/** Channels through which books are distributed, such as a site, an app or a newsletter. */
import { z } from "zod";
import {
  addressText,
  bookTemplate,
  booleanField,
  count,
  flag,
  flagField,
  int32,
  languageCode,
  multilineText,
  optional,
  recordId,
  rowId,
  success,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
  webAddress,
  withLanguage,
} from "./atoms.ts";
import { dateFields, withDates } from "./dates.ts";
import { rule } from "./error-codes.ts";
import { clearable, creationOf, kept, required, updateOf } from "./fields.ts";
import { language } from "./languages.schemas.ts";
import { csvOptions } from "./queries.ts";

/** A URL, or empty. */
const url = addressText.refine(
  (given) => given === "" || webAddress.safeParse(given).success,
  rule("invalid_format", "must be an http or https URL, or empty"),
);

const name = text({ min: 1, max: 200 });

const campaignField = (part: string) =>
  clearable(text({ min: 1, max: 200 }), null, `The ${part} of the campaign in links of the channel.`);

const channelFields = {
  name: required(name, "Name of the channel in the administration. The slug is derived from the first one."),
  description: clearable(
    multilineText({ max: 2000 }),
    "",
    "Notes for administrators; may contain line breaks.",
  ),
  url: clearable(url, "", "URL of the channel."),
  utmSource: campaignField("source"),
  utmMedium: campaignField("medium"),
  utmCampaign: campaignField("name"),
  bookUrl: clearable(
    bookTemplate,
    null,
    "Address of a book on the channel, with `{slug}` and, if needed, `{language}` and `{channel}`; without it, that of the service.",
  ),
  sortOrder: kept(
    int32,
    "Position in lists; lower numbers come first.",
    "New channels are placed last by default.",
  ),
  isActive: kept(flagField, "1 if the channel is active, 0 if it isn't available in public lists."),
};

export const channelCreation = creationOf(channelFields).meta({
  id: "ChannelCreation",
  description: "A channel to create.",
  example: { name: "Children's site", url: "https://kids.example.org" },
});

export const channelUpdate = updateOf(channelFields).meta({
  id: "ChannelUpdate",
  description: "Fields of a channel to change; omitted fields keep their values.",
  example: { description: "For readers up to twelve.", sortOrder: 2 },
});

export type ChannelCreation = z.output<typeof channelCreation>;
export type ChannelUpdate = z.output<typeof channelUpdate>;

export const channelParams = z.object({ channelId: recordId.describe("Identifier of the channel.") });

const channelExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a90",
  name: "Children's site",
  slug: "childrens-site",
  description: "For readers up to twelve.",
  url: "https://kids.example.org",
  utmSource: "kids",
  utmMedium: null,
  utmCampaign: null,
  bookUrl: "https://kids.example.org/{language}/{slug}",
  sortOrder: 1,
  isActive: 1,
  createdAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
  version: versionExample,
};

export const channel = z
  .object({
    id: uuid.describe("Identifier of the channel."),
    name: z.string().describe("Name of the channel in the administration."),
    slug: z.string().describe("Unique name for URLs, derived from the name at creation; never changes."),
    description: z.string().describe("Notes for administrators."),
    url: z.string().describe("URL of the channel; empty if it has none."),
    utmSource: z.string().nullable().describe("`utm_source` of the links of the channel."),
    utmMedium: z.string().nullable().describe("`utm_medium` of the links of the channel."),
    utmCampaign: z.string().nullable().describe("`utm_campaign` of the links of the channel."),
    bookUrl: z
      .string()
      .nullable()
      .describe("Template of the address of a book on the channel; null if it is that of the service."),
    sortOrder: z.int().describe("Position in lists; lower numbers come first."),
    isActive: flag.describe("1 if the channel is active, 0 if it isn't available in public lists."),
    createdAt: timestamp.describe("When the channel was created."),
    updatedAt: timestamp.describe("When the channel was last changed."),
    version,
  })
  .meta({
    id: "Channel",
    description: "A distribution channel, such as a website or a newsletter.",
    example: channelExample,
  });
export type Channel = z.infer<typeof channel>;

const listedChannel = channel
  .extend({
    publishedBooks: count.describe(
      "Number of books that readers find there in some language, or would find if the channel were active.",
    ),
  })
  .meta({
    id: "ListedChannel",
    description: "A distribution channel, with the number of its books.",
    example: { ...channelExample, publishedBooks: 12 },
  });
export type ListedChannel = z.infer<typeof listedChannel>;

export const channelList = z.object({
  channels: z.array(listedChannel).describe("Active and inactive channels, ordered by `sortOrder`."),
});
export const channelUpdated = success.extend({ channel });

/** Either field identifies the language; both are allowed if they agree. */
export const languageFields = {
  languageId: rowId.optional().describe("Identifier of the language. Send this or `languageCode`."),
  languageCode: languageCode.optional().describe("BCP 47 code of the language. Send this or `languageId`."),
};

export const gapsQuery = z.strictObject(languageFields).refine(...withLanguage());
/** Contains no times, but accepts the options of every export. */
export const matrixExportQuery = withDates(
  z
    .strictObject({ ...languageFields, ...csvOptions, timezone: dateFields.timezone })
    .refine(...withLanguage()),
);
export type GapsQuery = z.output<typeof gapsQuery>;
export type MatrixExportQuery = z.output<typeof matrixExportQuery>;

const channelId = "01a1fb60-1a34-772b-a309-dba157e20a90";
const bookId = "01a1fb60-1a34-772b-a309-dba157e20a81";

export const matrixChannels = z
  .array(
    z.object({
      id: uuid.describe("Identifier of the channel."),
      name: z.string().describe("Name of the channel."),
      slug: z.string().describe("Slug of the channel."),
    }),
  )
  .describe("All channels, in their order.");

export const publicationMatrix = z
  .object({
    channels: matrixChannels,
    books: z
      .array(
        z.object({
          id: uuid.describe("Identifier of the book."),
          titleEn: z.string().describe("English title."),
          sortOrder: z.int().describe("Position in lists; lower numbers come first."),
          publications: z
            .record(z.string(), z.boolean())
            .describe("Whether the book is published on each channel, by the channel's identifier."),
          inherited: z
            .array(uuid)
            .optional()
            .describe(
              "Identifiers of the channels whose publication is inherited from the parent language; only for sub-languages.",
            ),
        }),
      )
      .describe("All active books, in their order."),
  })
  .meta({
    id: "PublicationMatrix",
    description: "Publications of all active books on all channels in a language.",
    example: {
      channels: [{ id: channelId, name: "Children's site", slug: "childrens-site" }],
      books: [{ id: bookId, titleEn: "The Deep Well", sortOrder: 1, publications: { [channelId]: true } }],
    },
  });
export type PublicationMatrix = z.infer<typeof publicationMatrix>;

export const publicationToggle = z
  .strictObject({
    bookId: recordId.describe("Identifier of the book."),
    channelId: recordId.describe("Identifier of the channel."),
    languageId: optional(z.int()).describe("Identifier of the language. Send this or `languageCode`."),
    languageCode: optional(languageCode).describe("BCP 47 code of the language. Send this or `languageId`."),
    isPublished: optional(booleanField).describe(
      "Whether to publish the book on the channel. If omitted, the current state is reversed.",
    ),
  })
  .refine(...withLanguage())
  .meta({
    id: "PublicationToggle",
    atLeastOneOf: ["languageId", "languageCode"],
    description: "A book, a channel and a language, and whether to publish the book there.",
    example: { bookId, channelId, languageCode: "es" },
  });
export type PublicationToggle = z.output<typeof publicationToggle>;

export const publicationToggled = success
  .extend({ isPublished: z.boolean().describe("Whether the book is now published on the channel.") })
  .meta({
    id: "PublicationToggled",
    description: "The state of a publication.",
    example: { success: true, isPublished: true },
  });

const bookName = {
  bookId: uuid.describe("Identifier of the book."),
  slug: z.string().describe("Slug of the book."),
  titleEn: z.string().describe("English title."),
};

export const publicationGaps = z
  .object({
    language: language
      .pick({ id: true, code: true, name: true, isActive: true })
      .describe("The language of the report."),
    notOnAnyChannel: z
      .array(z.object(bookName))
      .describe("Books with a file in the language that no channel publishes."),
    withoutFile: z
      .array(
        z.object({
          ...bookName,
          channels: z.array(z.string()).describe("Slugs of the channels that publish the book."),
        }),
      )
      .describe("Books that channels publish although they have no file in the language."),
    coverage: z
      .array(
        z.object({
          channelId: uuid.describe("Identifier of the channel."),
          name: z.string().describe("Name of the channel."),
          slug: z.string().describe("Slug of the channel."),
          published: count.describe("Number of books that readers find on the channel."),
          publishable: count.describe("Number of books with a file in the language."),
          percent: z
            .number()
            .nullable()
            .describe(
              "`published` as a percentage of `publishable`, rounded down to one decimal; null if `publishable` is 0.",
            ),
        }),
      )
      .describe("Number of available books that each channel publishes."),
  })
  .meta({
    id: "PublicationGaps",
    description: "Gaps in the publications of a language.",
    example: {
      language: { id: 3, code: "ar", name: "Arabic", isActive: 1 },
      notOnAnyChannel: [{ bookId, slug: "the-deep-well", titleEn: "The Deep Well" }],
      withoutFile: [
        {
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a85",
          slug: "the-tall-tree",
          titleEn: "The Tall Tree",
          channels: ["childrens-site"],
        },
      ],
      coverage: [
        {
          channelId,
          name: "Children's site",
          slug: "childrens-site",
          published: 11,
          publishable: 12,
          percent: 91.6,
        },
      ],
    },
  });
export type PublicationGaps = z.infer<typeof publicationGaps>;
