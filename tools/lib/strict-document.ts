/** The OpenAPI document in the form against which tests check responses: only what it lists is accepted. */

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Responses are open in the document, so that clients accept the fields and codes of later versions. This version has
 * no others: in the strict form an undocumented field or value is an error. A component is closed where it is used,
 * because it can also be a part of a larger object (`allOf`).
 */
export function createStrictDocument(document: object): object {
  return Object.fromEntries(
    Object.entries(document).map(([name, part]) => [
      name,
      isPart(name, document) && Array.isArray(part) ? part.map(open) : makePartStrict(name, part),
    ]),
  );
}

/** Whether what a keyword lists describes the same object: beside properties, alternatives are no objects of their own. */
const isPart = (keyword: string, schema: object): boolean =>
  keyword === "allOf" || (keyword === "anyOf" && "properties" in schema);

function makePartStrict(name: string, value: unknown): unknown {
  if (NO_SCHEMAS.has(name)) return value;
  if (name === "schemas" && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([component, each]) => [component, componentOf(each)]),
    );
  if (!Array.isArray(value)) return close(value);
  return (isOpenEnum(value) ? value.slice(0, 1) : value).map(close);
}

/** A second name of a component is a use of it. */
const componentOf = (schema: unknown): unknown =>
  isObject(schema) && "$ref" in schema ? close(schema) : open(schema);

const NO_SCHEMAS = new Set(["example", "examples"]);

/** `[known values, any other text]` */
const isOpenEnum = ([known, other, ...rest]: readonly unknown[]): boolean =>
  rest.length === 0 &&
  isObject(known) &&
  (known.enum !== undefined || known.$ref !== undefined) &&
  isObject(other) &&
  other.type === "string" &&
  Object.keys(other).length === 1;

const open = (value: unknown): unknown => (isObject(value) ? createStrictDocument(value) : value);

function close(value: unknown): unknown {
  const isClosed = isObject(value) && OBJECT_KEYWORDS.some((keyword) => keyword in value);
  return isClosed ? { ...createStrictDocument(value), unevaluatedProperties: false } : open(value);
}

const OBJECT_KEYWORDS = ["$ref", "properties", "allOf"];
