/** Validates responses against the OpenAPI document, strictly, and records the seen statuses of each operation. */
import { appendFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Response } from "supertest";
import { expect } from "vitest";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { createStrictDocument } from "../../tools/lib/strict-document.ts";

const document = openApiDocument(routes, "0.0.0");

/** What the service writes; the formats themselves allow more. */
export const WIRE_FORMATS = {
  "date-time": /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4,}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/,
  "uri-reference": true,
  email: /^\S+@\S+$/,
  binary: true,
} as const;

const ajv = new Ajv2020({ strict: false, formats: WIRE_FORMATS, allErrors: true });
ajv.addSchema(createStrictDocument(document), "document");

const patterns = routes.map((route) => ({
  route,
  matches: new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Where seen statuses are noted; set for a run of all tests. */
const seenFile = process.env.SEEN_STATUSES_FILE;

export function checkAgainstDocument(method: string, path: string, response: Response): void {
  const [pathname = ""] = path.split("?");
  const asked = method === "head" ? "get" : method;
  const route =
    routes.find((candidate) => candidate.method === asked && candidate.path === pathname) ??
    patterns.find(({ route: { method: known }, matches }) => known === asked && matches.test(pathname))
      ?.route;
  if (!route) return;
  const { status } = response;
  const isDocumented = String(status) in findOperation(route.path, route.method).responses;
  // A wrong method, a broken connection or an error of ours may come from anywhere: the document's `default`.
  expect(isDocumented || status >= 500 || status === 405, `${method} ${path}: ${status} is documented`).toBe(
    true,
  );
  if (seenFile !== undefined && isDocumented) appendFileSync(seenFile, `${route.id} ${status}\n`);
  if (method === "head" || status === 304 || status === 204) return;
  checkBody(route, response, isDocumented);
}

function checkBody(route: { path: string; method: string }, response: Response, isDocumented: boolean): void {
  const type = response.headers["content-type"]?.split(";")[0] ?? "";
  if (type === "application/problem+json") validate("document#/components/schemas/Problem", response.body);
  else if (type === "application/json" && isDocumented) {
    const { content } = findOperation(route.path, route.method).responses[String(response.status)] ?? {};
    if (!content?.["application/json"]?.schema) return;
    const pointer = [
      "paths",
      route.path,
      route.method,
      "responses",
      String(response.status),
      "content",
      "application/json",
      "schema",
    ];
    validate(`document#/${pointer.map(escaped).join("/")}`, response.body);
  }
}

function validate(reference: string, body: unknown): void {
  const check = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  expect(check(body) ? [] : check.errors, `the answer has the documented shape (${reference})`).toEqual([]);
}

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: unknown }> }>;
}

function findOperation(path: string, method: string): Operation {
  const operation: unknown = document.paths[path]?.[method];
  if (!isOperation(operation)) throw new Error(`The document has no ${method} ${path}`);
  return operation;
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "responses" in value;
