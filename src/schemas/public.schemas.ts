/** What the public site sees: published books and languages. */
import { z } from "zod";
import { count, identifier, languageCode, searchText, text, timestamp, uuid } from "./atoms.ts";
import { bookCredits, bookCreditsExample, editionCredits, editionCreditsExample } from "./credits.schemas.ts";
import { fileType, knownSize } from "./files.schemas.ts";
import { language } from "./languages.schemas.ts";
import { pagination, pagingFields } from "./queries.ts";

/** Examples of public books and languages. */
const languageNameExample = {
  id: 2,
  code: "es",
  name: "Spanish",
  nativeName: "Español",
  direction: "ltr" as const,
};

const publicBookExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a81",
  slug: "the-deep-well",
  titleEn: "The Deep Well",
  title: "El pozo profundo",
  description: "",
  languageCode: "es",
  coverUrl: "/api/books/the-deep-well/cover?languageCode=es",
  sortOrder: 1,
  languages: ["ar", "es"],
  files: [
    {
      id: "01a1fb60-1a34-772b-a309-dba157e20a83",
      languageCode: "es",
      fileType: "epub" as const,
      fileName: "pozo.epub",
      fileSizeBytes: 48_213,
    },
  ],
  ...bookCreditsExample,
  ...editionCreditsExample,
  publishedAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
};

const NO_EDITION = { contributors: [], publisher: null, license: null, isbn: null };

const publicDetailsExample = {
  ...publicBookExample,
  title: publicBookExample.titleEn,
  languageCode: null,
  coverUrl: "/api/books/the-deep-well/cover",
  ...NO_EDITION,
  translations: [
    {
      languageCode: "ar",
      title: "البئر العميقة",
      description: "",
      direction: "rtl" as const,
      authors: ["آنا نونيث"],
      ...NO_EDITION,
    },
    {
      languageCode: "es",
      title: "El pozo profundo",
      description: "",
      direction: "ltr" as const,
      ...editionCreditsExample,
    },
  ],
};

export const publicBookListQuery = z.object({
  ...pagingFields,
  languageCode: languageCode
    .optional()
    .describe(
      "Limits the result to books published in this language, with titles in this language. Defaults to the language whose custom domain is the request's host; otherwise all languages.",
    ),
  channel: text({ max: 100 })
    .optional()
    .describe("Limits the result to books published on the active channel with this slug."),
  search: searchText
    .optional()
    .describe(
      "Words to find in titles, descriptions, slugs, authors, contributors, publishers, tags, series and ISBNs, ignoring case and accents; every word must occur.",
    ),
});
export type PublicBookListQuery = z.output<typeof publicBookListQuery>;

/** Any well-formed code: one that the catalogue doesn't know falls back to the book's English texts. */
export const publicBookQuery = z.object({
  languageCode: languageCode
    .optional()
    .describe(
      "Language of `title`, `description` and `coverUrl`. Without a translation in this language, they are in its parent language, or else in English.",
    ),
});

export const publicBookParams = z.object({
  slugOrId: identifier.describe("Slug or identifier of the book."),
});

const publicFile = z.object({
  id: uuid.describe("Identifier of the file, for `fileId` in a download request."),
  languageCode: z.string().describe("BCP 47 code of the file's language."),
  fileType: fileType.describe("Format of the file."),
  fileName: z.string().describe("Name of the file, as uploaded or given."),
  fileSizeBytes: knownSize,
});

const publicAuthors = z
  .array(z.string())
  .describe(
    "Names of the authors in the spelling of this language; those of the book if it has none of its own.",
  );

export const publicBook = z
  .object({
    id: uuid.describe("Identifier of the book."),
    slug: z.string().describe("Unique name for URLs."),
    titleEn: z.string().describe("English title."),
    title: z.string().describe("Title in `languageCode`; in English if there is no translation."),
    description: z.string().describe("Description in `languageCode`; in English if there is no translation."),
    languageCode: z
      .string()
      .nullable()
      .describe("BCP 47 code of the language of `title`; null if no language was requested."),
    coverUrl: z.string().describe("Path of the cover on this server. Every published book has one."),
    sortOrder: z.int().describe("Position in lists; lower numbers come first."),
    languages: z.array(z.string()).describe("BCP 47 codes of all languages in which the book is published."),
    files: z
      .array(publicFile)
      .describe("Files that can be downloaded: in `languageCode`, or in all languages."),
    ...bookCredits,
    authors: publicAuthors,
    ...editionCredits("`languageCode`"),
    publishedAt: timestamp.describe(
      "When the book was published: its date, or else when it got the first of its present files, in the requested language or in any.",
    ),
    updatedAt: timestamp.describe("When the book was last changed."),
  })
  .meta({
    id: "PublicBook",
    description: "A published book.",
    example: publicBookExample,
  });
export type PublicBook = z.infer<typeof publicBook>;

export const publicLanguageName = language
  .pick({ id: true, code: true, name: true, nativeName: true, direction: true })
  .meta({ example: languageNameExample });
export type PublicLanguageName = z.infer<typeof publicLanguageName>;

export const publicBookList = z.object({
  books: z.array(publicBook).describe("Books on this page, ordered by `sortOrder`."),
  pagination,
  language: publicLanguageName
    .nullable()
    .describe("Language of the list; null if no language was requested."),
});
export type PublicBookList = z.infer<typeof publicBookList>;

/** One book in all its languages: a public book with each translation. */
export const publicBookDetails = publicBook
  .and(
    z.object({
      translations: z
        .array(
          z.object({
            languageCode: z.string().describe("BCP 47 code of the language."),
            title: z.string().describe("Title in this language."),
            description: z.string().describe("Description in this language."),
            direction: language.shape.direction,
            authors: publicAuthors,
            ...editionCredits("this language"),
          }),
        )
        .describe("The book in each language in which it is published."),
    }),
  )
  .meta({
    id: "PublicBookDetails",
    description: "A published book with its titles in every language.",
    example: publicDetailsExample,
  });
export type PublicBookDetails = z.infer<typeof publicBookDetails>;

export const publicLanguageList = z.object({
  languages: z
    .array(
      publicLanguageName
        .extend({
          parentCode: z
            .string()
            .nullable()
            .describe("BCP 47 code of the parent of a sub-language; null for a language."),
          customDomain: language.shape.customDomain,
          booksCount: count.describe("Number of books published in this language."),
        })
        .meta({
          id: "PublicLanguage",
          description: "A language with published books.",
          example: { ...languageNameExample, parentCode: null, customDomain: null, booksCount: 12 },
        }),
    )
    .describe("Languages with at least one published book."),
});
export type PublicLanguageList = z.infer<typeof publicLanguageList>;
