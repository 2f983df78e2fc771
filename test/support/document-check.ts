/** Validates responses against the OpenAPI document, strictly, and records the seen statuses of each operation. */
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Response } from "supertest";
import type { Route } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { createStrictDocument } from "../../tools/lib/strict-document.ts";
import { findOperation } from "./operations.ts";

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

/** In the router's order: a literal precedes a placeholder, `/library/style-{hash}.css` `/library/{code}`. */
const patterns = routes
  .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  .map((route) => ({
    route,
    matches: new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

/** Where seen statuses are noted; set for a run of all tests. */
const seenFile = process.env.SEEN_STATUSES_FILE;

/** The route of a request; undefined on a path or with a method that no route has. */
export function findRoute(method: string, pathname: string): Route | undefined {
  const asked = method === "head" ? "get" : method;
  return (
    routes.find((candidate) => candidate.method === asked && candidate.path === pathname) ??
    patterns.find(({ route: { method: known }, matches }) => known === asked && matches.test(pathname))?.route
  );
}

export function checkAgainstDocument(method: string, path: string, response: Response): void {
  const [pathname = ""] = path.split("?");
  const route = findRoute(method, pathname);
  if (!route) return;
  const { status } = response;
  const isDocumented = String(status) in findOperation(route).responses;
  // A wrong method, a broken connection or an error of ours may come from anywhere: the document's `default`.
  assert.ok(isDocumented || status >= 500 || status === 405, `${method} ${path}: ${status} isn't documented`);
  if (seenFile !== undefined && isDocumented) appendFileSync(seenFile, `${route.id} ${status}\n`);
  if (method === "head" || status === 304 || status === 204) return;
  const type = response.headers["content-type"]?.split(";")[0] ?? "";
  checkBody(route, { status, type, body: response.body });
}

interface ReceivedBody {
  status: number;
  /** The media type without parameters. */
  type: string;
  body: unknown;
}

/** Whether a body of a response has the documented shape. @throws AssertionError */
function checkBody(route: Route, { status, type, body }: ReceivedBody): void {
  if (type === "application/problem+json") validate("document#/components/schemas/Problem", body);
  else if (type === "application/json") {
    const place = ["responses", String(status), "content", "application/json", "schema"];
    if (findOperation(route).responses[String(status)]?.content?.["application/json"]?.schema)
      validate(pointerTo(route, place), body);
  }
}

/** Throws unless a value has a documented shape. */
export type AssertShape<T> = (value: unknown) => asserts value is T;

/** For the JSON body of requests; undefined where an operation takes none. */
export function findRequestShape<T>(route: Route): AssertShape<T> {
  if (findOperation(route).requestBody?.content["application/json"]?.schema)
    return shapeAt(pointerTo(route, ["requestBody", "content", "application/json", "schema"]));
  return (value) => assert.equal(value, undefined, `${route.id} takes no JSON`);
}

export interface SuccessOf<T> {
  status: number;
  assertBody: AssertShape<T>;
  /** Undefined without JSON. */
  example: unknown;
}

/** The first successful response of an operation. */
export function findSuccess<T>(route: Route): SuccessOf<T> {
  const [status = "", response] =
    Object.entries(findOperation(route).responses).find(([each]) => each.startsWith("2")) ?? [];
  const json = response?.content?.["application/json"];
  const place = ["responses", status, "content", "application/json", "schema"];
  const assertBody: AssertShape<T> = json
    ? shapeAt(pointerTo(route, place))
    : (value) => assert.equal(value, undefined, `${route.id} has no JSON`);
  return { status: Number(status), assertBody, example: json?.example };
}

const pointerTo = ({ path, method }: Route, place: readonly string[]): string =>
  `document#/${["paths", path, method, ...place].map(escaped).join("/")}`;

function validate(reference: string, body: unknown): void {
  const check = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  assert.deepEqual(check(body) ? [] : check.errors, [], `not the documented shape (${reference})`);
}

const shapeAt =
  <T>(reference: string): AssertShape<T> =>
  (value) =>
    validate(reference, value);

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
