/** From when on, and until when, readers get a book. */
import { z } from "zod";
import { isoTime, SECOND } from "../lib/time.ts";
import { timestamp } from "./atoms.ts";
import { rule } from "./error-codes.ts";
import { clearable } from "./fields.ts";

/** The years that all databases and languages can write with four digits. What is no time is an error already. */
const isInRange = (value: string): boolean => {
  const time = Date.parse(value);
  return Number.isNaN(time) || (time >= 0 && time < Date.UTC(9999, 0));
};

/**
 * A date to the second, because what is kept for readers is renewed at each. A begin is rounded up and an end down, so that
 * readers get the book for no longer than was meant. Converted to a timestamp as in responses.
 */
const secondOf = (round: (seconds: number) => number) =>
  z.iso
    .datetime({ offset: true })
    .refine(isInRange, rule("invalid_date", "must be between 1970 and 9998"))
    .transform((value) => isoTime(round(Date.parse(value) / SECOND) * SECOND));

export const bookDateFields = {
  publishAt: clearable(
    secondOf(Math.ceil),
    null,
    "From when on readers get the book, with all else that publishes it; rounded up to a second.",
  ),
  unpublishAt: clearable(
    secondOf(Math.floor),
    null,
    "From when on readers don't get the book any more: later than `publishAt`; rounded down to a second.",
  ),
};

export const bookDates = {
  publishAt: timestamp.nullable().describe("From when on readers get the book; null if it has no begin."),
  unpublishAt: timestamp
    .nullable()
    .describe("From when on readers don't get the book any more; null if it has no end."),
};
