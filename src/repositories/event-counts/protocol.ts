/** What the worker of the counts and its caller say to each other. */
import { z } from "zod";
import type { EventFilter } from "../exports/download-log.ts";
import { float64s } from "./growing-lists.ts";

const filter = z.object({
  from: z.number().optional(),
  until: z.number().optional(),
  languageId: z.int().optional(),
  bookId: z.string().optional(),
  countryCode: z.string().optional(),
  deviceType: z.string().optional(),
  includeBots: z.boolean(),
}) satisfies z.ZodType<EventFilter>;

const countQuestion = z.discriminatedUnion("by", [
  z.object({ by: z.enum(["everything", "language", "country", "device", "book"]), filter }),
  // The starts of periods in epoch milliseconds, ascending, and in the end that of the last one.
  z.object({ by: z.literal("period"), filter, starts: float64s }),
]);
export type CountQuestion = z.infer<typeof countQuestion>;

export const countQuestions = z.array(countQuestion);

/** Columns: the n-th of each belong together. */
const countResponse = z.object({
  keys: z.array(z.unknown()),
  downloads: float64s,
  books: float64s,
  redeemed: float64s,
  contacts: float64s,
});
export type CountResponse = z.infer<typeof countResponse>;

export const countResponses = (count: number) => z.array(countResponse).length(count);
