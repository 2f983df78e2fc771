/** Asks columns as the worker does, for tests of what they answer. */
import { type CountQuestion, createResponse } from "../../src/repositories/event-counts/count-query.ts";
import type { EventColumns } from "../../src/repositories/event-counts/event-columns.ts";
import type { KeyedCounts } from "./counts-by-sql.ts";

export function countInColumns(columns: EventColumns, question: CountQuestion): KeyedCounts[] {
  const { keys, downloads, books, redeemed, contacts } = createResponse(columns, question);
  return keys.map((key, row) => ({
    key,
    downloads: downloads[row] ?? NaN,
    books: books[row] ?? NaN,
    redeemed: redeemed[row] ?? NaN,
    contacts: contacts[row] ?? NaN,
  }));
}
