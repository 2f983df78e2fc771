/** The audit log: who changed what. */

export const ACTOR_KINDS = ["user", "apiKey", "system"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const AUDIT_ACTIONS = ["create", "update", "delete", "archive", "restore", "reorder"] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_OBJECT_KINDS = [
  "book",
  "translation",
  "file",
  "cover",
  "language",
  "channel",
  "publication",
  "visibility",
  "user",
  "apiKey",
] as const;
export type AuditObjectKind = (typeof AUDIT_OBJECT_KINDS)[number];
