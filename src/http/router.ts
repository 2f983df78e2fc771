/** Builds the Express router from the route table. */
import cors from "cors";
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { CompressedBytes } from "../adapters/compression.ts";
import type { Clock } from "../adapters/system.ts";
import { currentRequest, RequestScope, runRequest } from "../db/request-scope.ts";
import { AppError, badRequest } from "../errors.ts";
import type { Services } from "../services/index.ts";
import { type Actor, userIdOf } from "../services/shared/actor.ts";
import type { SessionToken } from "../services/users/auth.service.ts";
import { assertAuthenticated } from "./access.ts";
import type { KeptResponses } from "./kept-responses.ts";
import { findOperationBelow } from "./nearest-path.ts";
import type { BodyTools } from "./requests/body.ts";
import {
  readKnownDeviceToken,
  readSessionToken,
  rejectCrossSite,
  writeCookies,
  writeSessionCookie,
} from "./requests/cookies.ts";
import { prefersPage } from "./requests/headers.ts";
import { RequestsAtOnce } from "./requests/rate-limit.ts";
import { addressOf, contextOf, describeReader } from "./requests/request-context.ts";
import type { Reply } from "./responses/responses.ts";
import { sendReply } from "./responses/send-reply.ts";
import type { DATABASE_LIMITS_MS, Limits, Route, RouteRequest } from "./route.ts";

interface RouterDeps {
  services: Services;
  tools: BodyTools;
  limits: Limits;
  /** The origin of PUBLIC_BASE_URL. */
  ownOrigin: string | undefined;
  /** Whose pages may read the public operations. */
  corsOrigins: readonly string[];
  /** Whether the service is known to use https, regardless of the request. */
  isHttps: boolean;
  databaseLimitsMs: typeof DATABASE_LIMITS_MS;
  compressed: CompressedBytes;
  publicCacheSeconds: number;
  clock: Clock;
  kept: KeptResponses;
}

interface Deps extends RouterDeps {
  atOnce: RequestsAtOnce;
}

/** An Express router with each path of the table: its methods, OPTIONS, and 405 for others. */
export function buildRouter(table: readonly Route[], given: RouterDeps): Router {
  const deps = { ...given, atOnce: new RequestsAtOnce() };
  const router = Router({ caseSensitive: true, strict: true });
  const sorted = sortByMatching(table);
  for (const [path, siblings] of sorted) {
    const methods = siblings.map(({ method }) => method.toUpperCase());
    const allowed = [...(methods.includes("GET") ? ["HEAD"] : []), ...methods, "OPTIONS"].join(", ");
    const resource = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    resource.all((req, _res, next) => {
      contextOf(req).route = path;
      next();
    });
    if (siblings.some(({ isForAnySite }) => isForAnySite)) resource.all(permitAnySite);
    else if (path.startsWith(API) && siblings.some(({ access }) => access.isPublic))
      resource.all(createCors(deps.corsOrigins, allowed));
    for (const route of siblings)
      resource[route.method]((req, res) =>
        runRequest(createScope(route, res, deps), () => serve(route, req, res, deps)),
      );
    resource.all((req, res) => rejectMethod(req, res, { path, allowed, table }));
  }
  return router.use(createAddressRejection(sorted.map(([path]) => path)));
}

/**
 * The routes by path. The first matching path wins, so a literal precedes a placeholder: a brace sorts last. Express tries
 * one path after the other, and readers send most requests, so the paths of administrators are last.
 */
function sortByMatching(table: readonly Route[]): [path: string, siblings: Route[]][] {
  const place = (path: string) => `${Number(path.startsWith("/api/admin/"))}${path}`;
  const byPath = [...Map.groupBy(table, (route) => route.path)];
  return byPath.sort(([one], [other]) => (place(one) < place(other) ? -1 : 1));
}

interface Resource {
  path: string;
  allowed: string;
  table: readonly Route[];
}

function rejectMethod(req: Request, res: Response, { path, allowed, table }: Resource): void {
  const headers = { Allow: allowed };
  if (req.method !== "OPTIONS") {
    const operation = findOperationBelow(path, req.method, table);
    const advice = operation === undefined ? `Allowed are ${allowed}.` : `Did you mean ${operation}?`;
    throw new AppError(405, "method_not_allowed", `${req.method} is not allowed here. ${advice}`, {
      headers,
    });
  }
  res.status(204).set(headers).end();
}

