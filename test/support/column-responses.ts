/** Asks columns as the worker does, for tests of what they answer. */

import { responseTo, taskOf } from "../../src/repositories/event-counts/answers.ts";
import { count, countPart } from "../../src/repositories/event-counts/counts.ts";
import type { EventColumns } from "../../src/repositories/event-counts/event-columns.ts";
import type { CountQuestion } from "../../src/repositories/event-counts/protocol.ts";
import { type CountTask, countTask } from "../../src/repositories/event-counts/task.ts";
import type { KeyedCounts } from "./counts-by-sql.ts";

/** As another thread would get it. */
const byAnother = async (part: CountTask): Promise<unknown> =>
  structuredClone(countPart(countTask.parse(structuredClone(part))));

/** @param uses the other thread, and from how many rows on it counts a half */
export async function responseOf(
  columns: EventColumns,
  question: CountQuestion,
  { ask = byAnother, rowsForTwo = 3 } = {},
): Promise<KeyedCounts[]> {
  const task = taskOf(columns, question);
  const counted = task && (await count(task, ask, rowsForTwo));
  const { keys, downloads, books, redeemed, contacts } = responseTo(columns, question, counted);
  return keys.map((key, row) => ({
    key,
    downloads: downloads[row] ?? NaN,
    books: books[row] ?? NaN,
    redeemed: redeemed[row] ?? NaN,
    contacts: contacts[row] ?? NaN,
  }));
}
