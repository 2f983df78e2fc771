/** What a report worker is asked: a statement. The answer is its rows or, if that is wanted, the records of a CSV file. */
import { z } from "zod";

export const reportQuestion = z.object({
  sql: z.string(),
  parameters: z.array(z.unknown()),
  csv: z.object({ raw: z.boolean() }).optional(),
});

export const reportRows = z.array(z.unknown());

/** In UTF-8. */
export const reportRecords = z.instanceof(ArrayBuffer);
