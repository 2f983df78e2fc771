/** The Express router that is built from the route table: every path with its methods, and 405 for the others. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { AppError } from "../errors.ts";
import type { Services } from "../services/index.ts";
import { authenticate } from "./authenticate.ts";
import type { BodyTools } from "./body.ts";
import { corsFor } from "./cors.ts";
import type { OwnOrigins } from "./cross-site.ts";
import type { LimitName, Route } from "./define-route.ts";
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

export function buildRouter(routes: readonly Route[], uses: RouterUses): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(routes, (route) => route.path);
  for (const path of matchingOrder(byPath.keys())) {
    const siblings = byPath.get(path) ?? [];
    const allowed = allowedMethods(siblings);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    if (siblings.some(isPublic)) router.all(pattern, corsFor(uses.origins.corsOrigins, allowed));
    for (const route of siblings) router[route.method](pattern, serveRoute(route, uses));
    router.all(pattern, refuseMethod(path, allowed));
  }
  return router;
}

/** In the order of the table, but `/books/bulk` before `/books/{bookId}`, which would take it for an id. */
function matchingOrder(paths: Iterable<string>): string[] {
  const order: string[] = [];
  for (const path of paths) {
    const taker = order.findIndex((earlier) => takes(earlier, path));
    order.splice(taker < 0 ? order.length : taker, 0, path);
  }
  return order;
}

/** Whether a path with placeholders matches another one too. */
const takes = (path: string, other: string): boolean =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(other);

const isPublic = (route: Route): boolean => route.access.credentials.length === 0;

const allowedMethods = (routes: readonly Route[]): string[] => {
  const methods = routes.map((route) => route.method.toUpperCase());
  return [...(methods.includes("GET") ? ["HEAD"] : []), ...methods, "OPTIONS"];
};

const refuseMethod =
  (path: string, allowed: readonly string[]): RequestHandler =>
  (req, res) => {
    contextOf(req).route = path;
    const headers = { Allow: allowed.join(", ") };
    if (req.method !== "OPTIONS") {
      throw new AppError(405, "method_not_allowed", `${req.method} is not allowed here.`, { headers });
    }
    res.status(204).set(headers).end();
  };

/** One request: limit, credential, permission, input, service, answer. Nothing of a body is read before it is due. */
function serveRoute(route: Route, { services, tools, limits, origins, isHttps }: RouterUses) {
  return async (req: Request, res: Response): Promise<void> => {
    const context = contextOf(req);
    context.route = route.path;
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
  };
}
