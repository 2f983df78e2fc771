/** Kept responses, and the Express application: middleware in order, then the routes. It neither listens nor reads the environment. */
import type { RequestListener } from "node:http";
import cookieParser from "cookie-parser";
import express, { type Request, type RequestHandler } from "express";
import helmet from "helmet";
import { CompressedBytes } from "./adapters/compression.ts";
import { readConsoleBuild } from "./adapters/console-files.ts";
import type { Logger } from "./adapters/logger.ts";
import { readPageFiles } from "./adapters/page-files.ts";
import { rateCountersOf } from "./adapters/rate-counters.ts";
import type { Clock, NewId } from "./adapters/system.ts";
import type { Config } from "./config.ts";
import type { Container } from "./container.ts";
import { notFound } from "./errors.ts";
import { createConsole } from "./http/console.ts";
import { LifecycleGate } from "./http/gate.ts";
import { KeptResponses } from "./http/kept-responses.ts";
import { createPathFinder } from "./http/nearest-path.ts";
import type { ConnectionBounds } from "./http/open-connections.ts";
import { isForm } from "./http/requests/body.ts";
import { prefersPage, rejectBadHeaders } from "./http/requests/headers.ts";
import { readQuery } from "./http/requests/query.ts";
import { createLimits, OpenResponses } from "./http/requests/rate-limit.ts";
import { contextOf, createRequestLog } from "./http/requests/request-context.ts";
import { createProblemHandler } from "./http/responses/problem.ts";
import { DATABASE_LIMITS_MS, type Route } from "./http/route.ts";
import { buildRouter } from "./http/router.ts";
import { createPageLanguages } from "./library/page-languages.ts";
import { PLAIN_LOOK } from "./library/shell.ts";
import { routes } from "./routes/index.ts";
import type { LibraryPages } from "./services/library/library-pages.service.ts";

/**
 * The part of the application before the routes: it responds while the service starts and stops.
 * @throws OperatorError if the operator's texts of readers' pages can't be used
 */
export async function createAppShell(
  { config, log, clock, newId }: { config: Config; log: Logger; clock: Clock; newId: NewId },
  table: readonly Route[] = routes,
  readBuild = readConsoleBuild,
) {
  const { metrics, traffic, page } = await createScrapedMetrics(config.metricsToken);
  const gate = new LifecycleGate({ clock });
  const openResponses = new OpenResponses(config.maxOpenResponses);

  const app = express();
  app.set("trust proxy", config.trustProxy);
  app.set("etag", false);
  app.set("query parser", readQuery);
  app.disable("x-powered-by");

  app.use(beginResponse);
  app.use(helmet(securityHeaders(isHttps(config))));
  app.use(rethrowFailure);
  app.use(rejectBadHeaders);
  app.use(openResponses.limit);
  if (page) app.use(page);
  if (config.console.isOn) app.use(createConsole({ host: config.console.host, readBuild }));
  app.use(cookieParser());
  if (config.hasLibrary) app.use(cutLastSlash);
  app.use(gate.handler);
  const served = selectRoutes(table, config);
  app.use(createPathRejection(served));
  const looks = new Looks();
  const site = { ...describeSite(config), readLook: looks.read };
  const problems = createProblemHandler({ log, traffic, hasPage: createPageRule(served), ...site });
  app.use(problems);

  const trustsProxy: (address: string, hop: number) => boolean = app.get("trust proxy fn");
  const logRequest = createRequestLog({ log, newId, addressStorage: config.ipStorage, trustsProxy }, traffic);
  const listener: RequestListener = (req, res) => {
    logRequest(req, res);
    if (!gate.respondFromKept(req, res)) app(req, res);
  };
  return { app, listener, trustsProxy, openResponses, gate, looks, metrics, problems };
}

/** What problem pages have in common. @throws OperatorError if the operator's texts can't be used */
const describeSite = ({ dataDir, publicSiteUrl, hasLibrary }: Config) => ({
  languages: createPageLanguages(readPageFiles(dataDir)),
  siteUrl: publicSiteUrl,
  hasLibrary,
});

/** What pages show of the organisation: until the services are there, nothing. */
class Looks {
  #source: Pick<LibraryPages, "readLook"> | undefined;

  open(source: Pick<LibraryPages, "readLook">): void {
    this.#source = source;
  }

