/** Converts zod schemas to JSON Schema 2020-12; named ones become components. */
import { z } from "zod";
import { createSchema } from "zod-openapi";

type JsonSchema = Record<string, unknown>;

/**
 * What a schema describes. `default` is written for parameters only, because generators treat it as "always present".
 */
type SchemaUse = "parameter" | "body" | "response";

/** Metadata for schemas whose JSON form differs, such as a number in a query. */
const meta = z.object({
  id: z.string().optional(),
  wire: z.record(z.string(), z.unknown()).optional(),
  /** In the transferred form; zod's own `examples` of a schema that transforms are in its output form. */
  example: z.unknown().optional(),
  /** Fields of which a request contains exactly one. */
  exactlyOneOf: z.array(z.string()).optional(),
  /** Fields of which a request contains at least one. */
  atLeastOneOf: z.array(z.string()).optional(),
});

/** The names of a component for requests and responses differ only if the schemas do. */
export class SchemaRegister {
  readonly components = new Map<string, JsonSchema>();

  schemaFor(schema: z.ZodType, use: SchemaUse): JsonSchema {
    const { schema: described, components } = createSchema(schema, {
      io: use === "response" ? "output" : "input",
      openapiVersion: "3.1.1",
      opts: { override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema, use) },
    });
    for (const [name, definition] of Object.entries(components)) {
      const { example, ...component } = asObject(definition);
      this.components.set(name, { ...component, ...(example !== undefined && { examples: [example] }) });
    }
    return asObject(described);
  }

  /** A second name of a component. */
  alias(name: string, schema: JsonSchema): JsonSchema {
    this.components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

export const componentsOf = (register: SchemaRegister): Record<string, JsonSchema> =>
  Object.fromEntries([...register.components].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The example of a component stays until the end: zod leaves out beside a reference what the component has as well. */
function describe(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema, use: SchemaUse): void {
  const { id, example, wire, exactlyOneOf, atLeastOneOf } = meta.parse(z.globalRegistry.get(zodSchema) ?? {});
  for (const own of OWN_META) delete jsonSchema[own];
  if (wire && use !== "response") {
    for (const key of Object.keys(jsonSchema)) if (!KEPT_BESIDE_WIRE.has(key)) delete jsonSchema[key];
    Object.assign(jsonSchema, wire);
  }
  if (use !== "parameter") delete jsonSchema.default;
  if (id === undefined && example !== undefined) {
    delete jsonSchema.example;
    jsonSchema.examples = [example];
  }
  if (exactlyOneOf) jsonSchema.oneOf = exactlyOneOf.map((name) => givenField(name, jsonSchema));
  if (atLeastOneOf) jsonSchema.anyOf = atLeastOneOf.map((name) => givenField(name, jsonSchema));
  withoutNoise(jsonSchema);
}

const OWN_META = ["wire", "exactlyOneOf", "atLeastOneOf"];

/** Matches an object that contains the field: null counts as absent. */
function givenField(name: string, { properties }: JsonSchema): JsonSchema {
  const { anyOf, ...field } = asObject(asObject(properties)[name]);
  const alternatives = z.array(z.record(z.string(), z.unknown())).parse(anyOf ?? []);
  const given = alternatives.find(({ type }) => type !== "null");
  return { required: [name], properties: { [name]: { ...given, ...field } } };
}

const KEPT_BESIDE_WIRE = new Set(["default", "description"]);

/** Removes patterns that a format already expresses, and the bounds that zod writes for all integers. */
function withoutNoise(jsonSchema: JsonSchema): void {
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const asObject = (value: unknown): JsonSchema => z.record(z.string(), z.unknown()).parse(value);
