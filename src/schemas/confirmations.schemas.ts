/** Whether readers confirm that an address is theirs. */
import { z } from "zod";

/** `optional`: a letter asks for it; `required`: nothing is delivered before. */
export const CONFIRMATION_RULES = ["off", "optional", "required"] as const;
export type ConfirmationRule = (typeof CONFIRMATION_RULES)[number];

export const confirmationRule = z.enum(CONFIRMATION_RULES);

/** What the response to a form says of it. */
export const confirmation = z
  .enum(["none", "sent", "required"])
  .optional()
  .describe(
    "Whether the reader confirms the address by a letter: `sent`, and the link works at once, or `required`, and the link works only then. It says the rule of the language, not whether a letter has left. Absent if no language asks for a confirmation (`EMAIL_CONFIRMATION`).",
  );
export type Confirmation = NonNullable<z.infer<typeof confirmation>>;
