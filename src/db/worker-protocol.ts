/** What a worker thread and its caller say to each other: each question has a number, and gets an answer or a fault. */
import { z } from "zod";

export const numberedQuestion = z.object({ id: z.int(), question: z.unknown() });

export const numberedAnswer = z.union([
  z.object({ id: z.int(), fault: z.string(), code: z.string().optional() }),
  z.object({ id: z.int(), answer: z.unknown() }),
]);

export type NumberedAnswer = z.infer<typeof numberedAnswer>;
