/** Who may call a route. Every route names one of these; forgetting it does not compile. */
import { forbidden, unauthorized } from "../errors.ts";
import type { Permission } from "../schemas/permissions.ts";
import type { Actor, SessionActor } from "../services/actor.ts";

export type CredentialKind = "session" | "apiKey";

export interface Access<A> {
  /** The credentials that count here; none for a public route. */
  readonly credentials: readonly CredentialKind[];
  readonly permission: Permission | undefined;
  /** The actor as the handler gets it. Throws 401 without a credential that counts here, 403 without the permission. */
  admit(actor: Actor | undefined): A;
}

/** Anybody; a credential isn't looked at. */
export const anyone: Access<undefined> = { credentials: [], permission: undefined, admit: () => undefined };

/** Whoever is logged in. */
export const anySession: Access<SessionActor> = {
  credentials: ["session"],
  permission: undefined,
  admit: asSession,
};

/** A session with this permission; an API key doesn't count. */
export const session = (permission: Permission): Access<SessionActor> => ({
  credentials: ["session"],
  permission,
  admit: (actor) => permitted(asSession(actor), permission),
});

/** A session or an API key with this permission: the catalogue. */
export const sessionOrKey = (permission: Permission): Access<Actor> => ({
  credentials: ["session", "apiKey"],
  permission,
  admit: (actor) => permitted(authenticated(actor), permission),
});

function authenticated(actor: Actor | undefined): Actor {
  if (!actor) throw unauthorized("unauthenticated", "Log in or present a valid API key.");
  return actor;
}

function asSession(actor: Actor | undefined): SessionActor {
  if (actor?.kind !== "session")
    throw unauthorized("unauthenticated", "This operation needs a log-in session.");
  return actor;
}

function permitted<A extends Actor>(actor: A, permission: Permission): A {
  if (actor.permissions.includes(permission)) return actor;
  throw forbidden("permission_missing", `This operation needs the permission ${permission}.`);
}
