/** Parses what a caller sent, and reports every invalid value. */
import { z } from "zod";
import type { FieldError, FieldPath } from "../errors.ts";
import { createYielder } from "../lib/event-loop.ts";
import { findNearest } from "../lib/nearest.ts";
import { fieldErrorCodeOf } from "./error-codes.ts";

type Issue = z.core.$ZodRawIssue;

/** By the list of an object's unknown fields, the names of those that it has. */
const knownFields = new WeakMap<readonly string[], readonly string[]>();

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
      return describeType(issue);
    case "too_small":
      return describeBound(issue.origin, Number(issue.minimum), "at least");
    case "too_big":
      return describeBound(issue.origin, Number(issue.maximum), "at most");
    case "invalid_format":
      return FORMATS[issue.format] ?? "has the wrong format";
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return describeKinds(issue);
    case "unrecognized_keys":
      // zod drops the schema of an issue when its message is made.
      if (issue.inst instanceof z.ZodObject) knownFields.set(issue.keys, Object.keys(issue.inst.shape));
      return "has unknown fields";
    default:
      return "is not valid";
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function describeType({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const type = TYPES[expected] ?? "of a different type";
  if (input === null) return `must be ${type}, not null`;
  if (Array.isArray(input)) return `must be ${type === "an object" ? type : "one value"}, not a list`;
  return `must be ${type}`;
}

/** Of objects that one of their fields distinguishes. */
function describeKinds({ inst, discriminator }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const kinds = inst instanceof z.ZodDiscriminatedUnion ? inst._zod.propValues?.[discriminator ?? ""] : [];
  const names = [...(kinds ?? [])].map(String);
  return names.length === 0 ? "is not valid" : `must be one of ${names.join(", ")}`;
}

function describeBound(origin: string, bound: number, than: "at least" | "at most"): string {
  const unit = { string: "character", array: "item" }[origin];
  if (unit === undefined) return `must be ${than} ${bound}`;
  if (bound === 1 && than === "at least") return "must not be empty";
  const amount = `${than} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
  return origin === "string" ? `must be ${amount} long` : `must have ${amount}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  url: "must be an http or https URL",
  datetime: "must be a date and time with time zone, such as 2026-03-01T12:00:00Z",
};

export type Parsed<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

export function parse<S extends z.ZodType>(schema: S, given: unknown, place: FieldPath): Parsed<z.output<S>> {
  const result = schema.safeParse(given, { error: explain });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, errors: collectErrors(result.error.issues, place) };
}

/** As many as a response has. */
const ERRORS_OF_LIST = 100;

/** Like `parse`, for a list of thousands: yields to the event loop, and doesn't look for more errors than are sent. */
export async function parseInTurns<S extends z.ZodType>(
  item: S,
  given: readonly unknown[],
  list: { place: FieldPath; path: string },
): Promise<Parsed<z.output<S>[]>> {
  const yieldToEventLoop = createYielder();
  const value: z.output<S>[] = [];
  const errors: FieldError[] = [];
  for (const [index, each] of given.entries()) {
    await yieldToEventLoop();
    const parsed = parse(item, each, list.place);
    if (parsed.ok) value.push(parsed.value);
    else {
      const path = `${list.path}.${index}`;
      for (const error of parsed.errors)
        errors.push({ ...error, path: error.path === "" ? path : `${path}.${error.path}` });
    }
    if (errors.length >= ERRORS_OF_LIST) break;
  }
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors };
}

export interface LongLists {
  /** The whole body, of whose items nothing is required. */
  envelope: z.ZodType;
  /** By the field with the list. */
  items: Readonly<Record<string, z.ZodType>>;
}

/** Like `parse`, for a body with lists of thousands, which is a `Body` if envelope and items are right. */
export async function parseLists<Body>(
  { envelope, items }: LongLists,
  given: unknown,
): Promise<Parsed<Body>> {
  const whole = parse(envelope, given, "body");
  const others = whole.ok ? [] : whole.errors;
  const errors: FieldError[] = [];
  const lists: Record<string, unknown[]> = {};
  for (const [name, item] of Object.entries(items)) {
    const list: unknown = typeof given === "object" && given !== null ? Reflect.get(given, name) : undefined;
    if (!Array.isArray(list) || others.some(({ path }) => path === name || path === "")) continue;
    const parsed = await parseInTurns(item, list, { place: "body", path: name });
    if (parsed.ok) lists[name] = parsed.value;
    else errors.push(...parsed.errors);
  }
  if (!whole.ok || errors.length > 0) return { ok: false, errors: [...errors, ...others] };
  return parse(z.custom<Body>(), Object.assign({}, whole.value, lists), "body");
}

const UNKNOWN = "unknown_field";

function describeUnknown(name: string, known: readonly string[] = []): string {
  if (known.length === 0) return "is not a field of this request";
  const nearest = findNearest(name, known);
  const question = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return `is not a field of this request.${question} The fields are: ${known.join(", ")}`;
}

/** Longer than any known field; the rest of a longer name isn't returned. */
const MAX_NAME_LENGTH = 100;
/** A body can have a hundred thousand unknown fields: beyond these, only their number is reported. */
const MAX_UNKNOWN = 20;

/** zod also asks a text in place of a list for its length, and the other way round. */
const isLength = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === "too_big" || issue.code === "too_small") && /^(?:string|array)$/.test(issue.origin);

/** Each unknown field is a separate error; an error of the whole value has an empty path. */
function collectErrors(issues: readonly z.core.$ZodIssue[], place: FieldPath): FieldError[] {
  const fieldErrors: FieldError[] = [];
  const ofOtherType = new Set(
    issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")),
  );
  let unknown = 0;
  for (const issue of issues) {
    const path = issue.path.map(String);
    if (isLength(issue) && ofOtherType.has(path.join("."))) continue;
    if (issue.code !== "unrecognized_keys") {
      const { message } = issue;
      fieldErrors.push({ in: place, path: path.join("."), message, ...codeOf(issue) });
      continue;
    }
    for (const key of issue.keys.slice(0, Math.max(0, MAX_UNKNOWN - unknown))) {
      const name = key.slice(0, MAX_NAME_LENGTH);
      const message = describeUnknown(name, knownFields.get(issue.keys));
      fieldErrors.push({ in: place, path: [...path, name].join("."), message, code: UNKNOWN });
    }
    unknown += issue.keys.length;
  }
  const unnamed = unknown - MAX_UNKNOWN;
  if (unnamed > 0) {
    const message = `${unnamed} more ${unnamed === 1 ? "field is not a field" : "fields are not fields"} of this request`;
    fieldErrors.push({ in: place, path: "", message, code: UNKNOWN });
  }
  return fieldErrors;
}

/** The service's own rules can set a code, with the value that is probably meant; zod's errors have zod's code. */
function codeOf(issue: z.core.$ZodIssue): Pick<FieldError, "code" | "suggestion"> {
  const own = issue.code === "custom" ? issue.params : undefined;
  const suggestion: unknown = own?.suggestion;
  return {
    code: fieldErrorCodeOf(own?.code ?? issue.code),
    ...(typeof suggestion === "string" && { suggestion }),
  };
}
