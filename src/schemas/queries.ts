/** Paging: page from 1, limit up to 200, the total and the number of pages. */
import { z } from "zod";
import type { CsvFormat } from "../lib/csv.ts";
import { count, integerParameter, zeroOrOneParameter } from "./atoms.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export const pageNumber = integerParameter(1, 1_000_000_000);

/** Query fields of a paged list. A limit above the maximum is reduced to it, and the response contains the applied value. */
export const pagingFields = {
  page: pageNumber
    .default(1)
    .describe("Number of the page to return, starting at 1. A page past the end is empty."),
  limit: integerParameter(1)
    .default(DEFAULT_LIMIT)
    .transform((limit) => Math.min(limit, MAX_LIMIT))
    .describe("Maximum number of items on a page. Values above 200 are reduced to 200."),
};

export interface Page {
  page: number;
  limit: number;
}

export const pagination = z
  .object({
    page: count.describe("Number of this page, starting at 1."),
    limit: count.describe("Maximum number of items on a page, as applied."),
    total: count.describe("Number of items on all pages."),
    totalPages: count.describe("Number of pages; 0 if the list is empty."),
  })
  .meta({
    id: "Pagination",
    description: "The part of the list that this response contains.",
    example: { page: 1, limit: 50, total: 120, totalPages: 3 },
  });

export type Pagination = z.infer<typeof pagination>;

export const paginationOf = ({ page, limit }: Page, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;

/** Query fields of an export. */
export const csvOptions = {
  bom: zeroOrOneParameter
    .default(true)
    .describe("`0` omits the byte order mark. Excel needs the mark to detect UTF-8."),
  raw: zeroOrOneParameter
    .default(false)
    .describe(
      "`1` turns off the protection against formula injection (an apostrophe before such values). Use it for programs only, not for spreadsheets.",
    ),
  delimiter: z
    .enum(["comma", "semicolon", "tab"])
    .default("comma")
    .describe(
      "Separator between values. Spreadsheets expect a semicolon in locales where the comma is the decimal separator.",
    ),
};

export interface CsvOptions extends CsvFormat {
  bom: boolean;
}
