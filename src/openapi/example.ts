/** An example for a schema: its own, or one that is put together from those of its parts. */

type JsonSchema = Readonly<Record<string, unknown>>;

/** @returns undefined where a part has no example */
export function exampleOf(schema: unknown, components: ReadonlyMap<string, JsonSchema>): unknown {
  if (!isObject(schema)) return undefined;
  const { $ref, examples, type, properties, items, anyOf } = schema;
  if (typeof $ref === "string") return exampleOf(components.get($ref.split("/").at(-1) ?? ""), components);
  if (Array.isArray(examples)) return examples[0];
  if ("const" in schema) return schema.const;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], components);
  if (type === "array") return listOf(exampleOf(items, components));
  if (type === "object" && isObject(properties)) return composed(properties, components);
  return undefined;
}

const listOf = (item: unknown): unknown => (item === undefined ? undefined : [item]);

function composed(properties: JsonSchema, components: ReadonlyMap<string, JsonSchema>): unknown {
  const parts = Object.entries(properties).map(([name, part]) => [name, exampleOf(part, components)]);
  return parts.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(parts);
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
