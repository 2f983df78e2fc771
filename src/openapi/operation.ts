/** One operation of the document, from one route. */
import type { z } from "zod";
import type { AnswerSpec } from "../http/answers.ts";
import type { BodySpec } from "../http/body.ts";
import type { Route } from "../http/define-route.ts";
import type { SchemaRegister } from "./json-schema.ts";

export function operationOf(route: Route, register: SchemaRegister) {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessSentence(route)].filter(Boolean).join("\n\n"),
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, "path", register),
      ...parametersOf(route.query, "query", register),
    ],
    ...(route.body && { requestBody: requestBodyOf(route.body, register) }),
    responses: responsesOf(route, register),
  };
}

/** The statuses of problems that a caller of this route must reckon with, in order. */
export function problemStatuses(route: Route): number[] {
  const statuses = new Set(route.problems);
  if (route.body || route.query) statuses.add(400);
  if (route.body) statuses.add(413).add(415);
  if (route.params) statuses.add(404);
  if (route.access.credentials.length > 0) statuses.add(401);
  if (route.access.permission || isUnsafeInSession(route)) statuses.add(403);
  if (route.limit) statuses.add(429);
  return [...statuses].filter((status) => !(status in route.answers)).sort((a, b) => a - b);
}

const isUnsafeInSession = (route: Route): boolean =>
  route.method !== "get" && route.access.credentials.includes("session");

function accessSentence({ access }: Route): string {
  if (access.credentials.length === 0) return "";
  const who = access.credentials.includes("apiKey") ? "A session or an API key" : "A session";
  return access.permission ? `${who} with the permission \`${access.permission}\`.` : `${who}.`;
}

const securityOf = ({ access }: Route): Record<string, never[]>[] =>
  access.credentials.map((credential) => ({ [credential === "session" ? "session" : "bearer"]: [] }));

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query", register: SchemaRegister) {
  if (!schema) return [];
  const { properties = {}, required = [] } = register.schemaFor(schema, "input");
  const isRequired = (name: string) =>
    place === "path" || (Array.isArray(required) && required.includes(name));
  return Object.entries(properties ?? {}).map(([name, described]) => ({
    name,
    in: place,
    required: isRequired(name),
    schema: described,
  }));
}

function requestBodyOf(body: BodySpec<unknown>, register: SchemaRegister) {
  const content = body.shapes.map(({ mediaType, schema, hasFile }) => {
    if (!schema) return [mediaType, {}];
    const fields = register.schemaFor(schema, "input");
    return [mediaType, { schema: hasFile ? withFile(fields) : fields }];
  });
  return { required: body.isRequired, content: Object.fromEntries(content) };
}

const withFile = (fields: Record<string, unknown>) => ({
  ...fields,
  properties: {
    ...(typeof fields.properties === "object" && fields.properties),
    file: { type: "string", format: "binary" },
  },
  required: [...(Array.isArray(fields.required) ? fields.required : []), "file"],
});

function responsesOf(route: Route, register: SchemaRegister) {
  const problem = { $ref: "#/components/responses/Problem" };
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    responseOf(answer, register),
  ]);
  const cached = route.isCacheable && !(304 in route.answers) ? [["304", { description: "Unchanged" }]] : [];
  const problems = problemStatuses(route).map((status) => [String(status), problem]);
  return Object.fromEntries([...answers, ...cached, ...problems, ["default", problem]]);
}

function responseOf(answer: AnswerSpec, register: SchemaRegister) {
  const { description } = answer;
  if (answer.kind === "empty") return { description };
  if (answer.kind === "json") {
    return {
      description,
      content: { "application/json": { schema: register.schemaFor(answer.schema, "output") } },
    };
  }
  return { description, content: Object.fromEntries(answer.mediaTypes.map((mediaType) => [mediaType, {}])) };
}
