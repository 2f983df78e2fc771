/** The parameters of an operation: which ones it knows, and their values by its schema. */
import { type ParsedUrlQuery, parse as parseParameters } from "node:querystring";
import { z } from "zod";
import { badRequest, type FieldError } from "../../errors.ts";
import { decodeText } from "../../lib/encodings.ts";
import { type Parsed, parse } from "../../schemas/parse.ts";
import { toBytes, unescapeBytes } from "./form.ts";

/** The type of what a schema parses. */
export type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

interface QueryRules {
  /** The parameters of the operation. */
  names: ReadonlySet<string>;
  isPublic: boolean;
}

export const NOTHING = { ok: true, value: undefined } as const;

/** The names of the parameters of a query whose values aren't percent-encoded UTF-8. */
const damagedNames = new WeakMap<object, ReadonlySet<string>>();

/**
 * The parameters by name; a list for a repeated one. Their number is limited only by the size of headers.
 * @throws AppError 400 malformed_query for a name that isn't percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5), which lenient
 * parsers would misread; `parseQuery` decides about values
 */
export function readQuery(text: string | null): ParsedUrlQuery {
  const given = text ?? "";
  if (isPercentEncoded(given)) return parseParameters(given, "&", "=", { maxKeys: 0 });
  const names = given
    .split("&")
    .filter((parameter) => !isPercentEncoded(parameter))
    .map((parameter) => parameter.split("=", 1)[0] ?? "");
  if (!names.every(isPercentEncoded)) throw malformedQuery();
  const query = parseParameters(given, "&", "=", { maxKeys: 0, decodeURIComponent: decodeDamaged });
  damagedNames.set(query, new Set(names.map((name) => decodeURIComponent(name.replaceAll("+", " ")))));
  return query;
}

const malformedQuery = () => badRequest("malformed_query", "The query string is not percent-encoded UTF-8.");

function isPercentEncoded(text: string): boolean {
  if (/[^\x21-\x7e]/.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Programs for newsletters write `Fr%FChling`. */
const decodeDamaged = (text: string): string => decodeText(toBytes(unescapeBytes(text)));

/** What sites and newsletters add to an address never costs a reader the page. */
const isAdded = (name: string, { names, isPublic }: QueryRules): boolean =>
  isPublic && (!names.has(name) || name.startsWith("utm_"));

/** Accepts no other parameter; the message of its error has these. */
const onlyParameters = (names: ReadonlySet<string>) =>
  z.strictObject(Object.fromEntries([...names].map((name) => [name, z.unknown().optional()])));

/**
 * The rule for queries: an empty parameter counts as absent. An unknown one is ignored on public operations, because
 * sites add some of their own (`utm_...`, `fbclid`), and rejected on all others, including those without parameters.
 * @throws AppError 400 malformed_query for a value that isn't percent-encoded UTF-8, unless a site may have added it
 */
export function parseQuery<S extends z.ZodType | undefined>(
  schema: S | undefined,
  given: object,
  rules: QueryRules,
): Parsed<Output<S>>;
export function parseQuery(schema: z.ZodType | undefined, given: object, rules: QueryRules): Parsed<unknown> {
  const { names, isPublic } = rules;
  const damaged = [...(damagedNames.get(given) ?? [])];
  if (!damaged.every((name) => isAdded(name, rules))) throw malformedQuery();
  const present = Object.entries(given).flatMap(removeEmpty);
  const part = (isKnown: boolean) =>
    Object.fromEntries(present.filter(([name]) => names.has(name) === isKnown));
  const others = part(false);
  const isAccepted = isPublic || Object.keys(others).length === 0;
  const unknown = isAccepted ? undefined : parse(onlyParameters(names), others, "query");
  const known = schema ? parse(schema, part(true), "query") : NOTHING;
  return unknown?.ok === false ? { ok: false, errors: collectErrors(known, unknown) } : known;
}

/** Removes empty values of a repeated parameter. */
function removeEmpty([name, given]: [string, unknown]): [string, unknown][] {
  if (!Array.isArray(given)) return given === "" ? [] : [[name, given]];
  const [first, ...more] = given.filter((value) => value !== "");
  return first === undefined ? [] : [[name, more.length === 0 ? first : [first, ...more]]];
}

/** The parameter names of a query's schema. For a schema with a transform, those before it. */
export function listParameterNames(schema: unknown): ReadonlySet<string> {
  if (schema === undefined) return new Set();
  if (schema instanceof z.ZodPipe) return listParameterNames(schema.in);
  if (schema instanceof z.ZodObject) return new Set(Object.keys(schema.shape));
  throw new TypeError("The schema of a query must be an object");
}

const PLAIN_ADDRESS = /^\/[\w./~-]*(?:\?[\w.~=&-]+)?$/;

/**
 * Whether an address has nothing but known parameters, each once and with a value, and nothing is percent-encoded: a
 * client can't think up many addresses of the same response.
 */
export function isPlainAddress(address: string, names: ReadonlySet<string>): boolean {
  if (!PLAIN_ADDRESS.test(address)) return false;
  const text = address.split("?")[1];
  const parameters = text?.split("&").map((parameter) => parameter.split("=")) ?? [];
  const isPlain = parameters.every(
    ([name = "", value, more]) => names.has(name) && value && more === undefined,
  );
  return isPlain && new Set(parameters.map(([name]) => name)).size === parameters.length;
}

export const collectErrors = (...parts: readonly Parsed<unknown>[]): FieldError[] =>
  parts.flatMap((part) => (part.ok ? [] : part.errors));
