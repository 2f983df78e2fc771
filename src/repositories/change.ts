/** A change by an administrator and its entry in the audit log. */
import type { Insertable } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { ActorKind, AuditAction, AuditObjectKind } from "../schemas/audit.schemas.ts";

/** The author of a change. */
export interface Author {
  kind: ActorKind;
  /** The user or the API key; null for the command line. */
  id: string | null;
  name: string;
  /** The client address of the request. */
  address: string | null;
  requestId: string | null;
}

/** An author on the machine itself, such as "command line". */
export const createSystemAuthor = (name: string): Author => ({
  kind: "system",
  id: null,
  name,
  address: null,
  requestId: null,
});

/** What changed. `before` is absent for a creation, `after` for a deletion. */
export interface Change {
  action: AuditAction;
  object: { kind: AuditObjectKind; id: string | number; name: string };
  before?: object;
  after?: object;
}

/**
 * Where readers can see a change of the catalogue in the list of a language: in the languages in which the book has
 * active files after the change, in the language, and in their sub-languages. Without either, nowhere.
 */
export interface Reach {
  bookId?: string;
  languageId?: number;
}

/** The result of a write and its changes; undefined or none if nothing changed. */
export interface Changed<T> {
  response: T;
  change: Change | readonly Change[] | undefined;
  /** Of a change of the catalogue. Undefined: all languages. */
  reach?: Reach;
}

/** Secrets and personal data: the log records that they changed, but not their values. */
const MASKED: Partial<Record<AuditObjectKind, readonly string[]>> = {
  user: ["email", "name", "passwordHash"],
  apiKey: ["keyHash"],
  webhook: ["secret"],
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

/** Derived fields, and fields that have their own columns in the audit row. */
const HIDDEN = [
  ...["id", "publicId", "searchText", "countryText", "codeKey", "createdAt", "updatedAt"],
  // A key, and what follows from letters.
  ...["mailKey", "mailFailures", "verifiedAt"],
];

/**
 * The audit row of a change, without the columns that depend on time and request; undefined for an update that changes
 * nothing.
 */
export function createAuditRow(
  author: Author,
  { action, object, before, after }: Change,
): Omit<Insertable<Schema["audit_log"]>, "id" | "at" | "ipAddress"> | undefined {
  const changes = findChangedFields({ before, after }, { masked: MASKED[object.kind] ?? [], hidden: HIDDEN });
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

/** Columns whose text is JSON; the log contains their values. */
const JSON_COLUMNS = ["authors", "tags", "series", "contributors"];

/** The values of a row as the log has them. */
export const listValues = (row: object): Map<string, unknown> =>
  new Map(
    Object.entries(row).map(([field, value]: [string, unknown]) => [
      field,
      JSON_COLUMNS.includes(field) && typeof value === "string" ? JSON.parse(value) : value,
    ]),
  );

/** The old and the new value of a field. */
interface FieldChange {
  /** Absent for a created object. */
  before?: unknown;
  /** Absent for a deleted object. */
  after?: unknown;
}

const MASK = "[masked]";

/** The length of the longest text field, a description. Longer values are truncated. */
const MAX_CHARACTERS = 10_000;

/**
 * The changed fields by name. Values are compared as JSON.
 * @param masked fields whose values aren't recorded
 * @param hidden fields that aren't recorded at all
 */
export function findChangedFields(
  { before, after }: { before?: object | undefined; after?: object | undefined },
  { masked, hidden }: { masked: readonly string[]; hidden: readonly string[] },
): Record<string, FieldChange> {
  const old = listValues(before ?? {});
  const now = listValues(after ?? {});
  const changes: [string, FieldChange][] = [];
  for (const field of new Set([...old.keys(), ...now.keys()])) {
    if (hidden.includes(field)) continue;
    if (JSON.stringify(old.get(field)) === JSON.stringify(now.get(field))) continue;
    const reported = masked.includes(field) ? maskValue : boundValue;
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

/** Records whether a value exists, but not the value. */
const maskValue = (value: unknown): unknown => (value === null ? null : MASK);

/** As the log has a value. */
export function boundValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= MAX_CHARACTERS) return value;
  return `${text.slice(0, MAX_CHARACTERS).toWellFormed()}… (${text.length} characters)`;
}

/** Whether the log has only the beginning of a value. */
export const isTruncated = (logged: unknown): boolean =>
  typeof logged === "string" && logged.length > MAX_CHARACTERS;
