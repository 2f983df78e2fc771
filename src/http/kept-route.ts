/** Routes whose responses are kept: they depend on the path, the known parameters and the host only. */
import type { Request } from "express";
import type { z } from "zod";
import type { Services } from "../services/index.ts";
import { anyone } from "./access.ts";
import { isPlainAddress, listParameterNames, type Output, parseQuery } from "./requests/query.ts";
import type { LimitName } from "./requests/rate-limit.ts";
import type { Reply, ReplyFor, ResponseSpecs } from "./responses/responses.ts";
import { defineRoute, type KeptCaller, parseParameters, type Route, type RouteDefinition } from "./route.ts";

/** The whole input of a handler: no credential, no cookie and no other header. */
type KeptInput<P, Q> = KeptCaller & { params: Output<P>; query: Output<Q> };

type Implied =
  | "access"
  | "method"
  | "isCacheable"
  | "isCompressed"
  | "body"
  | "anonymousBody"
  | "limit"
  | "limitBy"
  | "handle";

interface KeptRouteDefinition<P, Q, A extends ResponseSpecs>
  extends Omit<RouteDefinition<P, Q, undefined, A, undefined>, Implied> {
  /** Requests that count against a limit, by address; their responses aren't kept. */
  limited?: { limit: LimitName; isCounted(query: Output<Q>): boolean };
  handle(input: KeptInput<P, Q>, services: Services): Promise<ReplyFor<A> & Reply> | (ReplyFor<A> & Reply);
}

/** Defines a public GET whose responses are kept and compressed. */
export function defineKeptRoute<
  A extends ResponseSpecs,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
>({ handle, limited, ...properties }: KeptRouteDefinition<P, Q, A>): Omit<Route, "tag"> {
  const names = listParameterNames(properties.query);
  const route = defineRoute<A, undefined, P, Q>({
    ...properties,
    method: "get",
    access: anyone,
    isCacheable: true,
    isCompressed: true,
    ...(limited && {
      limit: limited.limit,
      limitBy: ({ query, reader: { address } }) => (limited.isCounted(query) ? { address } : undefined),
    }),
    handle: ({ params, query, host, count, acceptedLanguages }, services) =>
      handle({ params, query, host, count, acceptedLanguages }, services),
  });
  return {
    ...route,
    prepareRepeat(req: Request) {
      if (!isPlainAddress(req.url, names)) return undefined;
      const query = parseQuery(properties.query, req.query, { names, isPublic: true });
      if (!query.ok || limited?.isCounted(query.value)) return undefined;
      const params = parseParameters(properties.params, req);
      return async (caller, services) => handle({ params, query: query.value, ...caller }, services);
    },
  };
}
