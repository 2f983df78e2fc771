/** The basic schemas: text, numbers, flags and times. */
import { z } from "zod";
import { isTemplate } from "../lib/address-template.ts";
import { canonicalizeLanguageCode } from "../lib/bcp47.ts";
import { isEmail, normalizeEmail } from "../lib/email.ts";
import { askWhether, guessLanguage, type NamedLanguage } from "../lib/language-names.ts";
import { toOneLine, trimEnds } from "../lib/one-line.ts";
import { MAX_SEARCH_WORDS, splitIntoWords } from "../lib/text.ts";
import { rule, withCode } from "./error-codes.ts";

const CONTROLS = /\p{Cc}/u;
const CONTROLS_BUT_LINES = /[\p{Cc}--[\n\r\t]]/v;

/**
 * UAX 15, "Stream-Safe Text Format": no language uses more. Normalisation sorts longer runs by insertion, which takes
 * minutes for a mebibyte.
 */
const MARKS_IN_A_ROW = 30;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MARKS_IN_A_ROW + 1}}`, "u");

/** Composing shortens a text to a third at most, and trimming removes surrounding space. */
const rawMaxOf = (max: number): number => 4 * max + 100;

interface RawBounds {
  max: number;
  /** Maximum length before trimming and composing, in UTF-16 units. Default `max`. */
  rawMax?: number;
}

/**
 * The first check of every external text: one that is too long, or expensive to process, is rejected before any other
 * check runs.
 */
export const rawText = ({ max, rawMax = max }: RawBounds) =>
  z
    .string()
    .refine((given) => given.length <= rawMax, {
      ...rule("too_big", `must have at most ${max} characters`),
      abort: true,
    })
    .refine((given) => !TOO_MANY_MARKS.test(given), {
      ...rule("too_many_marks", `must not have more than ${MARKS_IN_A_ROW} combining marks in a row`),
      abort: true,
    });

/** Like `rawText`, for a text that is trimmed before it is measured. */
const rawTextToTrim = (max: number) => rawText({ max, rawMax: rawMaxOf(max) });

/** Like `rawText`, trimmed. */
export const trimmedText = (max: number) => rawTextToTrim(max).overwrite(toOneLine);

interface TextBounds {
  max: number;
  min?: number;
}

/** Lone surrogates have no UTF-8 form: databases corrupt them and headers can't contain them. */
const printableText = (given: z.ZodString, controls: RegExp) =>
  given
    .refine(
      (text) => text.isWellFormed(),
      rule("invalid_characters", "must not contain an unpaired surrogate"),
    )
    .refine(
      (text) => !controls.test(text),
      rule("invalid_characters", "must not contain control characters"),
    );

/** A path of a file as the client has it: neither trimmed nor normalized. */
export const filePath = printableText(rawText({ max: 1024 }), CONTROLS).min(1);

export const MAX_ADDRESS = 2048;
/** A web address as it is given, trimmed: a line break within it isn't a space, which would be another address. */
export const addressText = rawTextToTrim(MAX_ADDRESS).overwrite(trimEnds).max(MAX_ADDRESS);

/**
 * One line of text in any script: trimmed, NFC, at most `max` UTF-16 units. White space of any kind is a space: lines of
 * scripts end with a line end, and people paste tabs.
 */
export const text = ({ max, min = 0 }: TextBounds) =>
  printableText(trimmedText(max), CONTROLS).normalize("NFC").min(min).max(max);

/** Text that may have several lines. */
export const multilineText = ({ max, min = 0 }: TextBounds) =>
  printableText(rawTextToTrim(max), CONTROLS_BUT_LINES).trim().normalize("NFC").min(min).max(max);

/** A whole number in a query: plain ASCII digits; `1e3`, `0x10` and full-width digits are rejected. */
export const integerParameter = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^-?\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .meta({ wire: { type: "integer", minimum, ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }) } });

/** A flag in a query: `true`, `false`, 1 or 0. */
const flagParameter = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");
/** Documented as `true` or `false`. */
export const booleanParameter = flagParameter.meta({ wire: { type: "boolean" } });
/** Documented as 1 or 0. */
export const zeroOrOneParameter = flagParameter.meta({ wire: { type: "integer", enum: [0, 1] } });

/** The largest integer that every database supports. */
export const MAX_INT32 = 2_147_483_647;

/** The number that identifies a row, in a path or a query. */
export const rowId = integerParameter(1, MAX_INT32);

/** An integer that fits 32 bits. */
export const int32 = z
  .int()
  .min(-MAX_INT32 - 1)
  .max(MAX_INT32);

/** A count: never negative. */
export const count = z.int().min(0);

/** Downloads in an earlier system; never part of the totals. */
export const legacyDownloads = count.describe(
  "Downloads from before this service was installed, as entered by an administrator. Not included in any other count.",
);

/** 1 or 0, as in responses. */
export const flag = z.literal([0, 1]);

/** A flag in a body: 0, 1, true or false. */
const givenFlag = z.literal([0, 1, true, false]);
const isOn = (given: z.output<typeof givenFlag>): boolean => given === true || given === 1;
/** A flag in a body, converted to 1 or 0. */
export const flagField = givenFlag.transform((given): 0 | 1 => (isOn(given) ? 1 : 0));
/** A flag in a body, converted to true or false. */
export const booleanField = givenFlag.transform(isOn);

/**
 * An optional field of a creation, an action or a public form. `null` means the same as absent, because many clients send
 * null for missing values. fields.ts has those of updates.
 */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((given) => given ?? undefined)
    .optional();

/** `YYYY-MM-DDTHH:mm:ss.sssZ` */
export const timestamp = z.iso.datetime({ precision: 3 });

/** A point in time in a request: ISO 8601 with a zone; converted to epoch milliseconds. */
export const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

/** An identifier in a path or a body. An invalid one is simply not found. */
export const identifier = rawText({ max: 100 }).min(1).max(100);

/** The identifier of a record in a request. Existing ones are UUIDs; any other text is not found. */
export const recordId = identifier.meta({ format: "uuid" });

/** The identifier of a record in a response. */
export const uuid = z.string().meta({ format: "uuid" });

const languageCodeWith = (guess: (text: string) => NamedLanguage | undefined) =>
  rawText({ max: 64 })
    .max(64)
    .transform((value, context) => {
      const line = toOneLine(value);
      const canonical = canonicalizeLanguageCode(line);
      if (canonical !== undefined) return canonical;
      const meant = guess(line);
      const expected = "must be a BCP 47 language code, such as en or pt-BR";
      const message = meant === undefined ? expected : `${expected} (${askWhether(meant)})`;
      context.addIssue({
        code: "custom",
        message,
        params: withCode("invalid_language_code", meant?.code),
      });
      return z.NEVER;
    });

/** A BCP 47 tag in its canonical form. */
export const languageCode = languageCodeWith(() => undefined);

/** The same where a person may have typed a name: the error suggests the code. */
export const typedLanguageCode = languageCodeWith(guessLanguage);

/** An e-mail address, in lower case. */
export const email = rawText({ max: 320 })
  .transform(normalizeEmail)
  .refine(isEmail, rule("invalid_email", "must be an e-mail address"))
  .meta({ wire: { type: "string", format: "email", maxLength: 254 } });

/** An e-mail address in a response. */
export const emailOut = z.string().meta({ format: "email" });

/** An http or https URL. A line break within it would be dropped without a word. */
export const webAddress = rawText({ max: 2048 })
  .refine((given) => !CONTROLS.test(given), rule("invalid_format", "must be an http or https URL"))
  .pipe(z.url({ protocol: /^https?$/ }));

/** The address of any book: its language, slug and channel have their places in it. */
export const bookTemplate = addressText.refine(
  isTemplate,
  rule(
    "invalid_format",
    "must be an http or https URL with {slug} behind its host, and with no other braces than {language} and {channel}",
  ),
);

/** The version of a record in a response; its example. */
export const version = z
  .string()
  .describe(
    "Version of the fields that an update can change, except `sortOrder` and counts. Opaque; send it in quotes as `If-Match` to change the record only if it is still in this version.",
  );
export const versionExample = "q2Xo1mD8Zb0sVw4tKfHc3g";

/** `{success: true}`, the response of a deletion. */
export const success = z
  .object({ success: z.literal(true).describe("Always true; failures are error responses.") })
  .meta({
    id: "Success",
    description: "Confirmation that the operation succeeded.",
    example: { success: true },
  });

/** Search words, in a limited number. */
export const searchText = text({ max: 200 }).refine(
  (given) => splitIntoWords(given).length <= MAX_SEARCH_WORDS,
  rule("too_many_words", `must have at most ${MAX_SEARCH_WORDS} different words`),
);

/**
 * For `when` of a rule about two fields: it is checked unless one of them is wrong by itself, so that all errors of a
 * request are reported together.
 */
export function isUnlessAbout(one: string, other: string) {
  const isAboutEither = ({ code, path = [] }: z.core.$ZodRawIssue) =>
    path.length === 0 ? code !== "unrecognized_keys" : path[0] === one || path[0] === other;
  return ({ issues }: z.core.ParsePayload) => !issues.some(isAboutEither);
}

/** For `refine`: a request gives exactly one of two fields. */
export function exactlyOneOf<Name extends string>(one: Name, other: Name) {
  const hasOne = (request: { [name in Name]?: unknown }) =>
    (request[one] === undefined) !== (request[other] === undefined);
  const fieldError = {
    ...rule("exactly_one_needed", `exactly one of ${one} and ${other} is required`),
    path: [one],
    when: isUnlessAbout(one, other),
  };
  return [hasOne, fieldError] as const;
}

/** For `refine`: a request has its language, by code or by identifier. */
export function withLanguage() {
  const hasOne = (request: { languageCode?: unknown; languageId?: unknown }) =>
    request.languageCode !== undefined || request.languageId !== undefined;
  const fieldError = {
    ...rule("missing_language", "languageCode or languageId is required"),
    path: ["languageCode"],
    when: isUnlessAbout("languageCode", "languageId"),
  };
  return [hasOne, fieldError] as const;
}
