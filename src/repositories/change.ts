/** A change by an administrator: what it did, and the line that the audit log keeps of it. */
import type { Insertable } from "kysely";
import type { AuditLogTable } from "../db/schema.ts";
import type { ActorKind, AuditAction, AuditObjectKind } from "../schemas/audit.schemas.ts";

/** Whose doing a change is. */
export interface Author {
  kind: ActorKind;
  /** The user or the API key; null for the command line. */
  id: string | null;
  name: string;
  /** Where the request came from. */
  address: string | null;
  requestId: string | null;
}

/** An actor on the machine itself, such as "command line". */
export const systemAuthor = (name: string): Author => ({
  kind: "system",
  id: null,
  name,
  address: null,
  requestId: null,
});

/** What changed. `before` is absent for what is new, `after` for what is gone. */
export interface Change {
  action: AuditAction;
  object: { kind: AuditObjectKind; id: string | number; name: string };
  before?: object;
  after?: object;
}

/** The response of a write and its change; undefined if nothing changed. */
export interface Changed<T> {
  response: T;
  change: Change | undefined;
}

/** Secrets and personal data: the log records that they changed, but not their values. */
const MASKED: Partial<Record<AuditObjectKind, readonly string[]>> = {
  user: ["email", "name", "passwordHash"],
  apiKey: ["keyHash"],
  contact: [
    "email",
    "firstName",
    "lastName",
    "phone",
    "country",
    "firstDownloadAt",
    "lastDownloadAt",
    "totalDownloads",
    "consent",
  ],
};

/** What follows from other fields, or stands in the row's own columns. */
const HIDDEN = ["id", "publicId", "searchText", "countryText", "codeKey", "createdAt", "updatedAt"];

/**
 * The row of a change, but for what depends on time and place; undefined for an update after which all is as it was.
 */
export function auditRow(
  author: Author,
  { action, object, before, after }: Change,
): Omit<Insertable<AuditLogTable>, "id" | "at" | "ipAddress"> | undefined {
  const changes = changedFields({ before, after }, { masked: MASKED[object.kind] ?? [], hidden: HIDDEN });
  if (action === "update" && Object.keys(changes).length === 0) return undefined;
  return {
    actorKind: author.kind,
    actorId: author.id,
    actorName: author.name,
    requestId: author.requestId,
    action,
    objectKind: object.kind,
    objectId: String(object.id),
    objectName: object.name,
    changes: JSON.stringify(changes),
  };
}

/** What differs between an object as it was and as it is. */
export interface FieldChange {
  /** Absent when the object is new. */
  before?: unknown;
  /** Absent when the object is gone. */
  after?: unknown;
}

const MASK = "[masked]";

/** As long as the longest text, a description. Longer values are truncated. */
const MAX_CHARACTERS = 10_000;

/**
 * The fields that differ, by name. Values are compared as the JSON that they become.
 * @param masked fields of which only the change is recorded, not the value
 * @param hidden fields that aren't recorded at all
 */
export function changedFields(
  { before, after }: { before?: object | undefined; after?: object | undefined },
  { masked, hidden }: { masked: readonly string[]; hidden: readonly string[] },
): Record<string, FieldChange> {
  const old = new Map<string, unknown>(Object.entries(before ?? {}));
  const now = new Map<string, unknown>(Object.entries(after ?? {}));
  const changes: [string, FieldChange][] = [];
  for (const field of new Set([...old.keys(), ...now.keys()])) {
    if (hidden.includes(field)) continue;
    if (JSON.stringify(old.get(field)) === JSON.stringify(now.get(field))) continue;
    const reported = masked.includes(field) ? hiddenValue : boundedValue;
    changes.push([
      field,
      {
        ...(old.has(field) && { before: reported(old.get(field)) }),
        ...(now.has(field) && { after: reported(now.get(field)) }),
      },
    ]);
  }
  return Object.fromEntries(changes);
}

/** Whether a value exists may be recorded. */
const hiddenValue = (value: unknown): unknown => (value === null ? null : MASK);

function boundedValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= MAX_CHARACTERS) return value;
  return `${text.slice(0, MAX_CHARACTERS).toWellFormed()}… (${text.length} characters)`;
}
