/** Who asks: an administrator in a session, or an external client with an API key. */
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
  keyId: string;
  name: string;
  permissions: readonly Grant[];
}

export type Actor = SessionActor | ApiKeyActor;

/** The request that an actor makes, as far as the audit log keeps it. */
export interface Origin {
  address: string;
  requestId: string;
}

/** The request's origin, as far as events and sessions keep it. */
export interface Client {
  /** The address of the peer, or what a trusted proxy says of it. */
  address: string;
  userAgent: string;
  referrer: string;
}