/** A path parameter that isn't percent-encoded UTF-8: Express throws before the route. */
function createAddressRejection(paths: readonly string[]): ErrorRequestHandler {
  const patterns = paths.map((path) => ({
    path,
    matches: new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(RegExp.escape)
        .join("[^/]+")}$`,
    ),
  }));
  return (error: unknown, req, _res, _next) => {
    const context = contextOf(req);
    if (!(error instanceof URIError) || context.route !== undefined) throw error;
    // It decides whether the response is a page.
    context.route = patterns.find(({ matches }) => matches.test(req.path))?.path;
    throw badRequest("malformed_address", "The address is not percent-encoded UTF-8.", { cause: error });
  };
}

/** Other paths have pages. */
const API = "/api/";

/**
 * Enables CORS on a public path for the configured sites. Responses permit no credentials, because public data needs
 * none. A preflight from another site gets the usual response to OPTIONS.
 */
function createCors(origins: readonly string[], methods: string): RequestHandler {
  const setHeaders = cors({
    methods,
    allowedHeaders: "Content-Type",
    exposedHeaders: "Content-Disposition, Content-Range, ETag, Retry-After, X-Request-Id",
    maxAge: 600,
    // The origin is already known to be configured.
    origin: true,
  });
  return (req, res, next) => {
    res.vary("Origin");
    if (!origins.includes(req.headers.origin ?? "")) return next();
    // Lists and files are meant to be read from there, contrary to helmet's default.
    res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    setHeaders(req, res, next);
  };
}

/** What is the same for every site, and shows nothing of the catalogue. */
const permitAnySite: RequestHandler = (_req, res, next) => {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  next();
};

/** Before the response begins, a client that has left gets nothing of it. */
const createScope = ({ databaseLimit = "other" }: Route, res: Response, { databaseLimitsMs }: RouterDeps) =>
  new RequestScope(
    databaseLimitsMs[databaseLimit],
    () => res.req.socket.destroyed && !res.headersSent,
    (listener) => res.once("close", listener),
  );

/**
 * Serves one request: credential, limit, permission, input, service, response. The body is read only after the earlier
 * steps.
 */
async function serve(route: Route, req: Request, res: Response, deps: Deps): Promise<void> {
  const { actor, renewed } = await authenticate(req, route, deps);
  contextOf(req).actor = actor;
  const request = currentRequest();
  if (request && actor) request.userId = userIdOf(actor);
  const isSecure = deps.isHttps || req.secure;
  if (renewed) writeSessionCookie(res, renewed, isSecure);
  const reply = await serveRoute(route, { req, res, actor }, deps);
  writeCookies(res, reply, isSecure);
  const validMs = (request?.validUntil ?? Infinity) - deps.clock.now();
  const sharing = { seconds: deps.publicCacheSeconds, validMs };
  await sendReply({ req, res, route, compressed: deps.compressed, sharing }, reply);
  deps.kept.keep(req, res, route);
}

interface Authenticated {
  actor: Actor | undefined;
  /** The new token of a renewed session, for the cookie. */
  renewed: SessionToken | undefined;
}

const NO_ACTOR: Authenticated = { actor: undefined, renewed: undefined };

/**
 * Uses only the credentials that this access accepts. An `Authorization` header excludes the cookie: a request with an
 * invalid key isn't authenticated by its session, not even on a public route that accepts keys.
 */
async function authenticate(
  req: Request,
  { access, startsWork }: Route,
  { services: { auth, apiKeys }, ownOrigin }: RouterDeps,
): Promise<Authenticated> {
  if (access.credentials.length === 0) return NO_ACTOR;
  const origin = { address: addressOf(req), requestId: contextOf(req).id };
  const authorization = req.get("authorization");
  if (authorization !== undefined) {
    const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const isTaken = key !== undefined && access.credentials.includes("apiKey");
    const actor = isTaken ? await apiKeys.identify(key, origin) : undefined;
    return { actor: access.isPublic ? assertAuthenticated(actor) : actor, renewed: undefined };
  }
  if (!access.credentials.includes("session")) return NO_ACTOR;
  const token = readSessionToken(req);
  const identified = token === undefined ? undefined : await auth.identify(token, origin);
  if (!identified) return NO_ACTOR;
  rejectCrossSite(req, ownOrigin, startsWork?.(req.query));
  return identified;
}

async function serveRoute(
  route: Route,
  request: Pick<RouteRequest, "req" | "res" | "actor">,
  { services, tools, limits, atOnce }: Deps,
): Promise<Reply> {
  const { req, actor } = request;
  const reader = describeReader(req);
  const { address } = reader;
  const device = () => services.auth.knownDevice(readKnownDeviceToken(req));
  const limited = route.limit && limits[route.limit].begin({ address, findDevice: device });
  try {
    const run = () => route.serve({ ...request, reader, tools, services, limited, limits });
    const { id, maxAtOnce } = route;
    const reply = maxAtOnce && actor ? await atOnce.run(id, maxAtOnce, userIdOf(actor), run) : await run();
    await limited?.settle();
    return reply;
  } catch (error) {
    await limited?.settle(error);
    if (route.describePage && prefersPage(req))
      contextOf(req).page = await route.describePage(req, services, reader).catch(() => ({}));
    throw error;
  }
}
