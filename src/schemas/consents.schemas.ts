/** What readers agree to. */
import { z } from "zod";
import { booleanField, text, timestamp } from "./atoms.ts";

/** As a form says it, with the version of the text that its page showed. */
export const consentForm = z
  .object({ marketing: booleanField, textVersion: text({ min: 1, max: 100 }) })
  .meta({ id: "ConsentForm", examples: [{ marketing: true, textVersion: "2026-03" }] });
export type ConsentForm = z.output<typeof consentForm>;

/** As it is on record. */
export const consent = z
  .object({ marketing: z.boolean(), textVersion: z.string(), languageCode: z.string(), givenAt: timestamp })
  .meta({
    id: "Consent",
    examples: [
      { marketing: true, textVersion: "2026-03", languageCode: "es", givenAt: "2026-03-08T09:30:00.000Z" },
    ],
  });
export type Consent = z.infer<typeof consent>;
