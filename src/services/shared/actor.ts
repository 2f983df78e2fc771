/** Who sends a request: an administrator with a session, a program with an API key, or a reader. */
import type { Author } from "../../repositories/change.ts";
import type { SessionUser } from "../../schemas/auth.schemas.ts";
import type { Grant, Permission } from "../../schemas/permissions.ts";

export interface SessionActor {
  kind: "session";
  author: Author;
  sessionId: string;
  user: SessionUser;
  permissions: readonly Permission[];
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface ApiKeyActor {
  kind: "apiKey";
  author: Author;
  /** The user to whom the key belongs. */
  ownerId: string;
  keyId: string;
  name: string;
  permissions: readonly Grant[];
}

export type Actor = SessionActor | ApiKeyActor;

/** The user who is logged in, or to whom the API key belongs. */
export const userIdOf = (actor: Actor): string => (actor.kind === "session" ? actor.user.id : actor.ownerId);

/** The request data that the audit log records. */
export interface Origin {
  address: string;
  requestId: string;
}

/** The request data that events and sessions record. */
export interface Client {
  /** The address of the peer, or the client address that a trusted proxy reports. */
  address: string;
  userAgent: string;
  referrer: string;
}

/** The client that follows a link. A prefetch is a browser's guess, not a reader. */
export interface Reader extends Client {
  isPrefetch: boolean;
}
