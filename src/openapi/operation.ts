/** Builds an operation of the document from a route. */
import type { z } from "zod";
import type { BodySpec } from "../http/requests/body.ts";
import type { ResponseSpec } from "../http/responses/responses.ts";
import type { Route } from "../http/route.ts";
import { type Grant, ROLE_PERMISSIONS, ROLES, type Role } from "../schemas/permissions.ts";
import type { SchemaRegister } from "./json-schema.ts";
import { createProblemReference, DEFAULT_PROBLEM } from "./problems.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: unknown;
  schema: Readonly<Record<string, unknown>>;
}

export function describeOperation(route: Route, register: SchemaRegister) {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, describeAccess(route)].filter(Boolean).join("\n\n"),
    security: describeSecurity(route),
    parameters: [
      ...describeParameters(route.params, "path", register),
      ...describeParameters(route.query, "query", register),
      ...(route.takesIfMatch ? [IF_MATCH] : []),
    ],
    ...(route.body && { requestBody: requestBodyOf(route.body, register) }),
    responses: describeResponses(route, register),
  };
}

/** The statuses of problems that this route can return, in order. */
function listProblemStatuses(route: Route): number[] {
  // Every route rejects a path that isn't percent-encoded UTF-8, and a client with too many open responses.
  const statuses = new Set([400, 429, ...(route.problems ?? [])]);
  if (route.readsBody) statuses.add(413).add(415);
  if (route.params) statuses.add(404);
  if (route.isCacheable || route.takesIfMatch) statuses.add(412);
  if (route.access.credentials.length > 0) statuses.add(401);
  if (mayBeForbidden(route) || isCheckedForOrigin(route)) statuses.add(403);
  return [...statuses].filter((status) => !(status in route.responses)).sort((a, b) => a - b);
}

/** Whether an accepted credential can lack the permission: by its role, or by the scope of the key. */
function mayBeForbidden({ access: { credentials, permission } }: Route): boolean {
  if (permission === undefined) return false;
  const isEveryRoles = ROLES.every((role) => grantsOf(role).includes(permission));
  return credentials.includes("apiKey") || !isEveryRoles;
}

const grantsOf = (role: Role): readonly Grant[] => ROLE_PERMISSIONS[role];

/** Whether a request in a session from another site is rejected. */
const isCheckedForOrigin = ({ method, access, startsWork }: Route): boolean =>
  access.credentials.includes("session") && (method !== "get" || startsWork !== undefined);

function describeAccess({ access }: Route): string {
  if (access.credentials.length === 0) return "";
  if (access.isPublic)
    return `Public. An \`Authorization\` header, if present, must contain an API key with the scope \`${access.permission}\`.`;
  const who = access.credentials.includes("apiKey")
    ? "Requires a session or an API key"
    : "Requires a session";
  return access.permission ? `${who} with the permission \`${access.permission}\`.` : `${who}.`;
}

/** `{}` means that the credential is optional. */
function describeSecurity({ access: { isPublic, credentials } }: Route): Record<string, never[]>[] {
  const taken = credentials.map((credential) => ({ [credential === "session" ? "session" : "bearer"]: [] }));
  return isPublic && taken.length > 0 ? [{}, ...taken] : taken;
}

const IF_MATCH = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "Entity tags, or `*`. The change is made only if the record is in one of these versions: the `version` of the record in quotes, as in the `ETag` of responses. Otherwise the response is 412 `changed_meanwhile` with the record as it is.",
  schema: { type: "string" },
} as const;

function describeParameters(
  schema: z.ZodType | undefined,
  place: "path" | "query",
  register: SchemaRegister,
): Parameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = register.createSchema(schema, "parameter");
  const isRequired = (name: string) =>
    place === "path" || (Array.isArray(required) && required.includes(name));
  return Object.entries(asObject(properties)).map(([name, described]) => {
    const { description, ...value } = asObject(described);
    return { name, in: place, required: isRequired(name), description, schema: value };
  });
}

