/** zod schemas as JSON Schema 2020-12; named ones become components, once each. */
import { z } from "zod";
import { createSchema } from "zod-openapi";

type JsonSchema = Record<string, unknown>;

/** What a schema describes. `default` is told of parameters only: generated types take it for "always there". */
type SchemaUse = "parameter" | "body" | "response";

/** Some schemas say of themselves how they look on the wire, such as a number that comes as text in a query. */
const meta = z.object({
  wire: z.record(z.string(), z.unknown()).optional(),
  examples: z.array(z.unknown()).optional(),
  /** Fields of which a request gives exactly one. */
  exactlyOneOf: z.array(z.string()).optional(),
  /** Fields of which a request gives one or more. */
  atLeastOneOf: z.array(z.string()).optional(),
});

/** A component's name differs between requests and responses only where the schemas do. */
export class SchemaRegister {
  readonly components = new Map<string, JsonSchema>();

  schemaFor(schema: z.ZodType, use: SchemaUse): JsonSchema {
    const { schema: described, components } = createSchema(schema, {
      io: use === "response" ? "output" : "input",
      openapiVersion: "3.1.1",
      opts: { override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema, use) },
    });
    for (const [name, definition] of Object.entries(components))
      this.components.set(name, asObject(definition));
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

/** Our examples are what goes over the wire; zod takes those of a schema that transforms for what comes out of it. */
function describe(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema, use: SchemaUse): void {
  const { examples, wire, exactlyOneOf, atLeastOneOf } = meta.parse(z.globalRegistry.get(zodSchema) ?? {});
  for (const own of OWN_META) delete jsonSchema[own];
  if (wire && use !== "response") {
    for (const key of Object.keys(jsonSchema)) if (!KEPT_BESIDE_WIRE.has(key)) delete jsonSchema[key];
    Object.assign(jsonSchema, wire);
  }
  if (use !== "parameter") delete jsonSchema.default;
  if (examples) jsonSchema.examples = examples;
  if (exactlyOneOf) jsonSchema.oneOf = exactlyOneOf.map((name) => givenField(name, jsonSchema));
  if (atLeastOneOf) jsonSchema.anyOf = atLeastOneOf.map((name) => givenField(name, jsonSchema));
  withoutNoise(jsonSchema);
}

const OWN_META = ["wire", "exactlyOneOf", "atLeastOneOf"];

/** What an object fits that gives the field: null counts as left out. */
function givenField(name: string, { properties }: JsonSchema): JsonSchema {
  const { anyOf, ...field } = asObject(asObject(properties)[name]);
  const alternatives = z.array(z.record(z.string(), z.unknown())).parse(anyOf ?? []);
  const given = alternatives.find(({ type }) => type !== "null");
  return { required: [name], properties: { [name]: { ...given, ...field } } };
}

const KEPT_BESIDE_WIRE = new Set(["default", "description"]);

/** A format says what zod's long patterns say, and every JSON integer lies between the bounds that zod writes. */
function withoutNoise(jsonSchema: JsonSchema): void {
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const asObject = (value: unknown): JsonSchema => z.record(z.string(), z.unknown()).parse(value);
