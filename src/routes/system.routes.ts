/** Health, the favicon, and the interface's own description. */
import { anyone } from "../http/access.ts";
import { content, json, ok, okCached, okContent, okImage, reply } from "../http/answers.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { cachedDocument } from "../openapi/document.ts";
import { DOCS_ASSETS, docsAsset, docsPage } from "../openapi/reference.ts";
import { docsAssetParams, health, openApi, readiness, unhealthy } from "../schemas/system.schemas.ts";

const tag = "System";

/** The document describes the whole table, itself included. */
export const documentRoute = (table: () => readonly Route[]): Route =>
  defineRoute({
    id: "getOpenApiDocument",
    method: "get",
    path: "/api/openapi.json",
    tag,
    summary: "The OpenAPI 3.1 document",
    description: "Returns this document, for tools such as client generators.",
    access: anyone,
    answers: { 200: json("The document", openApi) },
    problems: [412],
    isCacheable: true,
    handle: (_, { system }) => okCached(cachedDocument(table(), system.facts)),
  });

export const systemRoutes: readonly Route[] = [
  defineRoute({
    id: "getHealth",
    method: "get",
    path: "/api/health",
    tag,
    summary: "Check whether the service works",
    description:
      "For liveness probes. Returns 200 as long as the process runs and the database responds, also while the server shuts down.",
    access: anyone,
    answers: { 200: json("It does", health), 503: json("The database doesn't answer", unhealthy) },
    handle: async (_, { system }) => {
      const { isHealthy, timestamp } = await system.health();
      if (!isHealthy) return reply(503, { status: "unavailable", timestamp });
      return ok({ status: "ok", timestamp });
    },
  }),
  defineRoute({
    id: "getReadiness",
    method: "get",
    path: "/api/health/ready",
    tag,
    summary: "Check whether the service takes requests",
    description: "503 while it starts or stops, and when its database can't be read.",
    access: anyone,
    answers: { 200: json("It does", readiness) },
    problems: [503],
    handle: async (_, { system }) => ok(await system.readiness()),
  }),
  defineRoute({
    id: "getFavicon",
    method: "get",
    path: "/api/favicon",
    tag,
    summary: "Get the picture for link previews",
    description:
      "256 × 256 pixels, made from `favicon.svg`, `favicon.png` or `favicon.ico` in the data folder, else the one that ships.",
    access: anyone,
    answers: { 200: content("The picture", "image/png") },
    problems: [412],
    isCacheable: true,
    handle: async (_, { system }) => okImage(await system.favicon()),
  }),
  defineRoute({
    id: "getReference",
    method: "get",
    path: "/api/docs",
    tag,
    summary: "The interactive reference",
    description: "Returns the HTML page of the interactive API reference.",
    access: anyone,
    answers: { 200: content("A page", "text/html") },
    problems: [412],
    isCacheable: true,
    handle: () => okContent(docsPage()),
  }),
  defineRoute({
    id: "getReferenceAsset",
    method: "get",
    path: "/api/docs/{asset}",
    tag,
    summary: "A script or style of the interactive reference",
    description: "Returns one of the files that the interactive API reference loads.",
    access: anyone,
    params: docsAssetParams,
    answers: { 200: content("The script or style", ...new Set(Object.values(DOCS_ASSETS))) },
    problems: [404, 412],
    isCacheable: true,
    handle: async ({ params }) => okContent(await docsAsset(params.asset)),
  }),
];
