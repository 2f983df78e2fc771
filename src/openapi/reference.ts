/** The OpenAPI document as it is served, and the interactive reference: Swagger UI from the package's own files. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { notFound } from "../errors.ts";
import type { Content } from "../http/responses/responses.ts";
import { type CachedJson, encodeJson } from "../lib/entity-tag.ts";
import { type OpenApi, openApi } from "../schemas/system.schemas.ts";
import type { ServiceFacts } from "../services/system.service.ts";

const DOCUMENT = new URL("../../openapi.json", import.meta.url);

const served = new WeakMap<ServiceFacts, CachedJson<OpenApi>>();

/** openapi.json with the address of this installation; read once for a service. */
export async function getServedDocument(facts: ServiceFacts): Promise<CachedJson<OpenApi>> {
  const document = served.get(facts) ?? encodeJson(await readDocument(facts));
  served.set(facts, document);
  return document;
}

const readDocument = async ({ serverUrl }: ServiceFacts): Promise<OpenApi> => ({
  ...openApi.parse(JSON.parse(await readFile(DOCUMENT, "utf8"))),
  servers: [{ url: serverUrl }],
});

/** The only files that are served, with their media types. */
export const DOCS_ASSETS: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "start.js": "text/javascript; charset=utf-8",
};

/**
 * Dark where the system is: Swagger UI has the colours and leaves the choice to the page. Groups of operations open when
 * they are clicked, and the schemas are shown at their operations.
 */
const START = `const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
prefersDark.addEventListener("change", follow);
follow();
/* Swagger UI fills the fields of a form with samples, such as the first type of a list, and sends what is left empty. */
const emptyForms = ({ React }) => {
  const withOptions = (change) => (Component) => (props) => React.createElement(Component, { ...props, ...change(props) });
  return {
    wrapComponents: {
      JsonSchemaForm: withOptions(({ dispatchInitialValue }) => dispatchInitialValue && { dispatchInitialValue: false }),
      ParameterIncludeEmpty: withOptions(
        ({ isIncludedOptions }) =>
          isIncludedOptions && { isIncludedOptions: { ...isIncludedOptions, defaultValue: false } },
      ),
    },
  };
};
/* A proxy may serve the API below a path, which requests of the reference then need, too. */
const addRoot = (request) => {
  const root = new URL("..", location).pathname;
  const url = new URL(request.url, location);
  if (url.origin === location.origin && !url.pathname.startsWith(root)) url.pathname = root + url.pathname.slice(1);
  return Object.assign(request, { url: url.href });
};
SwaggerUIBundle({
  url: "openapi.json",
  requestInterceptor: addRoot,
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  plugins: [emptyForms],
});
`;

/** Swagger UI sets styles on elements and draws its icons from data addresses; scripts come from here only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** There is only one server to choose. */
export const docsPage: Content = {
  mediaType: "text/html; charset=utf-8",
  contentSecurityPolicy: POLICY,
  text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Book Distribution Service: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>
.swagger-ui .servers-title, .swagger-ui .servers { display: none }
@media (max-width: 40rem) { .swagger-ui .opblock-tag { flex-wrap: wrap } .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 0 } }
</style>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`,
};

const assets = new Map<string, Promise<Content>>();

/**
 * The same object each time: the file is read once, also when many ask at the same time.
 * @throws AppError 404 for anything but the reference's own files
 */
export async function readDocsAsset(name: string): Promise<Content> {
  const mediaType = Object.hasOwn(DOCS_ASSETS, name) ? DOCS_ASSETS[name] : undefined;
  if (mediaType === undefined) throw notFound("not_found", "Record not found.");
  const asset = assets.get(name) ?? readAsset(name, mediaType);
  assets.set(name, asset);
  // A disk that fails now may give the file later.
  asset.catch(() => assets.delete(name));
  return asset;
}

async function readAsset(name: string, mediaType: string): Promise<Content> {
  if (name === "start.js") return { mediaType, text: START };
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return { mediaType, text: await readFile(path, "utf8") };
}
