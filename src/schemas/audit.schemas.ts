/** The audit log: who changed what. */
import { z } from "zod";
import { identifier, text, timestamp } from "./atoms.ts";
import { csvOptions } from "./csv.schemas.ts";
import { dateFields, withDates } from "./dates.ts";
import { pagination, pagingFields } from "./paging.ts";

/** `unknown`: whoever failed to log in. */
export const ACTOR_KINDS = ["user", "apiKey", "system", "unknown"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const AUDIT_ACTIONS = [
  "create",
  "update",
  "delete",
  "archive",
  "restore",
  "reorder",
  "login",
  "logout",
  "login_failed",
  "export",
  "disclose",
] as const;
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
  "contact",
  "downloadEvent",
  "auditLog",
] as const;
export type AuditObjectKind = (typeof AUDIT_OBJECT_KINDS)[number];

/** What the log may be narrowed to. */
const auditFilter = {
  ...dateFields,
  actorKind: z.enum(ACTOR_KINDS).optional(),
  actorId: identifier.optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  objectKind: z.enum(AUDIT_OBJECT_KINDS).optional(),
  objectId: identifier.optional(),
  requestId: text({ min: 1, max: 64 }).optional(),
};

export const auditQuery = withDates(z.strictObject({ ...pagingFields, ...auditFilter }));
export const auditExportQuery = withDates(z.strictObject({ ...auditFilter, ...csvOptions }));
export type AuditQuery = z.output<typeof auditQuery>;
export type AuditExportQuery = z.output<typeof auditExportQuery>;

/** The fields that differ; also the form in which they are stored. */
export const auditChanges = z.record(
  z.string(),
  z.object({ before: z.unknown().optional(), after: z.unknown().optional() }),
);

export const auditEntry = z
  .object({
    id: z.string(),
    at: timestamp,
    actorKind: z.enum(ACTOR_KINDS),
    actorId: z.string().nullable(),
    actorName: z.string(),
    ipAddress: z.string().nullable(),
    action: z.enum(AUDIT_ACTIONS),
    objectKind: z.enum(AUDIT_OBJECT_KINDS),
    objectId: z.string(),
    objectName: z.string(),
    changes: auditChanges,
    requestId: z.string().nullable(),
  })
  .meta({
    id: "AuditEntry",
    examples: [
      {
        id: "42",
        at: "2026-03-01T12:00:00.000Z",
        actorKind: "user",
        actorId: "01a1fb60-1a34-772b-a309-dba157e20a82",
        actorName: "Ben",
        ipAddress: "203.0.113.7",
        action: "update",
        objectKind: "book",
        objectId: "01a1fb60-1a34-772b-a309-dba157e20a81",
        objectName: "The Deep Well",
        changes: { titleEn: { before: "The Well", after: "The Deep Well" } },
        requestId: "01a1fb60-1a33-7d11-8a5e-6f2a7d0c9b1e",
      },
    ],
  });
export type AuditEntry = z.infer<typeof auditEntry>;

/** The columns of the export, in their order. */
export const AUDIT_COLUMNS = auditEntry.keyof().options;

export const auditPage = z.object({ entries: z.array(auditEntry), pagination });
