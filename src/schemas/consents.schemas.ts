/** What readers agree to. */
import { z } from "zod";
import { lineOf } from "../lib/text.ts";
import { booleanField, text, timestamp } from "./atoms.ts";

/** Which text a reader saw. */
export const textVersion = text({ min: 1, max: 100 });

/** The same in a reader's form, which it must not cost: without control characters, cut to 100 characters. */
const formTextVersion = z
  .string()
  .transform((given) => lineOf(given, 100))
  .pipe(z.string().min(1).max(100))
  .meta({ wire: { type: "string", minLength: 1 } });

/** As a form says it, with the version of the text that its page showed. */
export const consentForm = z
  .object({
    marketing: booleanField.describe("Whether the reader agrees to be sent messages."),
    textVersion: formTextVersion.describe("Version of the consent text that the page showed."),
  })
  .meta({
    id: "ConsentForm",
    description: "What the reader agreed to on the form.",
    examples: [{ marketing: true, textVersion: "2026-03" }],
  });
export type ConsentForm = z.output<typeof consentForm>;

/** What counts of all that was stated about a contact; docs/personal-data.md has the rules. */
export const CONSENT_STATES = [
  "none",
  "agreed",
  "declined",
  "withdrawn",
  "conflict",
  "unknown_text",
] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

const statedExample = {
  marketing: true,
  textVersion: "2026-03",
  languageCode: "es",
  givenAt: "2026-03-08T09:30:00.000Z",
} as const;

/** What counts now, with the latest statement. */
export const currentConsent = z
  .object({
    state: z.enum(CONSENT_STATES).meta({
      description:
        "`none`: nothing was stated. `agreed`: the only state that allows marketing. `declined`: said no without ever having agreed. `withdrawn`: said no after a yes, or an administrator recorded a no. `conflict`: a form says yes after a withdrawal; an administrator has to decide. `unknown_text`: said yes to a text version that CONSENT_TEXT_VERSIONS doesn't name.",
    }),
    marketing: z
      .boolean()
      .meta({ description: "Whether marketing is allowed: true in the state `agreed` only." }),
    textVersion: z.string().nullable().meta({
      description: "Version of the text that the latest statement refers to; null if there is none.",
    }),
    languageCode: z
      .string()
      .nullable()
      .meta({ description: "Language in which the latest statement was made; null if there is none." }),
    givenAt: timestamp
      .nullable()
      .meta({ description: "Time of the latest statement; null if there is none." }),
  })
  .meta({
    id: "CurrentConsent",
    description: "What the contact's statements amount to now, with the latest one.",
    examples: [{ state: "agreed", ...statedExample }],
  });
export type CurrentConsent = z.infer<typeof currentConsent>;

export const CONSENT_SOURCES = ["form", "administrator"] as const;

const statementExample = {
  ...statedExample,
  repeatedAt: null,
  source: "form",
  eventId: "42",
  ipAddress: "203.0.113.7",
} as const;

/** A statement in the ledger. */
export const consent = z
  .object({
    marketing: z.boolean().meta({ description: "Whether the statement is a yes." }),
    textVersion: z.string().meta({ description: "Version of the text that the reader saw." }),
    languageCode: z.string().meta({ description: "Language of the download that the form asked for." }),
    givenAt: timestamp.meta({ description: "Time of the statement." }),
    repeatedAt: timestamp.nullable().meta({
      description: "Time at which the same was last stated again, with nothing else in between.",
    }),
    source: z
      .enum(CONSENT_SOURCES)
      .meta({ description: "Whether it came with a form or is an administrator's decision." }),
    eventId: z
      .string()
      .nullable()
      .meta({ description: "Download whose form it came with, as long as that has its reader." }),
    ipAddress: z
      .string()
      .nullable()
      .meta({ description: "Address from which the form came, as IP_STORAGE says." }),
  })
  .meta({
    id: "Consent",
    description: "A recorded answer to the question for consent.",
    examples: [statementExample],
  });
export type Consent = z.infer<typeof consent>;

/** As administrators see it. */
export const recordedConsent = consent
  .extend({
    administrator: z
      .string()
      .nullable()
      .meta({ description: "Name of the administrator who decided; null for what came with a form." }),
  })
  .meta({
    id: "RecordedConsent",
    description: "A recorded statement on marketing, with who made it.",
    examples: [{ ...statementExample, administrator: null }],
  });
export type RecordedConsent = z.infer<typeof recordedConsent>;
