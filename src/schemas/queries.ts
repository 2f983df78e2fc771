/** Paging: page from 1, limit up to 200, the total and the number of pages. */
import { z } from "zod";
import type { CsvFormat } from "../lib/csv.ts";
import { count, integerParameter, zeroOrOneParameter } from "./atoms.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Query fields of a paged list. A limit above the maximum is lowered to it, and the answer says so. */
export const pagingFields = {
  page: integerParameter(1, 1_000_000_000)
    .default(1)
    .describe("Page to return, counted from 1. A page past the end is empty."),
  limit: integerParameter(1)
    .default(DEFAULT_LIMIT)
    .transform((limit) => Math.min(limit, MAX_LIMIT))
    .describe("Number of items on a page. Values above 200 are lowered to 200."),
};

export interface Page {
  page: number;
  limit: number;
}

export const pagination = z
  .object({
    page: count.describe("Number of this page, counted from 1."),
    limit: count.describe("Number of items on a full page; the value that was applied."),
    total: count.describe("Number of items on all pages."),
    totalPages: count.describe("Number of pages; 0 when the list is empty."),
  })
  .meta({
    id: "Pagination",
    description: "Which part of the whole list this response contains.",
    examples: [{ page: 1, limit: 50, total: 120, totalPages: 3 }],
  });

export type Pagination = z.infer<typeof pagination>;

export const paginationOf = ({ page, limit }: Page, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;

// How a caller wants CSV.

/** Query fields of an export. */
export const csvOptions = {
  bom: zeroOrOneParameter
    .default(true)
    .describe("`0` leaves out the byte order mark, without which Excel doesn't read UTF-8."),
  raw: zeroOrOneParameter
    .default(false)
    .describe(
      "`1` leaves out the apostrophe before what a spreadsheet would run as a formula: for programs.",
    ),
  delimiter: z
    .enum(["comma", "semicolon", "tab"])
    .default("comma")
    .describe(
      "What stands between the cells. Spreadsheets expect a semicolon where the comma is the decimal sign.",
    ),
};

export interface CsvOptions extends CsvFormat {
  bom: boolean;
}
