/** Consents of readers. */
import { z } from "zod";
import { toLine } from "../lib/one-line.ts";
import { text, timestamp } from "./atoms.ts";

/** The version of the text that a reader saw. */
export const textVersion = text({ min: 1, max: 100 });

// In readers' forms a consent is never an error: it must cost no reader the book.

/** What sites send for yes, and what check boxes have as their value; in any case. */
const YES = new Set(["1", "true", "on", "yes", "y"]);
export const YES_WORDS = [...YES].map((word) => `\`${word}\``).join(", ");

/** What isn't understood is no. */
export const formMarketing = z.unknown().transform((given) => isText(given) && YES.has(toWord(given)));

/** Without control characters, truncated to 100 characters; undefined if nothing is left. */
export const formTextVersion = z
  .unknown()
  .transform((given) => (isText(given) ? toLine(String(given), 100) : "") || undefined);

type Scalar = string | number | boolean;

const isText = (given: unknown): given is Scalar => ["string", "number", "boolean"].includes(typeof given);

const toWord = (given: Scalar): string => toLine(String(given), 10).toLowerCase();

/** A consent in a form, with the version of the text on its page. */
const consentGiven = z
  .object({
    marketing: formMarketing
      .nullish()
      .meta({ wire: { anyOf: ["boolean", "integer", "string", "null"].map((type) => ({ type })) } })
      .describe(
        `Whether the reader consents to marketing messages: ${YES_WORDS}, in any case, are a yes, everything else is a no.`,
      ),
    textVersion: formTextVersion
      .nullish()
      .meta({ wire: { type: ["string", "null"] } })
      .describe("Version of the consent text shown on the page."),
  })
  .meta({
    id: "ConsentForm",
    description:
      "The reader's consent on the form. If a field is missing or null, no consent is recorded. It is never a reason to reject the form.",
    example: { marketing: true, textVersion: "2026-03" },
  });

export interface ConsentForm {
  marketing: boolean;
  textVersion: string;
}

/** Without a decision or the text that it refers to there is no consent. */
export const consentForm = consentGiven
  .transform(({ marketing, textVersion: version }): ConsentForm | undefined =>
    typeof marketing === "boolean" && version ? { marketing, textVersion: version } : undefined,
  )
  .catch(undefined);

/** The state that follows from all statements about a contact; docs/personal-data.md has the rules. */
export const CONSENT_STATES = [
  "none",
  "agreed",
  "declined",
  "withdrawn",
  "conflict",
  "unknown_text",
  "pending",
] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

/** Whether marketing is allowed, in one word. */
export const MARKETING = ["yes", "no", "withdrawn", "conflict", "unknown", "pending"] as const;
export type Marketing = (typeof MARKETING)[number];

export const MARKETING_BY_STATE: Readonly<Record<ConsentState, Marketing>> = {
  none: "unknown",
  agreed: "yes",
  declined: "no",
  withdrawn: "withdrawn",
  conflict: "conflict",
  unknown_text: "unknown",
  pending: "pending",
};

/** Of statements, where an address can be confirmed. */
export const CONFIRMATIONS = ["pending", "confirmed"] as const;

const statedExample = {
  marketing: true,
  textVersion: "2026-03",
  languageCode: "es",
  givenAt: "2026-03-08T09:30:00.000Z",
} as const;

/** The current state, with the latest statement. */
export const currentConsent = z
  .object({
    state: z
      .enum(CONSENT_STATES)
      .describe(
        "`none`: no statement for the present address, or only a yes that was not confirmed within 7 days. `agreed`: marketing is allowed. `declined`: a no without an earlier yes. `withdrawn`: a no after a yes, or a no recorded by an administrator. `conflict`: a form stated yes after a withdrawal; an administrator has to decide. `unknown_text`: a yes to a text version that neither `CONSENT_TEXT_VERSIONS` lists nor the library has had. `pending`: a yes that waits for the button in a letter, with `EMAIL_CONFIRMATION`. Only `agreed` allows marketing.",
      ),
    marketing: z.boolean().describe("Whether marketing is allowed: true only in the state `agreed`."),
    textVersion: z
      .string()
      .nullable()
      .describe("Version of the text that the latest statement refers to; null if there is none."),
    languageCode: z
      .string()
      .nullable()
      .describe("Language in which the latest statement was made; null if there is none."),
    givenAt: timestamp.nullable().describe("Time of the latest statement; null if there is none."),
  })
  .meta({
    id: "CurrentConsent",
    description: "Current state of the contact's consent, with the latest statement.",
    example: { state: "agreed", ...statedExample },
  });
export type CurrentConsent = z.infer<typeof currentConsent>;

const statementExample = {
  ...statedExample,
  repeatedAt: null,
  source: "form",
  eventId: "42",
  ipAddress: "203.0.113.7",
  formerAddress: false,
} as const;

/** A statement in the consent ledger. */
export const consent = z
  .object({
    marketing: z.boolean().describe("Whether the statement allows marketing."),
    textVersion: z.string().describe("Version of the consent text that the reader saw."),
    languageCode: z.string().describe("Language of the download that the form requested."),
    givenAt: timestamp.describe("Time of the statement."),
    repeatedAt: timestamp
      .nullable()
      .describe(
        "Time of the last identical statement without a different one in between; null if there is none.",
      ),
    source: z
      .enum(["form", "administrator"])
      .describe("`form` for a reader's form, `administrator` for an administrator's decision."),
    eventId: z
      .string()
      .nullable()
      .describe(
        "Identifier of the download event of the form; null for a decision, and once the event is no longer linked to the contact.",
      ),
    ipAddress: z
      .string()
      .nullable()
      .describe(
        "IP address from which the form was sent, in the form that `IP_STORAGE` keeps; null if it isn't stored.",
      ),
    confirmation: z
      .enum(CONFIRMATIONS)
      .optional()
      .describe(
        "`pending`: a yes of a form that counts once the address is confirmed. `confirmed`: by the button in a letter to the address. Absent for other statements.",
      ),
    formerAddress: z
      .boolean()
      .describe(
        "Whether the contact's address was changed since: the statement is kept, but has no effect for the present one.",
      ),
  })
  .meta({
    id: "Consent",
    description: "A statement on marketing in the consent ledger.",
    example: statementExample,
  });
export type Consent = z.infer<typeof consent>;

/** A statement for administrators. */
export const recordedConsent = consent
  .extend({
    administrator: z.string().nullable().describe("Name of the administrator who decided; null for a form."),
    text: z
      .string()
      .nullable()
      .describe("Text of the version, if it is one of the library's; null if the service doesn't know it."),
  })
  .meta({
    id: "RecordedConsent",
    description: "A statement on marketing in the consent ledger, with the administrator who recorded it.",
    example: { ...statementExample, administrator: null, text: "Quiero recibir noticias." },
  });
export type RecordedConsent = z.infer<typeof recordedConsent>;
