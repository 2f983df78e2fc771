// The OpenAPI document as the fuzz reads it: operations with their parameters, bodies and answers.
import { readFileSync } from "node:fs";
import { z } from "zod";

/** JSON Schema 2020-12, as far as values are made from it. */
const jsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  pattern: z.string().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
});
export type JsonSchema = z.output<typeof jsonSchema>;

const content = z.record(z.string(), z.object({ schema: jsonSchema.optional() }));
export type Content = z.output<typeof content>;

const response = z.object({ $ref: z.string().optional(), content: content.optional() });

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  schema: jsonSchema,
});
export type Parameter = z.output<typeof parameter>;

const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([parameter, z.object({ $ref: z.string() })])),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), response),
});

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), jsonSchema),
    parameters: z.record(z.string(), parameter),
    responses: z.record(z.string(), z.object({ content })),
  }),
});

export interface Operation {
  id: string;
  /** The id whose recipe and aims apply: PATCH does the same as PUT. */
  ruleId: string;
  /** In lower case. */
  method: string;
  /** With parameters in braces. */
  path: string;
  takes: readonly ("session" | "bearer")[];
  parameters: readonly Parameter[];
  body: { isRequired: boolean; content: Content } | undefined;
  /** By status; `default` isn't among them. */
  responses: ReadonlyMap<number, Answered>;
}

interface Answered {
  mediaTypes: readonly string[];
  /** Where the schema of a media type lies in the document. */
  schemaAt: (mediaType: string) => string | undefined;
}

export class Document {
  /** As it is, for the validator. */
  readonly raw: object;
  readonly operations: readonly Operation[];
  readonly #parsed: z.output<typeof document>;

  constructor(raw: object) {
    this.raw = raw;
    this.#parsed = document.parse(raw);
    this.operations = Object.entries(this.#parsed.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, given]) => this.#createOperation(path, method, given)),
    );
  }

  /** @param file openapi.json */
  static read(file: string): Document {
    return new Document(z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, "utf8"))));
  }

  /** The schema itself, where there is a reference to it. */
  resolve(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const found = this.#parsed.components.schemas[nameIn(schema.$ref)];
    if (!found) throw new Error(`The document has no ${schema.$ref}`);
    return this.resolve(found);
  }

  #resolveParameter(given: Parameter | { $ref: string }): Parameter {
    if (!("$ref" in given)) return given;
    const found = this.#parsed.components.parameters[nameIn(given.$ref)];
    if (!found) throw new Error(`The document has no ${given.$ref}`);
    return found;
  }

  #createOperation(path: string, method: string, given: z.output<typeof operation>): Operation {
    const answers = Object.entries(given.responses).filter(([status]) => status !== "default");
    return {
      id: given.operationId,
      ruleId: given.operationId.replace(/^patch/, "update"),
      method,
      path,
      parameters: given.parameters.map((each) => this.#resolveParameter(each)),
      takes: given.security.map((each) => ("session" in each ? "session" : "bearer")),
      body: given.requestBody && {
        isRequired: given.requestBody.required,
        content: given.requestBody.content,
      },
      responses: new Map(
        answers.map(([status, { $ref, content }]) => {
          const at = $ref ?? `#/${["paths", path, method, "responses", status].map(escaped).join("/")}`;
          return [Number(status), answered(at, content ?? this.#findSharedContent($ref))];
        }),
      ),
    };
  }

  #findSharedContent(reference: string | undefined): Content {
    return reference === undefined
      ? {}
      : (this.#parsed.components.responses[nameIn(reference)]?.content ?? {});
  }
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

const answered = (at: string, content: Content): Answered => ({
  mediaTypes: Object.keys(content),
  schemaAt: (mediaType) =>
    content[mediaType]?.schema ? `${at}/content/${escaped(mediaType)}/schema` : undefined,
});
