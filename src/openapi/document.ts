/** The OpenAPI 3.1 document, made from the route table and the schemas that serve the requests. */
import type { Route } from "../http/define-route.ts";
import { problem } from "../schemas/problem.schemas.ts";
import { type CachedJson, cachedJson } from "../services/cached-json.ts";
import type { ServiceFacts } from "../services/system.service.ts";
import { componentsOf, SchemaRegister } from "./json-schema.ts";
import { operationOf } from "./operation.ts";
import { problemResponses } from "./problems.ts";

const DESCRIPTION = `Gives away books in many languages: a public site lists what is published and asks for downloads, administrators manage the rest.

Every error is a problem document (RFC 9457) with a stable \`code\`; faults of the input are all listed in \`errors\`.`;

type Document = ReturnType<typeof openApiDocument>;

const composed = new WeakMap<ServiceFacts, CachedJson<Document>>();

/** The document as it goes out, composed once for a service. */
export function cachedDocument(routes: readonly Route[], facts: ServiceFacts): CachedJson<Document> {
  const document = composed.get(facts) ?? cachedJson(openApiDocument(routes, facts));
  composed.set(facts, document);
  return document;
}

export function openApiDocument(routes: readonly Route[], { version, serverUrl }: ServiceFacts) {
  const register = new SchemaRegister();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, register) };
  }
  const referring = JSON.stringify(paths);
  const responses = Object.entries(problemResponses(register.schemaFor(problem, "output"))).filter(([name]) =>
    referring.includes(`#/components/responses/${name}"`),
  );
  return {
    openapi: "3.1.1",
    info: {
      title: "Book Distribution Service",
      version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: componentsOf(register),
      responses: Object.fromEntries(responses),
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "auth.session-token",
          description: "The session cookie that the log-in sets.",
        },
        bearer: { type: "http", scheme: "bearer", description: "An API key." },
      },
    },
  };
}