function requestBodyOf(body: BodySpec<unknown>, register: SchemaRegister) {
  const content = body.shapes
    .filter(({ isUndocumented }) => !isUndocumented)
    .map(({ mediaType, schema, hasFile }) => {
      if (!schema) return [mediaType, {}];
      const fields = register.createSchema(schema, "body");
      return [mediaType, hasFile ? describeForm(fields) : withExample(fields, register)];
    });
  return { required: body.isRequired, content: Object.fromEntries(content) };
}

function withExample(schema: Record<string, unknown>, register: SchemaRegister) {
  const example = findExample(schema, register.components);
  return { schema, ...(example !== undefined && { example }) };
}

const FILE = { type: "string", format: "binary", description: "The content of the file." };

/** The fields of a form, including the file. */
function describeForm({ examples, ...fields }: Record<string, unknown>) {
  const required = Array.isArray(fields.required) ? fields.required : [];
  const properties = { ...asObject(fields.properties), file: FILE };
  const [example] = Array.isArray(examples) ? examples : [];
  return {
    schema: { ...fields, properties, required: [...required, "file"] },
    example: { ...asObject(example), file: "the bytes of the file" },
  };
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function describeResponses(route: Route, register: SchemaRegister) {
  const successes = Object.entries(route.responses).map(([status, response]) => [
    status,
    { ...describeResponse(response, register), ...headersOf(status, response) },
  ]);
  const cached =
    route.isCacheable && !(304 in route.responses) ? [["304", { description: "Not modified" }]] : [];
  const referToProblem = (status: number) => createProblemReference(status, Boolean(route.hasProblemPages));
  const problems = listProblemStatuses(route).map((status) => [String(status), referToProblem(status)]);
  const rest = ["default", referToProblem(DEFAULT_PROBLEM)];
  return Object.fromEntries([...successes, ...cached, ...problems, rest]);
}

function headersOf(status: string, response: ResponseSpec) {
  const headers = {
    ...(status === "201" && { Location: header("Path of the new resource.") }),
    ...(status === "202" && { Location: header("Path of the job.") }),
    ...(response.kind === "json" &&
      response.hasVersion && { ETag: header("The `version` of the record, in quotes.") }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

const header = (description: string) => ({ description, schema: { type: "string" } });

const describeCsv = (example: string) => ({ "text/csv": { schema: { type: "string" }, example } });

function describeResponse(response: ResponseSpec, register: SchemaRegister) {
  const { description } = response;
  if (response.kind === "empty") return { description };
  if (response.kind === "json") {
    const json = withExample(register.createSchema(response.schema, "response"), register);
    const csv = response.csvExample !== undefined && describeCsv(response.csvExample);
    const page = response.hasPage && { "text/html": { schema: { type: "string" } } };
    return { description, content: { "application/json": json, ...csv, ...page } };
  }
  if (response.kind === "csv") {
    return { description, content: describeCsv(response.example) };
  }
  return {
    description,
    // Validators compare media types without parameters such as the charset.
    content: Object.fromEntries(
      response.mediaTypes.map((given) => {
        const mediaType = given.replace(/;.*/, "");
        return [mediaType, mediaType === "text/html" ? { schema: { type: "string" } } : {}];
      }),
    ),
  };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** @returns the schema's own example, or one composed from its parts; undefined if a part has none */
export function findExample(schema: unknown, components: ReadonlyMap<string, JsonSchema>): unknown {
  if (!isObject(schema)) return undefined;
  const { $ref, examples, type, properties, items, anyOf } = schema;
  if (typeof $ref === "string") return findExample(components.get($ref.split("/").at(-1) ?? ""), components);
  if (Array.isArray(examples)) return examples[0];
  if ("const" in schema) return schema.const;
  if (Array.isArray(anyOf)) return findExample(anyOf[0], components);
  if (type === "array") return listOf(findExample(items, components));
  if (type === "object" && isObject(properties)) return composeExample(properties, components);
  return undefined;
}

const listOf = (item: unknown): unknown => (item === undefined ? undefined : [item]);

function composeExample(properties: JsonSchema, components: ReadonlyMap<string, JsonSchema>): unknown {
  const parts = Object.entries(properties).map(([name, part]) => [name, findExample(part, components)]);
  return parts.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(parts);
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
