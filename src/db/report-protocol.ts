/** What the report worker and its caller say to each other. */
import { z } from "zod";

export const reportQuestion = z.object({
  id: z.int(),
  sql: z.string(),
  parameters: z.array(z.unknown()),
});

export const reportAnswer = z.union([
  z.object({ id: z.int(), rows: z.array(z.unknown()) }),
  z.object({ id: z.int(), fault: z.string() }),
]);

export type ReportAnswer = z.infer<typeof reportAnswer>;
