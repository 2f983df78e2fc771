/** The audit log. */
import { z } from "zod";
import { identifier, text, timestamp, uuid } from "./atoms.ts";
import { dateFields, withDates } from "./dates.ts";
import { csvOptions, pagination, pagingFields } from "./queries.ts";

/** `unknown`: the actor of a failed log-in. */
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
  "start",
  "cancel",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_OBJECT_KINDS = [
  "book",
  "translation",
  "file",
  "cover",
  "language",
  "channel",
  "library",
  "publication",
  "visibility",
  "user",
  "apiKey",
  "webhook",
  "contact",
  "downloadEvent",
  "auditLog",
  "job",
  "import",
] as const;
export type AuditObjectKind = (typeof AUDIT_OBJECT_KINDS)[number];

/** Filters of the audit log. */
const auditFilter = {
  ...dateFields,
  actorKind: z.enum(ACTOR_KINDS).optional().describe("Limits the result to changes by this kind of actor."),
  actorId: identifier
    .optional()
    .describe("Limits the result to changes by the user or API key with this id."),
  action: z.enum(AUDIT_ACTIONS).optional().describe("Limits the result to this action."),
  objectKind: z
    .enum(AUDIT_OBJECT_KINDS)
    .optional()
    .describe("Limits the result to changes to this kind of record."),
  objectId: identifier.optional().describe("Limits the result to changes to the record with this id."),
  requestId: text({ min: 1, max: 64 })
    .optional()
    .describe("Limits the result to changes made by the request with this `X-Request-Id`."),
};

export const auditQuery = withDates(z.strictObject({ ...pagingFields, ...auditFilter }));
export const auditExportQuery = withDates(z.strictObject({ ...auditFilter, ...csvOptions }));
export type AuditQuery = z.output<typeof auditQuery>;
export type AuditExportQuery = z.output<typeof auditExportQuery>;

/** The changed fields; also the stored form. */
export const auditChanges = z.record(
  z.string(),
  z.object({
    before: z.unknown().optional().describe("Value before the change; absent if there was none."),
    after: z.unknown().optional().describe("Value after the change; absent if there is none."),
  }),
);

export const auditEntry = z
  .object({
    id: z.string().describe("Identifier of the entry."),
    at: timestamp.describe("When the change was made."),
    actorKind: z
      .enum(ACTOR_KINDS)
      .describe("Author of the change: a user, an API key, or the system, such as a command."),
    actorId: uuid.nullable().describe("Identifier of the user or API key; null for the system."),
    actorName: z.string().describe("Name of the user, API key or command at the time."),
    ipAddress: z
      .string()
      .nullable()
      .describe("IP address of the request, in the form that `IP_STORAGE` keeps; null if it isn't stored."),
    action: z.enum(AUDIT_ACTIONS).describe("Action that was performed."),
    objectKind: z.enum(AUDIT_OBJECT_KINDS).describe("Kind of record that was changed."),
    objectId: z.string().describe("Identifier of the changed record."),
    objectName: z.string().describe("Name of the changed record at the time."),
    changes: auditChanges.describe(
      "Changed fields by name. Secrets and personal data are replaced by `[masked]`; long values are truncated.",
    ),
    requestId: z
      .string()
      .nullable()
      .describe(
        "Value of `X-Request-Id` in the response to the request that made the change; null for commands.",
      ),
  })
  .meta({
    id: "AuditEntry",
    description: "A change, with its author and the changed values.",
    example: {
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
  });
export type AuditEntry = z.infer<typeof auditEntry>;

/** The columns of the export, in order. */
export const AUDIT_COLUMNS = auditEntry.keyof().options;

export const auditPage = z.object({
  entries: z.array(auditEntry).describe("Entries on this page, newest first."),
  pagination,
});
