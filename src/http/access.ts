/** The access rules of routes. Every route has one of these; forgetting it doesn't compile. */
import { forbidden, unauthorized } from "../errors.ts";
import type { Grant, Permission } from "../schemas/permissions.ts";
import type { Actor, ApiKeyActor, SessionActor } from "../services/shared/actor.ts";

type CredentialKind = "session" | "apiKey";

export interface Access<A> {
  /** Whether clients without a credential are admitted. */
  readonly isPublic: boolean;
  /** The credentials that are accepted. For a public route: those that are rejected if they are invalid. */
  readonly credentials: readonly CredentialKind[];
  /** The permission that a credential must have. */
  readonly permission: Grant | undefined;
  /** Returns the actor for the handler. Throws 401 without an accepted credential, 403 without the permission. */
  admit(actor: Actor | undefined): A;
}

/** Public; credentials are ignored. */
export const anyone: Access<undefined> = {
  isPublic: true,
  credentials: [],
  permission: undefined,
  admit: () => undefined,
};

/** Public; an API key must have this permission, and the handler gets its actor. */
export const anyoneOrKey = (permission: Grant): Access<ApiKeyActor | undefined> => ({
  isPublic: true,
  credentials: ["apiKey"],
  permission,
  admit: (actor) => (actor?.kind === "apiKey" ? assertPermitted(actor, permission) : undefined),
});

/** Any session. */
export const anySession: Access<SessionActor> = {
  isPublic: false,
  credentials: ["session"],
  permission: undefined,
  admit: assertSession,
};

/** A session with this permission; API keys are rejected. */
export const session = (permission: Permission): Access<SessionActor> => ({
  isPublic: false,
  credentials: ["session"],
  permission,
  admit: (actor) => assertPermitted(assertSession(actor), permission),
});

/** A session or an API key with this permission, for the catalogue. */
export const sessionOrKey = (permission: Permission): Access<Actor> => ({
  isPublic: false,
  credentials: ["session", "apiKey"],
  permission,
  admit: (actor) => assertPermitted(assertAuthenticated(actor), permission),
});

const LOG_IN = "Log in, or send a valid API key as Authorization: Bearer <key>.";
const NO_KEYS = "This operation requires a session, not an API key. Log in with POST /api/auth/login.";

export function assertAuthenticated(actor: Actor | undefined): Actor {
  if (!actor) throw unauthorized("unauthenticated", LOG_IN);
  return actor;
}

function assertSession(actor: Actor | undefined): SessionActor {
  if (actor?.kind !== "session") throw unauthorized("unauthenticated", NO_KEYS);
  return actor;
}

function assertPermitted<A extends Actor>(actor: A, permission: Grant): A {
  const held: readonly Grant[] = actor.permissions;
  if (held.includes(permission)) return actor;
  throw forbidden("permission_missing", `This operation requires the permission ${permission}.`);
}
