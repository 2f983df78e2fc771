/** Paging: page from 1, limit up to 200, the total and the number of pages. */
import { z } from "zod";
import { count, integerParameter } from "./atoms.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Query fields of a paged list. A limit above the maximum is lowered to it, and the answer says so. */
export const pagingFields = {
  page: integerParameter(1, 1_000_000_000).default(1),
  limit: integerParameter(1)
    .default(DEFAULT_LIMIT)
    .transform((limit) => Math.min(limit, MAX_LIMIT)),
};

export interface Page {
  page: number;
  limit: number;
}

export const pagination = z
  .object({ page: count, limit: count, total: count, totalPages: count })
  .meta({ id: "Pagination", examples: [{ page: 1, limit: 50, total: 120, totalPages: 3 }] });

export type Pagination = z.infer<typeof pagination>;

export const paginationOf = ({ page, limit }: Page, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;
