/** Who may call a route. Every route names one of these; forgetting it does not compile. */
import { forbidden, unauthorized } from "../errors.ts";
import type { Grant, Permission } from "../schemas/permissions.ts";
import type { Actor, ApiKeyActor, SessionActor } from "../services/users/actor.ts";

type CredentialKind = "session" | "apiKey";

export interface Access<A> {
  /** Whether callers without a credential are admitted. */
  readonly isPublic: boolean;
  /** The credentials that count here. Of a public route: those that are rejected when they are invalid. */
  readonly credentials: readonly CredentialKind[];
  /** What a credential must be good for. */
  readonly permission: Grant | undefined;
  /** The actor as the handler gets it. Throws 401 without a credential that counts here, 403 without the permission. */
  admit(actor: Actor | undefined): A;
}

/** Anybody; a credential isn't looked at. */
export const anyone: Access<undefined> = {
  isPublic: true,
  credentials: [],
  permission: undefined,
  admit: () => undefined,
};

/** Anybody; who presents an API key must have this permission, and is known to the handler. */
export const anyoneOrKey = (permission: Grant): Access<ApiKeyActor | undefined> => ({
  isPublic: true,
  credentials: ["apiKey"],
  permission,
  admit: (actor) => (actor?.kind === "apiKey" ? permitted(actor, permission) : undefined),
});

/** Whoever is logged in. */
export const anySession: Access<SessionActor> = {
  isPublic: false,
  credentials: ["session"],
  permission: undefined,
  admit: asSession,
};

/** A session with this permission; an API key doesn't count. */
export const session = (permission: Permission): Access<SessionActor> => ({
  isPublic: false,
  credentials: ["session"],
  permission,
  admit: (actor) => permitted(asSession(actor), permission),
});

/** A session or an API key with this permission: the catalogue. */
export const sessionOrKey = (permission: Permission): Access<Actor> => ({
  isPublic: false,
  credentials: ["session", "apiKey"],
  permission,
  admit: (actor) => permitted(authenticated(actor), permission),
});

export function authenticated(actor: Actor | undefined): Actor {
  if (!actor) throw unauthorized("unauthenticated", "Log in or send a valid API key.");
  return actor;
}

function asSession(actor: Actor | undefined): SessionActor {
  if (actor?.kind !== "session") throw unauthorized("unauthenticated", "This operation requires a session.");
  return actor;
}

function permitted<A extends Actor>(actor: A, permission: Grant): A {
  const held: readonly Grant[] = actor.permissions;
  if (held.includes(permission)) return actor;
  throw forbidden("permission_missing", `This operation requires the permission ${permission}.`);
}
