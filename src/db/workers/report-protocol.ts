/** What a report worker is asked: a statement. The answer is its rows or, if that is wanted, the records of a CSV file. */
import { z } from "zod";

const recordsOptions = z.object({
  /** Whether text that a spreadsheet would run goes out as it is. */
  raw: z.boolean(),
  delimiter: z.enum(["comma", "semicolon", "tab"]),
  /** IANA name of the zone in which times are; UTC without one. */
  timezone: z.string().optional(),
  /** Whether the statement's last row is the first record. */
  isLastFirst: z.boolean(),
});
export type RecordsOptions = z.output<typeof recordsOptions>;

export const reportQuestion = z.object({
  sql: z.string(),
  parameters: z.array(z.unknown()),
  csv: recordsOptions.optional(),
});

export const reportRows = z.array(z.unknown());

/** In UTF-8. */
export const reportRecords = z.instanceof(ArrayBuffer);
