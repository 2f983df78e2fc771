/** Health, the favicon, and the OpenAPI document. */
import { notFound } from "../errors.ts";
import { anyone } from "../http/access.ts";
import { defineKeptRoute } from "../http/kept-route.ts";
import { content, json, ok, okCached, okContent, okImage, reply } from "../http/responses/responses.ts";
import { renderHomePage } from "../http/responses/server-pages.ts";
import { defineRoute, type KeptCaller } from "../http/route.ts";
import { DOCS_ASSETS, docsPage, getServedDocument, readDocsAsset } from "../openapi/reference.ts";
import type { Campaign } from "../schemas/download-requests.schemas.ts";
import { libraryQuery } from "../schemas/library-pages.schemas.ts";
import { docsAssetParams, health, openApi, readiness, unhealthy } from "../schemas/system.schemas.ts";

import type { Services } from "../services/index.ts";
import type { Accepted } from "../services/shared/results.ts";
import { createVisit, toPage } from "./library-pages.routes.ts";

const onlyForBrowsers = () =>
  notFound("route_not_found", "Only browsers get a page here. The reference of the API is at /api/docs.");

/** The library is also for clients that take anything. */
const takesPage = ({ ranges }: Accepted, hasLibrary: boolean): boolean =>
  ranges.includes("text/html") || (hasLibrary && ranges.includes("*/*"));

/** The library, or else whether the service works. */
async function showStart(
  { accepted, query, ...caller }: KeptCaller & { accepted(): Accepted; query: Campaign },
  { system, libraryPages }: Services,
) {
  const { siteUrl, hasLibrary } = system.facts;
  if (!takesPage(accepted(), hasLibrary)) throw onlyForBrowsers();
  const { isHealthy } = await system.health();
  if (!isHealthy)
    return {
      status: 503,
      headers: { "Retry-After": "5" },
      content: renderHomePage("down", { siteUrl, look: await libraryPages.readLook("en", false) }),
    } as const;
  if (!hasLibrary)
    return okContent(renderHomePage("working", { siteUrl, look: await libraryPages.readLook("en", true) }));
  return toPage(await libraryPages.showHome(caller.host(), createVisit(caller, query, 0)));
}

export const systemRoutes = [
  defineRoute({
    id: "getHomePage",
    method: "get",
    path: "/",
    summary: "Get the start page",
    description:
      "Returns an HTML page: with the library, the books of the language of the host (`customDomain`) or of the browser, or else all languages; without it, whether the service works, with links to the public site and to the API reference. Requests whose `Accept` header lists no HTML get 404.",
    access: anyone,
    query: libraryQuery,
    responses: {
      200: content("The service works", "text/html"),
      503: content("The database doesn't respond", "text/html"),
    },
    problems: [404],
    hasProblemPages: true,
    isCompressed: true,
    handle: showStart,
  }),
  defineRoute({
    id: "getHealth",
    method: "get",
    path: "/api/health",
    summary: "Check that the service works",
    description:
      "For liveness probes. Returns 200 while the process runs and the database responds, including during shutdown.",
    access: anyone,
    responses: {
      200: json("The service works", health),
      503: json("The database doesn't respond", unhealthy),
    },
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
    summary: "Check that the service accepts requests",
    description:
      "For readiness probes and load balancers. Returns 503 only while the server starts or shuts down, or while the connection with which this instance writes has become silent although the database responds to new ones, or while its clock is further off the database's than the life of a download link (`clock_wrong`). The clocks are compared each minute, the rest of the state is refreshed each second. `unavailable` names the database or the file store if it doesn't respond: all instances share them, so no other instance could serve the requests.",
    access: anyone,
    responses: { 200: json("The service accepts requests", readiness) },
    problems: [503],
    handle: async (_, { system }) => ok(await system.readiness()),
  }),
  defineRoute({
    id: "getFavicon",
    method: "get",
    path: "/api/favicon",
    summary: "Get the icon for link previews",
    description:
      "Returns a PNG of 256 × 256 pixels, generated from `favicon.svg` or `favicon.png` in the data folder, or the default icon.",
    access: anyone,
    responses: { 200: content("The icon", "image/png") },
    isCacheable: true,
    handle: async (_, { system }) => okImage(await system.favicon()),
  }),
  defineKeptRoute({
    id: "getReference",
    path: "/api/docs",
    summary: "Open the interactive API reference",
    description: "Returns the HTML page of the interactive API reference.",
    responses: { 200: content("The page", "text/html") },
    handle: () => okContent(docsPage),
  }),
  defineKeptRoute({
    id: "getReferenceAsset",
    path: "/api/docs/{asset}",
    summary: "Get a script or stylesheet of the API reference",
    description: "Returns one of the files that the interactive API reference loads.",
    params: docsAssetParams,
    responses: { 200: content("The script or stylesheet", ...new Set(Object.values(DOCS_ASSETS))) },
    handle: async ({ params }) => okContent(await readDocsAsset(params.asset)),
  }),
  defineKeptRoute({
    id: "getOpenApiDocument",
    path: "/api/openapi.json",
    summary: "Get the OpenAPI document",
    description: "Returns this document, for tools such as client generators.",
    responses: { 200: json("The document", openApi) },
    handle: async (_, { system }) => okCached(await getServedDocument(system.facts)),
  }),
];
