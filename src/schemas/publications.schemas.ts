/** Publications: which books are on which channels in a language, and where that has gaps. */
import { z } from "zod";
import {
  booleanField,
  count,
  flag,
  identifier,
  integerParameter,
  languageCode,
  MAX_INT32,
  optional,
  success,
} from "./atoms.ts";
import { csvOptions } from "./csv.schemas.ts";
import { dateFields, withDates } from "./dates.ts";

/** One of the two names the language; both, when they name the same. */
const languageFields = {
  languageId: integerParameter(1, MAX_INT32).optional(),
  languageCode: languageCode.optional(),
};

export const matrixQuery = z.strictObject(languageFields);
/** Has no times, but takes the options of every export. */
export const matrixExportQuery = withDates(
  z.strictObject({ ...languageFields, ...csvOptions, timezone: dateFields.timezone }),
);
export type MatrixQuery = z.output<typeof matrixQuery>;
export type MatrixExportQuery = z.output<typeof matrixExportQuery>;

const channelId = "01a1fb60-1a34-772b-a309-dba157e20a90";
const bookId = "01a1fb60-1a34-772b-a309-dba157e20a81";

export const publicationMatrix = z
  .object({
    channels: z.array(z.object({ id: z.string(), name: z.string(), slug: z.string() })),
    books: z.array(
      z.object({
        id: z.string(),
        titleEn: z.string(),
        sortOrder: z.int(),
        publications: z.record(z.string(), z.boolean()),
        inherited: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({
    id: "PublicationMatrix",
    examples: [
      {
        channels: [{ id: channelId, name: "Children's site", slug: "childrens-site" }],
        books: [{ id: bookId, titleEn: "The Deep Well", sortOrder: 1, publications: { [channelId]: true } }],
      },
    ],
  });
export type PublicationMatrix = z.infer<typeof publicationMatrix>;

export const publicationToggle = z
  .strictObject({
    bookId: identifier,
    channelId: identifier,
    languageId: optional(z.int()),
    languageCode: optional(languageCode),
    isPublished: optional(booleanField),
  })
  .meta({ id: "PublicationToggle", examples: [{ bookId, channelId, languageCode: "es" }] });
export type PublicationToggle = z.output<typeof publicationToggle>;

export const publicationToggled = success
  .extend({ isPublished: z.boolean() })
  .meta({ id: "PublicationToggled", examples: [{ success: true, isPublished: true }] });

const bookName = { bookId: z.string(), slug: z.string(), titleEn: z.string() };

export const publicationGaps = z
  .object({
    language: z.object({ id: z.int(), code: z.string(), name: z.string(), isActive: flag }),
    notOnAnyChannel: z.array(z.object(bookName)),
    withoutFile: z.array(z.object({ ...bookName, channels: z.array(z.string()) })),
    coverage: z.array(
      z.object({
        channelId: z.string(),
        name: z.string(),
        slug: z.string(),
        published: count,
        publishable: count,
        percent: z.number().nullable(),
      }),
    ),
  })
  .meta({
    id: "PublicationGaps",
    examples: [
      {
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
    ],
  });
export type PublicationGaps = z.infer<typeof publicationGaps>;