  readonly read: LibraryPages["readLook"] = async (languageCode, mayWait) =>
    (await this.#source?.readLook(languageCode, mayWait)) ?? PLAIN_LOOK;
}

/** The routes of this configuration. The style sheet is also that of other pages. */
const selectRoutes = (table: readonly Route[], { hasLibrary }: Config): readonly Route[] =>
  hasLibrary ? table : table.filter(({ tag, id }) => tag !== "Library pages" || id === "getLibraryStyle");

/** 404 for a path that no operation has. */
function createPathRejection(served: readonly Route[]): RequestHandler {
  const findNearestPath = createPathFinder([...new Set(served.map(({ path }) => path))]);
  return ({ path }) => {
    const nearest = findNearestPath(path);
    const question = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    throw notFound("route_not_found", `No operation has this path.${question}`);
  };
}

const beginResponse: RequestHandler = (req, res, next) => {
  res.setHeader("X-Request-Id", contextOf(req).id);
  next();
};

/** `/library/es/` is `/library/es`. The redirect is relative: a proxy may serve the service below a path of its own. */
const cutLastSlash: RequestHandler = ({ path, url }, res, next) => {
  if (!path.startsWith("/library/") || !path.endsWith("/")) return next();
  const segments = path.split("/").filter((segment) => segment !== "");
  const query = url.slice(path.length);
  res.status(308).set("Location", `${"../".repeat(path.split("/").length - 2)}${segments.join("/")}${query}`);
  res.end();
};

/** The response to an error of reading a kept response is that of any other error. */
const rethrowFailure: RequestHandler = (req, _res, next) => next(contextOf(req).failure);

/** Whether the response is a page in place of a problem document. */
function createPageRule(table: readonly Route[]) {
  const withPages = new Map(
    table.filter((route) => route.hasProblemPages).map((route) => [`${route.method} ${route.path}`, route]),
  );
  return (req: Request): boolean => {
    // A method that the path doesn't have is no browser's, and its problem no page's.
    const method = req.method === "HEAD" ? "get" : req.method.toLowerCase();
    const route = withPages.get(`${method} ${contextOf(req).route}`);
    if (route === undefined) return false;
    if (route.hasProblemPages === "always") return true;
    return prefersPage(req) && (route.body === undefined || isForm(req));
  };
}

export type AppShell = Awaited<ReturnType<typeof createAppShell>>;

/** Without METRICS_TOKEN, nothing is counted. */
async function createScrapedMetrics(token: string | undefined) {
  if (token === undefined) return { metrics: undefined, traffic: undefined, page: undefined };
  const { createMetrics } = await import("./http/metrics.ts");
  return createMetrics(token);
}

/** The connection limits of the server: unlimited for trusted proxies. */
export const connectionBoundsOf = (
  { maxConnections, maxConnectionsPerAddress }: Config,
  { trustsProxy }: AppShell,
): ConnectionBounds => ({
  max: maxConnections,
  maxPerAddress: maxConnectionsPerAddress,
  isProxy: (address) => trustsProxy(address, 0),
});

/** Begins to serve the routes. */
export function openApp(
  { app, openResponses, gate, looks, metrics, problems }: AppShell,
  container: Container,
  table: readonly Route[] = routes,
  databaseLimitsMs = DATABASE_LIMITS_MS,
): void {
  const { config, store, database, secret, services, clock } = container;
  const { corsOrigins, maxUploadBytes, publicBaseUrl } = config;
  const ownOrigin = originOf(publicBaseUrl);
  const limits = createLimits(config.rateLimits, rateCountersOf(database, secret));
  metrics?.addCounter({
    name: "bookdist_rate_limit_rejected_total",
    help: "Requests above a rate limit, which got 429.",
    label: "limit",
    read: () => Object.fromEntries(Object.entries(limits).map(([limit, { rejected }]) => [limit, rejected])),
  });
  if (metrics) container.measure(metrics);
  const compressed = new CompressedBytes();
  const { publicCacheSeconds } = config;
  const keeping = { compressed, openResponses, databaseLimitsMs, publicCacheSeconds, clock };
  const kept = new KeptResponses({ ...keeping, services, limits, app });
  const router = buildRouter(selectRoutes(table, config), {
    services,
    tools: {
      receiveFile: (source, { maxBytes = maxUploadBytes, signal }) =>
        store.receive(source, { maxBytes: Math.min(maxBytes, maxUploadBytes), signal }),
      formOrigins: {
        ownOrigin,
        siteOrigins: [...corsOrigins, originOf(config.publicSiteUrl) ?? []].flat(),
        isCustomDomain: (hostName) => services.publicCatalogue.isCustomDomain(hostName),
      },
    },
    limits,
    ownOrigin,
    corsOrigins,
    isHttps: isHttps(config),
    databaseLimitsMs,
    compressed,
    publicCacheSeconds,
    clock,
    kept,
  });
  // Also here: an error that leaves a router would otherwise wait for the next event-loop turn.
  looks.open(services.libraryPages);
  gate.open(router.use(problems), kept);
}

/** The complete application. */
export async function createApp(
  container: Container,
  table: readonly Route[] = routes,
): Promise<RequestListener> {
  const shell = await createAppShell(container, table);
  openApp(shell, container, table);
  return shell.listener;
}

const originOf = (url: string | undefined): string | undefined => url && new URL(url).origin;

const isHttps = (config: Config): boolean => originOf(config.publicBaseUrl)?.startsWith("https:") ?? false;

/** Responses are data: nothing in them may run, load or be framed. Our own pages set their own policy. */
const securityHeaders = (isHttps: boolean) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  strictTransportSecurity: isHttps,
});
