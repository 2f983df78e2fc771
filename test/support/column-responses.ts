/** Asks columns as the worker does, for tests of what they answer. */
import type { Db } from "../../src/db/kysely.ts";
import {
  type CountQuestion,
  type CountResponse,
  createResponse,
} from "../../src/repositories/event-counts/count-query.ts";
import type { EventColumns } from "../../src/repositories/event-counts/event-columns.ts";
import { readCampaigns } from "../../src/repositories/event-counts/event-pages.ts";
import { respondToAll } from "../../src/repositories/event-counts/responses.ts";
import type { KeyedCounts } from "./counts-by-sql.ts";

/** @param db in which the texts of campaigns are */
export async function countAsWorker(
  columns: EventColumns,
  question: CountQuestion,
  db: Db,
): Promise<KeyedCounts[]> {
  const responses = await respondToAll(columns, [question], (ids) => readCampaigns(db, ids));
  return responses.flatMap(rowsOf);
}

export const countInColumns = (...asked: Parameters<typeof createResponse>): KeyedCounts[] =>
  rowsOf(createResponse(...asked));

const rowsOf = ({ keys, downloads, books, redeemed, contacts }: CountResponse): KeyedCounts[] =>
  keys.map((key, row) => ({
    key,
    downloads: downloads[row] ?? NaN,
    books: books[row] ?? NaN,
    redeemed: redeemed[row] ?? NaN,
    contacts: contacts[row] ?? NaN,
  }));
