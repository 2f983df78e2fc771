/** The router that is built from the route table: every path with its methods, and 405 for the others. */
import type { Request, RequestHandler, Response } from "express";
import { AppError } from "../errors.ts";
import type { Services } from "../services/index.ts";
import { authenticate } from "./authenticate.ts";
import type { BodyTools } from "./body.ts";
import { answersPreflight } from "./cors.ts";
import type { OwnOrigins } from "./cross-site.ts";
import type { LimitName, Route } from "./define-route.ts";
import { PathIndex } from "./path-index.ts";
import { accountKey, addressKey, type RateLimit } from "./rate-limit.ts";
import { contextOf, readerOf } from "./request-context.ts";
import { sendReply } from "./send-reply.ts";
import { writeSessionCookie } from "./session-cookie.ts";

export interface RouterUses {
  services: Services;
  tools: BodyTools;
  limits: Readonly<Record<LimitName, RateLimit>>;
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

export function buildRouter(table: readonly Route[], uses: RouterUses): RequestHandler {
  const { corsOrigins } = uses.origins;
  const resources = new PathIndex<Resource>();
  for (const [path, siblings] of Map.groupBy(table, (route) => route.path))
    resources.add(path, resourceAt(path, siblings));
  return async function router(req, res, next) {
    const found = resources.find(req.path);
    if (!found) return next();
    const { path, isPublic, routes, allowed } = found.value;
    contextOf(req).route = path;
    req.params = found.params;
    if (isPublic && answersPreflight(req, res, { origins: corsOrigins, methods: allowed })) return;
    const route = routes.get(req.method);
    if (route) await serve(route, req, res, uses);
    else refuseMethod(req, res, allowed);
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

const isPublic = (route: Route): boolean => route.access.credentials.length === 0;

function refuseMethod(req: Request, res: Response, allowed: readonly string[]): void {
  const headers = { Allow: allowed.join(", ") };
  if (req.method !== "OPTIONS") {
    throw new AppError(405, "method_not_allowed", `${req.method} is not allowed here.`, { headers });
  }
  res.status(204).set(headers).end();
}

/** One request: limit, credential, permission, input, service, answer. Nothing of a body is read before it is due. */
async function serve(route: Route, req: Request, res: Response, uses: RouterUses): Promise<void> {
  const { services, tools, limits, origins, isHttps } = uses;
  const context = contextOf(req);
  const reader = readerOf(req);
  const limit = route.limit && limits[route.limit];
  await limit?.count(addressKey(reader.address));
  const { actor, renewed } = await authenticate(req, route.access, services, origins);
  context.actor = actor;
  const isSecure = isHttps || req.secure;
  if (renewed) writeSessionCookie(res, renewed, isSecure);
  const countAgainstLimit = async (key: string) => limit?.count(accountKey(key));
  const reply = await route.serve({ req, res, actor, reader, tools, services, countAgainstLimit });
  if (reply.cookie) writeSessionCookie(res, reply.cookie, isSecure);
  await sendReply(req, res, route, reply);
}
