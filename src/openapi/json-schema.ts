/** Converts zod schemas to JSON Schema 2020-12; named ones become components. */
import { isDeepStrictEqual } from "node:util";
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

export class SchemaRegister {
  readonly components = new Map<string, JsonSchema>();

  createSchema(schema: z.ZodType, use: SchemaUse): JsonSchema {
    const { schema: described, components } = createSchema(schema, {
      io: use === "response" ? "output" : "input",
      openapiVersion: "3.1.1",
      opts: { override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema, use) },
    });
    const named = new Map(Object.entries(components).map(([name, each]) => [name, asObject(each)]));
    const finish = (each: JsonSchema) => (use === "response" ? openForGrowth(each, named) : each);
    for (const [name, definition] of named) {
      const { example, ...component } = finish(definition);
      this.#add(name, { ...component, ...(example !== undefined && { examples: [example] }) });
    }
    return finish(asObject(described));
  }

  /** A second name of a component. */
  addAlias(name: string, schema: JsonSchema): JsonSchema {
    this.#add(name, schema);
    return { $ref: `${COMPONENTS}${name}` };
  }

  /** @throws Error if requests and responses give one name to different schemas */
  #add(name: string, component: JsonSchema): void {
    const known = this.components.get(name);
    if (known && !isDeepStrictEqual(known, component))
      throw new Error(`Requests and responses have different schemas named ${name}`);
    this.components.set(name, component);
  }
}

const COMPONENTS = "#/components/schemas/";

export const sortComponents = (register: SchemaRegister): Record<string, JsonSchema> =>
  Object.fromEntries([...register.components].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The example of a component stays until the end: beside a reference zod omits what the component also has. */
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
  if (exactlyOneOf)
    jsonSchema.oneOf = exactlyOneOf.map((name) => pickGivenField(name, zodSchema, jsonSchema));
  if (atLeastOneOf)
    jsonSchema.anyOf = atLeastOneOf.map((name) => pickGivenField(name, zodSchema, jsonSchema));
  removeNoise(jsonSchema);
}

/**
 * Later versions may add fields to a response, and values to an enumeration in it: the field then accepts any other text,
 * too. A component that is an enumeration stays closed, as the list of known values.
 */
function openForGrowth(schema: JsonSchema, components: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const isEnum = ({ $ref, enum: values }: JsonSchema): boolean =>
    typeof $ref === "string"
      ? components.get($ref.slice(COMPONENTS.length))?.enum !== undefined
      : Array.isArray(values) && values.every((value) => typeof value === "string");
  const open = (key: string, part: unknown): unknown => {
    if (key === "additionalProperties" && part === false) return undefined;
    if (key === "" || !isJsonObject(part) || !isEnum(part)) return part;
    const { $ref, type, enum: values, ...described } = part;
    const known = $ref === undefined ? { type, enum: values } : { $ref };
    return { ...described, anyOf: [known, { type: "string" }] };
  };
  return asObject(JSON.parse(JSON.stringify(schema), open));
}

const isJsonObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const OWN_META = ["wire", "exactlyOneOf", "atLeastOneOf"];

/** Matches an object that contains the field. Null counts as absent, unless it is a value of the field. */
function pickGivenField(name: string, object: z.core.$ZodType, { properties }: JsonSchema): JsonSchema {
  const described = asObject(asObject(properties)[name]);
  const field = object instanceof z.ZodObject ? object.shape[name] : undefined;
  if (field && z.safeParse(field, null).data === null)
    return { required: [name], properties: { [name]: described } };
  const { anyOf, ...rest } = described;
  const alternatives = z.array(z.record(z.string(), z.unknown())).parse(anyOf ?? []);
  const given = alternatives.find(({ type }) => type !== "null");
  return { required: [name], properties: { [name]: { ...given, ...rest } } };
}

const KEPT_BESIDE_WIRE = new Set(["default", "description"]);

/** Removes patterns that a format already expresses, and the bounds that zod writes for all integers. */
function removeNoise(jsonSchema: JsonSchema): void {
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const asObject = (value: unknown): JsonSchema => z.record(z.string(), z.unknown()).parse(value);
