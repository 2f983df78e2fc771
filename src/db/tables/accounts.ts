/** Users, their links for passwords, sessions, API keys and the audit log. */
import { describeTable } from "./describe-table.ts";

export const ACCOUNT_TABLES = {
  users: describeTable({
    id: "text",
    /** Lower case; unique. */
    email: "text",
    name: "text",
    role: "text",
    /** PHC string of argon2id. */
    passwordHash: "text",
    isActive: "flag",
    /** Of the last invitation, until the user has a password. */
    invitedAt: "integer?",
    createdAt: "integer",
    updatedAt: "integer",
  }),
  /** Links of letters with which users set a password. The letter has the id, signed; what is here opens nothing. */
  password_links: describeTable({
    id: "text",
    userId: "text",
    createdAt: "integer",
    expiresAt: "integer",
    /** When it was used, or another change of the account ended it. */
    endedAt: "integer?",
  }),
  /** One row: with it, a request for an unknown account writes to the disk like one for a known account. */
  password_requests: describeTable({ id: "text", requests: "integer", lastAt: "integer" }),
  sessions: describeTable({
    id: "text",
    userId: "text",
    createdAt: "integer",
    expiresAt: "integer",
    /** Precise to a few minutes, so that not every request writes. */
    lastSeenAt: "integer",
    ipAddress: "text?",
    userAgent: "text",
  }),
  api_keys: describeTable({
    id: "text",
    name: "text",
    /** SHA-256 of the key in hex; the key itself isn't stored. */
    keyHash: "text",
    keyPrefix: "text",
    /** Permissions, separated by spaces. */
    scopes: "text",
    ownerId: "text",
    createdAt: "integer",
    expiresAt: "integer?",
    lastUsedAt: "integer?",
    revokedAt: "integer?",
  }),
  audit_log: describeTable({
    /** In the order of the changes. */
    id: "integer=",
    at: "integer",
    actorKind: "text",
    /** The user or the API key; null for the command line. */
    actorId: "text?",
    actorName: "text",
    /** Full, truncated or null, depending on IP_STORAGE. */
    ipAddress: "text?",
    requestId: "text?",
    action: "text",
    objectKind: "text",
    objectId: "text",
    objectName: "text",
    /** JSON: `{field: {before?, after?}}` */
    changes: "text",
  }),
};
