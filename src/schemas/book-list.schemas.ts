/** The list of books in the administration: its filters and orders, and the books with counts. */
import { z } from "zod";
import { parseDateRange } from "../lib/date-range.ts";
import { count, languageCode, searchText, text } from "./atoms.ts";
import { book, bookExample, slug } from "./books.schemas.ts";
import { dateFields, withDates } from "./dates.ts";
import { withCode } from "./error-codes.ts";
import { fileType } from "./files.schemas.ts";
import { csvOptions, pagination, pagingFields } from "./queries.ts";

export const BOOK_SORTS = ["sortOrder", "title", "updatedAt", "createdAt", "downloads"] as const;
export type BookSort = (typeof BOOK_SORTS)[number];

/** What a book can lack in a language. */
export const MISSING_PARTS = ["translation", "file", "cover"] as const;
export type MissingPart = (typeof MISSING_PARTS)[number];

/** Filters by one whole value, without regard to case and accents. */
export const CREDIT_FILTERS = ["tag", "author", "series"] as const;
export type CreditFilter = (typeof CREDIT_FILTERS)[number];

const creditFilter = (what: string) =>
  text({ max: 500 })
    .optional()
    .describe(
      `Limits the result to books with this ${what}: the whole name, without regard to case and accents.`,
    );

/** A day in UTC, or a time; converted to epoch milliseconds. */
const day = text({ max: 40 }).transform((startDate, context) => {
  const result = parseDateRange({ startDate });
  if (result.ok && result.range.from !== undefined) return result.range.from;
  for (const { message, code } of result.ok ? [] : result.errors)
    context.addIssue({ code: "custom", message, params: withCode(code) });
  return z.NEVER;
});

/** Filters and order, the same for the list and its export. */
const bookFilter = {
  status: z
    .enum(["active", "archived", "all"])
    .default("all")
    .describe("Limits the result to active or archived books; `all` returns both."),
  search: searchText
    .optional()
    .describe(
      "Words to find in titles, descriptions, slugs, authors, contributors, publishers, tags, series and ISBNs, ignoring case and accents; every word must occur.",
    ),
  languageCode: languageCode
    .optional()
    .describe("Limits the result to books with a translation or file in this language."),
  sort: z
    .enum(BOOK_SORTS.flatMap((by) => [by, `-${by}` as const]))
    .optional()
    .describe(
      "Order of the books; `-` reverses it. `title` is the English title without regard to case and accents, `downloads` is `totalDownloads`. Books that are equal are ordered by id. The default is `sortOrder`.",
    ),
  publishedIn: languageCode
    .optional()
    .describe("Limits the result to books that readers find in this language."),
  missing: z
    .enum(MISSING_PARTS)
    .optional()
    .describe(
      "Limits the result to books without a translation, an active file or a cover in the language `missingIn` or its parent. `cover` without `missingIn`: books without any cover.",
    ),
  missingIn: languageCode.optional().describe("Language of `missing`; required unless that is `cover`."),
  channel: slug
    .optional()
    .describe(
      "Slug of a channel. Limits the result to books that are published there, in the language `publishedIn` or in any language.",
    ),
  tag: creditFilter("tag"),
  author: creditFilter("author of the book"),
  series: creditFilter("series"),
  updatedSince: day
    .optional()
    .describe(
      "Limits the result to books that were changed since: a day (`YYYY-MM-DD`, from midnight UTC) or an ISO 8601 time with a time zone.",
    ),
};

/** What the rule on them needs. Other errors of a request don't hide that one is missing. */
const missingFields = z.object({
  missing: z.enum(MISSING_PARTS).optional(),
  missingIn: z.string().optional(),
});
const IF_READABLE = {
  when: ({ value }: z.core.ParsePayload) => missingFields.safeParse(value).success,
};

function checkMissing(
  { missing, missingIn }: z.infer<typeof missingFields>,
  context: z.core.$RefinementCtx,
): void {
  const error = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message, params: withCode("missing_language") });
  if (missing !== undefined && missing !== "cover" && missingIn === undefined)
    error("missingIn", `is required with missing=${missing}`);
  if (missing === undefined && missingIn !== undefined) error("missing", "is required with missingIn");
}

export const bookListQuery = z
  .strictObject({ ...pagingFields, ...bookFilter })
  .superRefine(checkMissing, IF_READABLE);
export type BookListQuery = z.output<typeof bookListQuery>;

export const bookExportQuery = withDates(
  z
    .strictObject({ ...bookFilter, ...csvOptions, timezone: dateFields.timezone })
    .superRefine(checkMissing, IF_READABLE),
);
export type BookExportQuery = z.output<typeof bookExportQuery>;
export type BookFilterQuery = Omit<BookListQuery, "page" | "limit">;

/** The columns of the export, in order. */
export const BOOK_COLUMNS = [
  "id",
  "slug",
  "titleEn",
  "sortOrder",
  "isActive",
  "createdAt",
  "updatedAt",
  "authors",
  "tags",
  "series",
  "seriesPosition",
  "translationsCount",
  "filesCount",
  "languages",
  "totalDownloads",
  "publishedLanguages",
  "fileTypes",
  "hasCover",
  "publishAt",
  "unpublishAt",
] as const;

export const adminBook = book
  .extend({
    translationsCount: count.describe("Number of translations."),
    filesCount: count.describe("Number of active files."),
    languages: z
      .array(z.string())
      .describe("BCP 47 codes of the languages in which the book has a translation or file."),
    totalDownloads: count.describe(
      "Sum of `downloadCount` of its files, also of inactive ones: how often a link was used for the first time to download a file of this book, alone or in a ZIP, excluding bots.",
    ),
    publishedLanguages: z
      .array(z.string())
      .describe("BCP 47 codes of the languages in which readers find the book."),
    fileTypes: z.array(fileType).describe("Formats of the active files in all languages."),
    hasCover: z.boolean().describe("Whether the book has a cover in any language, or a default cover."),
  })
  .meta({
    id: "AdminBook",
    description: "A book in the administration, with counts.",
    example: {
      ...bookExample,
      translationsCount: 5,
      filesCount: 9,
      languages: ["ar", "es"],
      totalDownloads: 120,
      publishedLanguages: ["ar", "es"],
      fileTypes: ["epub", "pdf"],
      hasCover: true,
    },
  });
export type AdminBook = z.infer<typeof adminBook>;

export const bookList = z.object({
  books: z.array(adminBook).describe("Books on this page, in the requested order."),
  pagination,
});
