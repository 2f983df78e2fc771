/** The addresses in letters. */
import { z } from "zod";
import { rawText } from "./atoms.ts";

export const mailKeyParams = z.object({
  key: rawText({ max: 100 }).min(1).describe("Key of the reader, as letters have it."),
});

/** What HTML forms and JSON can say. */
const TRUE: readonly unknown[] = [true, 1, "true", "1", "on"];

export const stopRequest = z
  .object({
    undo: z
      .unknown()
      .transform((given) => TRUE.includes(given))
      .meta({ wire: { type: ["boolean", "integer", "string", "null"] } })
      .optional()
      .describe("`true` allows letters again. A consent that was withdrawn stays withdrawn."),
  })
  .meta({
    id: "StopRequest",
    description: "Whether letters stop or are allowed again. Other fields are ignored.",
    example: { undo: true },
  });
