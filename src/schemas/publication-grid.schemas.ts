/** The publication matrix of a language, whole or as pages of a grid. */
import { z } from "zod";
import { flag, integerParameter, searchText, uuid, withLanguage } from "./atoms.ts";
import { languageFields, matrixChannels } from "./channels.schemas.ts";
import { withCode } from "./error-codes.ts";
import { pageNumber, pagination } from "./queries.ts";

const DEFAULT_ROWS = 200;
const MAX_ROWS = 5000;

/** The parameters of pages: the whole matrix has none. */
const gridFields = {
  page: pageNumber
    .optional()
    .describe(
      "Number of the page to return, starting at 1, which is the default. A page past the end is empty. Requires `fields`.",
    ),
  limit: integerParameter(1)
    .optional()
    .describe(
      `Maximum number of books on a page; the default is ${DEFAULT_ROWS}. Values above ${MAX_ROWS} are reduced to ${MAX_ROWS}. Requires \`fields\`.`,
    ),
  search: searchText
    .optional()
    .describe(
      "Words to find in titles, descriptions, slugs, authors, contributors, publishers, tags, series and ISBNs, ignoring case and accents; every word must occur. Requires `fields`.",
    ),
};

export const matrixQuery = z
  .strictObject({
    ...languageFields,
    fields: z
      .literal("published")
      .optional()
      .describe("`published` returns pages of a grid in place of the whole matrix."),
    ...gridFields,
  })
  .refine(...withLanguage())
  .superRefine(
    ({ fields, ...given }, context) => {
      if (fields !== undefined) return;
      for (const name of Object.keys(gridFields))
        if (name in given)
          context.addIssue({
            code: "custom",
            path: [name],
            message: "is a parameter of fields=published only",
            params: withCode("unknown_field"),
          });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .transform(({ page = 1, limit = DEFAULT_ROWS, ...query }) => ({
    ...query,
    page,
    limit: Math.min(limit, MAX_ROWS),
  }));
export type MatrixQuery = z.output<typeof matrixQuery>;

const flags = (what: string) =>
  z.string().describe(`One character for each channel, in the order of \`channels\`: 1 ${what}, 0 if not.`);

export const publicationGrid = z
  .object({
    channels: matrixChannels,
    books: z
      .array(
        z.object({
          bookId: uuid.describe("Identifier of the book."),
          titleEn: z.string().describe("English title."),
          title: z
            .string()
            .optional()
            .describe(
              "Title in the language, or else in its parent; only if the book has a translation there.",
            ),
          titleLanguageCode: z.string().optional().describe("BCP 47 code of the language of `title`."),
          published: flags("if the book is published there, by itself or by the parent language"),
          inherited: flags("if the parent language publishes it there")
            .optional()
            .describe(
              "The same for publications that are inherited from the parent language; only for sub-languages.",
            ),
          own: flags("if the language itself publishes it there")
            .optional()
            .describe(
              "The same for publications of the sub-language itself, which stay when its parent's go; only for sub-languages.",
            ),
          available: flag.describe(
            "1 if the book has an active file in the language or its parent, 0 if not.",
          ),
        }),
      )
      .describe("Active books on this page, in their order."),
    pagination,
  })
  .meta({
    id: "PublicationGrid",
    description: "A page of the publications of active books on all channels in a language.",
    example: {
      channels: [
        { id: "01a1fb60-1a34-772b-a309-dba157e20a90", name: "Children's site", slug: "childrens-site" },
        { id: "01a1fb60-1a34-772b-a309-dba157e20a91", name: "Newsletter", slug: "newsletter" },
      ],
      books: [
        {
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
          titleEn: "The Deep Well",
          title: "El pozo profundo",
          titleLanguageCode: "es",
          published: "10",
          available: 1,
        },
      ],
      pagination: { page: 1, limit: DEFAULT_ROWS, total: 1, totalPages: 1 },
    },
  });
export type PublicationGrid = z.infer<typeof publicationGrid>;
