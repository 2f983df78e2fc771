/** What is known of a book and its editions: authors, tags and series, contributors, publisher, licence and ISBN. */
import { z } from "zod";
import { parseIsbn } from "../lib/isbn.ts";
import { optional, text, trimmedText } from "./atoms.ts";
import { withCode } from "./error-codes.ts";
import { clearable } from "./fields.ts";

const MAX_PEOPLE = 50;
export const MAX_TAGS = 50;
const NONE: never[] = [];
/** Some languages spell out every name and title of a person. */
const personName = text({ min: 1, max: 200 });

const isbn = trimmedText(30)
  .max(30)
  .transform((given, context) => {
    const canonical = given === "" ? given : parseIsbn(given);
    if (canonical !== undefined) return canonical;
    const message = "must be an ISBN-10 or ISBN-13 with a correct check digit, or empty";
    context.addIssue({ code: "custom", message, params: withCode("invalid_isbn") });
    return z.NEVER;
  })
  .meta({ wire: { type: "string", maxLength: 30 } });

/** The series to which a book belongs, in requests. */
export const tagGiven = text({ min: 1, max: 100 });
export const seriesGiven = z.strictObject({
  name: text({ min: 1, max: 300 }).describe("Name of the series."),
  position: optional(z.number().min(0).max(1_000_000)).describe(
    "Position of the book in the series; may have decimals, such as 1.5.",
  ),
});
export type SeriesGiven = z.output<typeof seriesGiven>;

/** The fields of a book in requests. */
export const bookCreditFields = {
  authors: clearable(
    z.array(personName).max(MAX_PEOPLE),
    NONE,
    "Names of the authors, in the order of the title page.",
  ),
  tags: clearable(z.array(tagGiven).max(MAX_TAGS), NONE, "Subjects, genres or other keywords, as written."),
  series: clearable(seriesGiven, null, "Series to which the book belongs."),
};

const contributorGiven = z.strictObject({
  name: personName.describe("Name of the contributor."),
  role: optional(text({ max: 100 })).describe(
    "Role of the contributor, such as `translator` or `illustrator`.",
  ),
});
export type ContributorGiven = z.output<typeof contributorGiven>;

/** The fields of a translation in requests. */
export const translationCreditFields = {
  authors: clearable(
    z.array(personName).max(MAX_PEOPLE),
    NONE,
    "Names of the authors as written in this language. Without them, the authors of the book apply.",
  ),
  contributors: clearable(
    z.array(contributorGiven).max(MAX_PEOPLE),
    NONE,
    "Translators, illustrators and other contributors to this edition.",
  ),
  publisher: clearable(text({ max: 300 }), "", "Publisher of this edition."),
  license: clearable(
    text({ max: 2000 }),
    "",
    "License of this edition: an SPDX identifier such as `CC-BY-4.0`, a URL, or any text, stored as written.",
  ),
  isbn: clearable(
    isbn,
    "",
    "ISBN-10 or ISBN-13 of this edition, with or without hyphens; stored as the 13 digits of the ISBN-13.",
  ),
};

// Responses.

const series = z.object({
  name: z.string().describe("Name of the series."),
  position: z.number().nullable().describe("Position of the book in the series; null if unknown."),
});
export type Series = z.infer<typeof series>;

const contributor = z.object({
  name: z.string().describe("Name of the contributor."),
  role: z.string().describe("Role of the contributor, such as `translator`; empty if unknown."),
});
export type Contributor = z.infer<typeof contributor>;

/** The stored forms of lists and objects, which are JSON. */
export const storedTexts = z.array(z.string());
export const storedContributors = z.array(contributor);
export const storedSeries = series;

/** The fields of a book in responses. */
export const bookCredits = {
  authors: z.array(z.string()).describe("Names of the authors, in the order of the title page."),
  tags: z.array(z.string()).describe("Subjects, genres or other keywords."),
  series: series.nullable().describe("Series to which the book belongs; null if none."),
};

/** The fields of an edition in responses, besides its authors. @param language as descriptions name it */
export const editionCredits = (language: "this language" | "`languageCode`") => ({
  contributors: z
    .array(contributor)
    .describe(`Translators, illustrators and other contributors to the edition in ${language}.`),
  publisher: z.string().nullable().describe(`Publisher of the edition in ${language}; null if unknown.`),
  license: z
    .string()
    .nullable()
    .describe(
      `License of the edition in ${language}: an SPDX identifier, a URL, or any other text; null if unknown.`,
    ),
  isbn: z
    .string()
    .nullable()
    .describe(`ISBN-13 of the edition in ${language}, without hyphens; null if unknown.`),
});

const edition = z.object({ authors: storedTexts, ...editionCredits("this language") });
/** The authors of an edition and its other credits. */
export type Credits = z.infer<typeof edition>;

export const bookCreditsExample = {
  authors: ["Ana Núñez"],
  tags: ["folk tales"],
  series: { name: "Tales of the Village", position: 2 },
};
export const editionCreditsExample = {
  authors: ["Ana Núñez"],
  contributors: [{ name: "Ben Okoro", role: "translator" }],
  publisher: "Village Press",
  license: "CC-BY-4.0",
  isbn: "9783161484100",
};
