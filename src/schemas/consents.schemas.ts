/** What readers agree to. */
import { z } from "zod";
import { text, timestamp } from "./atoms.ts";

/** As a form says it, with the version of the text that its page showed. */
export const consentForm = z
  .object({
    marketing: z.boolean().describe("Whether the reader agrees to be sent messages."),
    textVersion: text({ min: 1, max: 100 }).describe("Version of the consent text that the page showed."),
  })
  .meta({
    id: "ConsentForm",
    description: "What the reader agreed to on the form.",
    examples: [{ marketing: true, textVersion: "2026-03" }],
  });
export type ConsentForm = z.output<typeof consentForm>;

/** As it is on record. */
export const consent = z
  .object({
    marketing: z.boolean().describe("Whether the reader agreed to be sent messages."),
    textVersion: z.string().describe("Version of the consent text that the page showed."),
    languageCode: z.string().describe("BCP 47 code of the language of the download with which it was given."),
    givenAt: timestamp.describe("When the reader answered."),
  })
  .meta({
    id: "Consent",
    description: "A recorded answer to the question for consent.",
    examples: [
      { marketing: true, textVersion: "2026-03", languageCode: "es", givenAt: "2026-03-08T09:30:00.000Z" },
    ],
  });
export type Consent = z.infer<typeof consent>;
