/** The application: middlewares in their order, then the routes. It neither listens nor reads the environment. */
import cookieParser from "cookie-parser";
import express, { type Express } from "express";
import helmet from "helmet";
import type { Container } from "./container.ts";
import { notFound } from "./errors.ts";
import type { Route } from "./http/define-route.ts";
import { problemHandler } from "./http/problem.ts";
import { parseQuery } from "./http/query.ts";
import { RateLimit } from "./http/rate-limit.ts";
import { contextOf } from "./http/request-context.ts";
import { requestLog } from "./http/request-log.ts";
import { buildRouter } from "./http/router.ts";
import { routes } from "./routes/index.ts";

const MINUTE = 60_000;

export function createApp(
  { config, log, newId, store, services }: Container,
  table: readonly Route[] = routes,
): Express {
  const { publicBaseUrl, corsOrigins, rateLimits, maxUploadBytes } = config;
  const ownOrigin = publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).origin;
  const isHttps = ownOrigin?.startsWith("https:") ?? false;
  const withPages = new Set(table.filter((route) => route.hasProblemPages).map((route) => route.path));

  const app = express();
  app.set("trust proxy", config.trustProxy);
  app.set("etag", false);
  app.set("query parser", parseQuery);
  app.disable("x-powered-by");

  app.use(requestLog(log, newId));
  app.use(helmet(securityHeaders(isHttps)));
  app.use(cookieParser());
  app.use(
    buildRouter(table, {
      services,
      tools: {
        receiveFile: (source, maxBytes = maxUploadBytes) =>
          store.receive(source, { maxBytes: Math.min(maxBytes, maxUploadBytes) }),
      },
      limits: {
        login: new RateLimit({ windowMs: 15 * MINUTE, limit: rateLimits.login }),
        submit: new RateLimit({ windowMs: MINUTE, limit: rateLimits.submit }),
        download: new RateLimit({ windowMs: MINUTE, limit: rateLimits.download }),
      },
      origins: { ownOrigin, corsOrigins },
      isHttps,
    }),
  );
  app.use(() => {
    throw notFound("route_not_found", "There is nothing at this address.");
  });
  app.use(problemHandler(log, (req) => withPages.has(contextOf(req).route ?? "")));
  return app;
}

/** Answers are data: nothing in them may run, load or be framed. Pages of our own bring a policy of their own. */
const securityHeaders = (isHttps: boolean) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  strictTransportSecurity: isHttps,
});
