/** Parses what a caller sent, and reports every invalid value. */
import type { z } from "zod";
import type { FieldError, FieldPath } from "../errors.ts";
import { type FieldErrorCode, fieldErrorCodeOf } from "./error-codes.ts";

type Issue = z.core.$ZodRawIssue;

/**
 * The error map of every schema that reads input: a short message without a subject, such as "must be a whole number".
 * Messages of the schema itself take precedence.
 */
export function explain(issue: Issue): string {
  if (issue.input === undefined && issue.code !== "unrecognized_keys" && issue.code !== "custom") {
    return "is required";
  }
  switch (issue.code) {
    case "invalid_type":
      return typeMessage(issue);
    case "too_small":
      return boundMessage(issue, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return boundMessage(issue, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "invalid_format":
      return formatMessage(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "has unknown fields";
    case "invalid_value":
      return valueMessage(issue.values);
    case "invalid_union":
      return unionMessage(issue.errors);
    case "invalid_key":
      return "has an invalid field name";
    case "invalid_element":
      return "has an invalid item";
    case "custom":
      return "is not valid";
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  bigint: "a whole number",
  array: "a list",
  tuple: "a list",
  set: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  date: "a date",
  null: "null",
  file: "a file",
};

function typeMessage({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const type = TYPES[expected];
  if (Array.isArray(input)) return `must be ${type === "an object" ? type : "one value"}, not a list`;
  return type === undefined ? "must be of a different type" : `must be ${type}`;
}

interface Bound {
  origin?: string | undefined;
  exact?: boolean | undefined;
}

/** @param than "at least", "at most", "more than" or "less than" */
function boundMessage({ origin, exact }: Bound, bound: number, than: string): string {
  const unit = { string: "character", array: "item", set: "item", map: "field", file: "byte" }[origin ?? ""];
  if (unit === undefined) {
    return origin === "date"
      ? `must be ${than === "at least" || than === "more than" ? "later" : "earlier"}`
      : `must be ${than} ${bound}`;
  }
  if (bound === 1 && than === "at least") return "must not be empty";
  const amount = `${exact ? "exactly" : than} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
  return origin === "string" ? `must be ${amount} long` : `must have ${amount}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  url: "an http or https URL",
  uuid: "a UUID",
  guid: "a UUID",
  datetime: "a date and time with time zone, such as 2026-03-01T12:00:00Z",
  date: "a date, such as 2026-03-01",
  time: "a time, such as 12:00:00",
  duration: "a duration, such as P1D",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  cidrv4: "a range of IPv4 addresses, such as 10.0.0.0/8",
  cidrv6: "a range of IPv6 addresses, such as fd00::/8",
  base64: "base64",
  base64url: "base64url",
  lowercase: "in lower case",
  uppercase: "in upper case",
};

function formatMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  const { format } = issue;
  if (format === "starts_with") return `must start with "${issue.prefix}"`;
  if (format === "ends_with") return `must end with "${issue.suffix}"`;
  if (format === "includes") return `must contain "${issue.includes}"`;
  const name = FORMATS[format];
  return name === undefined ? "has the wrong format" : `must be ${name}`;
}

function valueMessage(values: readonly unknown[]): string {
  const listed = values.map(String).join(", ");
  return values.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
}

/** Combines the alternatives if each has one message about the value itself: "must be a number or a string". */
function unionMessage(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const messages = alternatives.map(([issue, ...more]) =>
    issue && issue.path.length + more.length === 0 ? issue.message : "",
  );
  const parts = [...new Set(messages)].map((message) => /^must be (.+)$/.exec(message)?.[1]);
  return parts.length > 0 && parts.every((part) => part !== undefined)
    ? `must be ${parts.join(" or ")}`
    : "must match one of the allowed forms";
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

export function parse<S extends z.ZodType>(schema: S, given: unknown, place: FieldPath): Parsed<z.output<S>> {
  const result = schema.safeParse(given, { error: explain });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, errors: errorsIn(result.error.issues, place) };
}

const UNKNOWN = { message: "is not a field of this request", code: "unknown_field" } as const;

/** Longer than any known field; the rest of a longer name isn't returned. */
const MAX_NAME_LENGTH = 100;
/** A body can have a hundred thousand unknown fields: beyond these, only their number is reported. */
const MAX_UNKNOWN = 20;

/** Each unknown field is a separate error; an error of the whole value has an empty path. */
function errorsIn(issues: readonly z.core.$ZodIssue[], place: FieldPath): FieldError[] {
  const fieldErrors: FieldError[] = [];
  let unknown = 0;
  for (const issue of issues) {
    const path = issue.path.map(String);
    if (issue.code !== "unrecognized_keys") {
      fieldErrors.push({ in: place, path: path.join("."), message: issue.message, code: codeOf(issue) });
      continue;
    }
    for (const key of issue.keys.slice(0, Math.max(0, MAX_UNKNOWN - unknown))) {
      fieldErrors.push({ in: place, path: [...path, key.slice(0, MAX_NAME_LENGTH)].join("."), ...UNKNOWN });
    }
    unknown += issue.keys.length;
  }
  const unnamed = unknown - MAX_UNKNOWN;
  if (unnamed > 0) {
    const message = `${unnamed} more ${unnamed === 1 ? "field is not a field" : "fields are not fields"} of this request`;
    fieldErrors.push({ in: place, path: "", message, code: UNKNOWN.code });
  }
  return fieldErrors;
}

/** The service's own rules can set a code; zod's errors have zod's code. */
function codeOf(issue: z.core.$ZodIssue): FieldErrorCode {
  const own: unknown = issue.code === "custom" ? issue.params?.code : undefined;
  return fieldErrorCodeOf(own ?? issue.code);
}
