/** Which rows a question is about. */
import { z } from "zod";
import type { EventFilter } from "../download-log.ts";
import type { EventColumns } from "./event-columns.ts";
import { uint8s } from "./number-lists.ts";
import { BOT, DEAD } from "./rows.ts";

export const wordColumn = z.enum(["languages", "countries", "devices"]);
export type WordColumn = z.infer<typeof wordColumn>;

export const countScope = z.object({
  /** Whole seconds, both included. They lie between the first and the last of all. */
  fromSecond: z.int(),
  untilSecond: z.int(),
  /** Epoch milliseconds, half-open, when an end lies within a second. */
  exactly: z.object({ from: z.number(), until: z.number() }).optional(),
  /** Rows with one of these marks are left out. */
  without: z.int(),
  /** Numbers that rows must have in these columns. */
  words: z.array(z.object({ column: wordColumn, number: z.int() })),
  /** By item, 1 for those that count. */
  items: uint8s.optional(),
});
export type CountScope = z.infer<typeof countScope>;

/** Undefined when no row can match. */
export function scopeOf(columns: EventColumns, filter: EventFilter): CountScope | undefined {
  const { from = -Infinity, until = Infinity, bookId } = filter;
  const fromSecond = Math.max(Math.floor(from / 1000), columns.earliest);
  const untilSecond = Math.min(Math.ceil(until / 1000) - 1, columns.latest);
  const words = wordsOf(columns, filter);
  const book = bookId === undefined ? undefined : columns.items.books.find(bookId);
  const isUnknown = words === undefined || (bookId !== undefined && book === undefined);
  if (fromSecond > untilSecond || isUnknown) return undefined;
  const exactly = {
    from: Math.max(from, fromSecond * 1000),
    until: Math.min(until, (untilSecond + 1) * 1000),
  };
  return {
    fromSecond,
    untilSecond,
    exactly: exactly.from % 1000 === 0 && exactly.until % 1000 === 0 ? undefined : exactly,
    without: filter.includeBots ? DEAD : DEAD | BOT,
    words,
    items: book === undefined ? undefined : columns.items.itemsWith(book),
  };
}

/** Undefined when no event ever had such a word. */
function wordsOf(columns: EventColumns, filter: EventFilter): CountScope["words"] | undefined {
  const { languages, countries, devices } = columns;
  const { languageId, countryCode, deviceType } = filter;
  const words: { column: WordColumn; number: number | undefined }[] = [];
  if (languageId !== undefined) words.push({ column: "languages", number: languages.find(languageId) });
  if (countryCode !== undefined) words.push({ column: "countries", number: countries.find(countryCode) });
  if (deviceType !== undefined) words.push({ column: "devices", number: devices.find(deviceType) });
  const known = words.flatMap(({ column, number }) => (number === undefined ? [] : { column, number }));
  return known.length === words.length ? known : undefined;
}
