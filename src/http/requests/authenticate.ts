/** From the credentials of a request to the actor behind them. */
import type { Request } from "express";
import type { Services } from "../../services/index.ts";
import type { Actor } from "../../services/users/actor.ts";
import type { SessionToken } from "../../services/users/auth.service.ts";
import { authenticated } from "../access.ts";
import type { Route } from "../route.ts";
import { type OwnOrigins, rejectCrossSite, sessionTokenOf } from "./cookies.ts";
import { addressOf, contextOf } from "./request-context.ts";

export interface Authenticated {
  actor: Actor | undefined;
  /** A prolonged session's new token, for the cookie. */
  renewed: SessionToken | undefined;
}

const NOBODY: Authenticated = { actor: undefined, renewed: undefined };

/**
 * Looks only at the kinds of credential that count for this access. An `Authorization` header excludes the cookie:
 * who presents a key that doesn't hold is not let in by another door, not even by a public one that takes keys.
 */
export async function authenticate(
  req: Request,
  route: Pick<Route, "access" | "startsWork">,
  { auth, apiKeys }: Pick<Services, "auth" | "apiKeys">,
  origins: OwnOrigins,
): Promise<Authenticated> {
  const { access } = route;
  if (access.credentials.length === 0) return NOBODY;
  const origin = { address: addressOf(req), requestId: contextOf(req).id };
  const authorization = req.get("authorization");
  if (authorization !== undefined) {
    const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const isTaken = key !== undefined && access.credentials.includes("apiKey");
    const actor = isTaken ? await apiKeys.identify(key, origin) : undefined;
    return { actor: access.isPublic ? authenticated(actor) : actor, renewed: undefined };
  }
  if (!access.credentials.includes("session")) return NOBODY;
  const token = sessionTokenOf(req);
  const identified = token === undefined ? undefined : await auth.identify(token, origin);
  if (!identified) return NOBODY;
  rejectCrossSite(req, origins, route.startsWork?.(req.query));
  return identified;
}
