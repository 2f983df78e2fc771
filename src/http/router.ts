/** The router that is built from the route table: every path with its methods, and 405 for the others. */
import type { Request, RequestHandler, Response } from "express";
import { AppError } from "../errors.ts";
import type { Services } from "../services/index.ts";
import { PathIndex } from "./path-index.ts";
import { authenticate } from "./requests/authenticate.ts";
import type { BodyTools } from "./requests/body.ts";
import { knownDeviceTokenOf, type OwnOrigins, writeCookies, writeSessionCookie } from "./requests/cookies.ts";
import type { Limit, LimitName } from "./requests/limits.ts";
import { contextOf, readerOf } from "./requests/request-context.ts";
import type { Reply } from "./responses/responses.ts";
import { sendReply } from "./responses/send-reply.ts";
import { type Call, prefersPage, type Route } from "./route.ts";

export interface RouterDeps {
  services: Services;
  tools: BodyTools;
  limits: Readonly<Record<LimitName, Limit>>;
  origins: OwnOrigins;
  /** Whether the service is known to be reached over https, whatever a request seems to say. */
  isHttps: boolean;
}

/** What is at one path. */
interface Resource {
  path: string;
  isPublic: boolean;
  /** By method as a request names it; HEAD is answered by GET. */
  routes: ReadonlyMap<string, Route>;
  allowed: readonly string[];
}

export function buildRouter(table: readonly Route[], deps: RouterDeps): RequestHandler {
  const { corsOrigins } = deps.origins;
  const resources = new PathIndex<Resource>();
  for (const [path, siblings] of Map.groupBy(table, (route) => route.path))
    resources.add(path, resourceAt(path, siblings));
  return async function router(req, res, next) {
    const found = resources.find(req.path);
    if (!found) return next();
    const { path, isPublic, routes, allowed } = found.value;
    contextOf(req).route = path;
    req.params = found.params;
    if (isPublic && responsesPreflight(req, res, { origins: corsOrigins, methods: allowed })) return;
    const route = routes.get(req.method);
    if (route) await serve(route, req, res, deps);
    else rejectMethod(req, res, allowed);
  };
}

function resourceAt(path: string, siblings: readonly Route[]): Resource {
  const routes = new Map<string, Route>();
  for (const route of siblings) {
    if (route.method === "get") routes.set("HEAD", route);
    routes.set(route.method.toUpperCase(), route);
  }
  return { path, isPublic: siblings.some(isPublic), routes, allowed: [...routes.keys(), "OPTIONS"] };
}

const isPublic = (route: Route): boolean => route.access.isPublic;

function rejectMethod(req: Request, res: Response, allowed: readonly string[]): void {
  const headers = { Allow: allowed.join(", ") };
  if (req.method !== "OPTIONS") {
    throw new AppError(405, "method_not_allowed", `${req.method} is not allowed here.`, { headers });
  }
  res.status(204).set(headers).end();
}

/** One request: credential, limit, permission, input, service, answer. Nothing of a body is read before it is due. */
async function serve(route: Route, req: Request, res: Response, deps: RouterDeps): Promise<void> {
  const { services, origins, isHttps } = deps;
  const { actor, renewed } = await authenticate(req, route, services, origins);
  contextOf(req).actor = actor;
  const isSecure = isHttps || req.secure;
  if (renewed) writeSessionCookie(res, renewed, isSecure);
  const reply = await replyOf(route, { req, res, actor }, deps);
  writeCookies(res, reply, isSecure);
  await sendReply(req, res, route, reply);
}

async function replyOf(
  route: Route,
  call: Pick<Call, "req" | "res" | "actor">,
  { services, tools, limits }: RouterDeps,
): Promise<Reply> {
  const { req, actor } = call;
  const reader = readerOf(req);
  const { address } = reader;
  const device = () => services.auth.knownDevice(knownDeviceTokenOf(req));
  const limited = route.limit && limits[route.limit].of({ address, device });
  try {
    if (route.countsAtOnce(actor)) await limited?.begin();
    const reply = await route.serve({ ...call, reader, tools, services, limited });
    await limited?.settle();
    return reply;
  } catch (error) {
    await limited?.settle(error);
    if (route.hasProblemPages && prefersPage(req))
      contextOf(req).pageLanguage ??= await route.pageLanguage(req, services).catch(() => undefined);
    throw error;
  }
}

// Opens the public routes to the sites that are configured, and to no others.

const MAX_AGE_SECONDS = 600;

/**
 * Sets what a site on another origin must be told. Answers carry no credentials: what is public needs none.
 * @returns whether the request was a preflight, which is then answered
 */
function responsesPreflight(
  req: Request,
  res: Response,
  { origins, methods }: { origins: readonly string[]; methods: readonly string[] },
): boolean {
  const { origin } = req.headers;
  // Nothing has set it before.
  res.setHeader("Vary", "Origin");
  if (origin === undefined || !origins.includes(origin)) return false;
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader(
    "Access-Control-Expose-Headers",
    "Content-Disposition, Content-Range, ETag, Retry-After, X-Request-Id",
  );
  // The files and lists are meant to be read there, against helmet's default.
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  if (req.method !== "OPTIONS") return false;
  res.setHeader("Access-Control-Allow-Methods", methods.join(", "));
  res.setHeader("Access-Control-Allow-Headers", "Content-Type");
  res.setHeader("Access-Control-Max-Age", MAX_AGE_SECONDS);
  res.status(204).end();
  return true;
}
