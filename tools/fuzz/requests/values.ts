// Values that fit a schema of the document.
import fc from "fast-check";
import type { Document, JsonSchema } from "../document.ts";
import { createText } from "./texts.ts";

/** Fields by name, where the schema says less than is needed. */
export type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const MAX_ITEMS = 3;

export class Values {
  readonly #document: Document;
  readonly #fields: Fields;

  constructor(document: Document, fields: Fields) {
    this.#document = document;
    this.#fields = fields;
  }

  /** Something for a field of this name. */
  field(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
    return this.#fields[name] ?? this.of(schema);
  }

  of(given: JsonSchema): fc.Arbitrary<unknown> {
    const schema = this.#document.resolve(given);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    // Beside properties it only says which of them are needed.
    if (schema.anyOf && !schema.properties) return fc.oneof(...schema.anyOf.map((each) => this.of(each)));
    const types = schema.type === undefined ? ["object"] : [schema.type].flat();
    return fc.oneof(...types.map((type) => this.#createOfType(type, schema)));
  }

  #createOfType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
    switch (type) {
      case "object":
        return this.object(schema);
      case "array":
        return this.#createArray(schema);
      case "string":
        return createText(schema.minLength, schema.maxLength);
      case "integer":
        return fc.maxSafeInteger().map((number) => clamp(number, schema));
      case "number":
        return fc.maxSafeInteger().map((number) => clamp(number, schema) + (number % 2) / 2);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        throw new Error(`The fuzz knows no values of the type ${type}`);
    }
  }

  object({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
    const model = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.field(name, schema)]),
    );
    const requiredKeys = required.filter((name) => name in model);
    return fc.record(model, { requiredKeys, noNullPrototype: true }).map(withOneLanguage);
  }

  /** Of two elements for the same language and type the second would be refused. */
  #createArray({ items, minItems = 0, maxItems = MAX_ITEMS }: JsonSchema): fc.Arbitrary<unknown> {
    const element = this.of(items ?? { type: "string" });
    return fc.uniqueArray(element, {
      minLength: minItems,
      maxLength: Math.min(maxItems, Math.max(minItems, MAX_ITEMS)),
      selector: identify,
    });
  }
}

/** Bounds that are whole; mostly small ones, so that sums stay whole too. */
function clamp(number: number, { minimum = -1000, maximum = 1000 }: JsonSchema): number {
  const [low, high] = [Math.max(minimum, -2_147_483_648), Math.min(maximum, 2_147_483_647)];
  return low + (Math.abs(number) % (Math.min(high - low, 1_000_000) + 1));
}

/** A language by code and by number at once would have to be the same. */
function withOneLanguage(value: Record<string, unknown>): Record<string, unknown> {
  const { languageId: _, ...others } = value;
  return "languageCode" in value ? others : value;
}

function identify(element: unknown): unknown {
  if (typeof element !== "object" || element === null) return element;
  const { languageCode, bookId, slug } = { languageCode: "", bookId: "", slug: "", ...element };
  return `${languageCode} ${bookId} ${slug}`;
}
