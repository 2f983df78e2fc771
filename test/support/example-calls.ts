/** One plausible call of every route: with ids that exist and the document's own example as body. */

import type { Route } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import type { Client } from "./client.ts";

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

/** @param ids values of path parameters by name; a parameter that isn't named gets an id of nothing */
export function createExamplePath(
  { path }: Route,
  ids: Readonly<Record<string, string | number>> = {},
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name] ?? NOTHING));
}

const NOTHING = "01a1fb60-0000-7000-8000-000000000000";

/** The document's own example of a JSON body; undefined where none is taken. */
export const findExampleBody = (route: Route): unknown =>
  findOperation(route).requestBody?.content["application/json"]?.example;

/** Calls a route with the example of its body: JSON where it takes JSON, else a form with a small text file. */
export function callExample(
  client: Client,
  route: Route,
  ids: Readonly<Record<string, string | number>> = {},
  query = "",
) {
  const path = createExamplePath(route, ids) + query;
  const json = findExampleBody(route);
  if ("multipart/form-data" in (findOperation(route).requestBody?.content ?? {}) && json === undefined) {
    return client.call(route.method, path, { form: { file: { bytes: Buffer.from("text"), name: "a.txt" } } });
  }
  return client.call(route.method, path, json === undefined ? {} : { body: json });
}
