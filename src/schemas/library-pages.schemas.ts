/** The parameters of the library's pages. */
import { z } from "zod";
import { identifier, rawText, searchText } from "./atoms.ts";
import { campaignQuery } from "./download-requests.schemas.ts";
import { pageNumber } from "./queries.ts";

const code = rawText({ max: 64 }).min(1).describe("BCP 47 code of the language.");
const slug = identifier.describe("Slug of the book.");

export const libraryCodeParams = z.object({ code });
export const libraryBookParams = z.object({ code, slug });
/** The token of a download link; without one, or with one that is too long, the link isn't valid. */
export const libraryReadyQuery = campaignQuery.extend({
  token: z.string().max(2000).default("").describe("Token of the download link."),
});

export const libraryStyleParams = z.object({
  hash: rawText({ max: 64 }).describe("Hash of the style sheet, as pages have it."),
});
export const libraryLogoParams = z.object({
  hash: rawText({ max: 64 }).describe("SHA-256 of the picture, as pages have it."),
});

/** A page carries the parameters of a campaign in its links and forms. */
export const libraryQuery = campaignQuery;

export const libraryListQuery = campaignQuery.extend({
  q: searchText.optional().describe("Words to find, as `search` of `GET /api/books`."),
  page: pageNumber.default(1).describe("Number of the page, starting at 1; each has 24 books."),
  order: z
    .enum(["listed", "newest", "title"])
    .default("listed")
    .describe("Order of the books: as administrators have put them, the newest first, or by title."),
});
