/** The operations of the OpenAPI document. */
import type { Route } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";

const document = openApiDocument(routes, "0.0.0");
const parameters: Readonly<Record<string, Parameter>> = document.components.parameters;

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; description?: unknown; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, OpenApiContent> };
  responses: Record<
    string,
    { description?: string; $ref?: string; content?: Record<string, OpenApiContent> }
  >;
}

export interface OpenApiResponse {
  $ref?: string;
  description?: string;
  content?: Record<string, OpenApiContent>;
}

export interface OpenApiContent {
  schema?: object;
  example?: unknown;
}

export function findOperation(route: Route): OpenApiOperation {
  const operation: unknown = document.paths[route.path]?.[route.method];
  if (!isOperation(operation)) throw new Error(`The document has no ${route.method} ${route.path}`);
  return { ...operation, parameters: operation.parameters.map(resolveParameter) };
}

type Parameter = OpenApiOperation["parameters"][number];

function resolveParameter(parameter: Parameter | { $ref: string }): Parameter {
  if (!("$ref" in parameter)) return parameter;
  const known = parameters[parameter.$ref.split("/").at(-1) ?? ""];
  if (!known) throw new Error(`The document has no ${parameter.$ref}`);
  return known;
}

const isOperation = (value: unknown): value is OpenApiOperation =>
  typeof value === "object" && value !== null && "responses" in value;
