/** zod schemas as JSON Schema 2020-12; named ones become components, once each. */
import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** Some schemas say of themselves how they look on the wire, such as a number that comes as text in a query. */
const meta = z.object({
  wire: z.record(z.string(), z.unknown()).optional(),
  examples: z.array(z.unknown()).optional(),
});

/** A component's name differs between requests and answers only where the schemas do. */
export class SchemaRegister {
  readonly components = new Map<string, JsonSchema>();

  schemaFor(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, {
      io,
      target: "draft-2020-12",
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema, io),
    });
    for (const [name, definition] of Object.entries($defs ?? {})) this.#add(name, asObject(definition));
    const { id } = root;
    if (typeof id !== "string") return asObject(relocated(root));
    this.#add(id, root);
    return { $ref: `#/components/schemas/${id}` };
  }

  #add(name: string, { id: _, ...definition }: JsonSchema): void {
    this.components.set(name, asObject(relocated(definition)));
  }
}

export const componentsOf = (register: SchemaRegister): Record<string, JsonSchema> =>
  Object.fromEntries([...register.components].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Our examples are what goes over the wire; zod takes those of a schema that transforms for what comes out of it. */
function describe(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema, io: "input" | "output"): void {
  const { examples, wire } = meta.parse(z.globalRegistry.get(zodSchema) ?? {});
  delete jsonSchema.wire;
  if (wire && io === "input") {
    for (const key of Object.keys(jsonSchema)) if (key !== "default") delete jsonSchema[key];
    Object.assign(jsonSchema, wire);
  }
  if (examples) jsonSchema.examples = examples;
}

/** `#/$defs/Book` lies among the components of the document. */
function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, inner.replace("#/$defs/", "#/components/schemas/")]
        : [key, relocated(inner)],
    ),
  );
}

const asObject = (value: unknown): JsonSchema => z.record(z.string(), z.unknown()).parse(value);
