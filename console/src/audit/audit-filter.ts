/** The filters of the audit log: in the address of the page, and in the request. */
import { readPage } from "../shell/address.ts";

export const ACTIONS = [
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

export const OBJECT_KINDS = [
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
  "job",
] as const;

/** Fields of records that have a name for people. */
export const FIELDS = [
  "titleEn",
  "title",
  "slug",
  "description",
  "sortOrder",
  "isActive",
  "authors",
  "tags",
  "series",
  "contributors",
  "publisher",
  "license",
  "isbn",
  "fileName",
  "fileType",
  "fileSizeBytes",
  "sha256",
  "cloudUrl",
  "name",
  "nativeName",
  "code",
  "direction",
  "url",
  "email",
  "role",
  "passwordHash",
  "scopes",
  "expiresAt",
  "archivedAt",
  "archivedBy",
  "count",
  "filters",
  "deep",
  "cloud",
] as const;

export const ACTOR_KINDS = ["user", "apiKey", "system", "unknown"] as const;

const TEXTS = ["startDate", "endDate", "actorId", "objectId", "requestId"] as const;

export interface AuditFilter extends Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly action: (typeof ACTIONS)[number] | "";
  readonly objectKind: (typeof OBJECT_KINDS)[number] | "";
  readonly actorKind: (typeof ACTOR_KINDS)[number] | "";
  readonly page: number;
}

/** The filter in an address; what it doesn't name, or names wrongly, isn't used. */
export function readAuditFilter(query: URLSearchParams): AuditFilter {
  const text = (name: (typeof TEXTS)[number]) => query.get(name) ?? "";
  return {
    startDate: text("startDate"),
    endDate: text("endDate"),
    actorId: text("actorId"),
    objectId: text("objectId"),
    requestId: text("requestId"),
    action: ACTIONS.find((action) => action === query.get("action")) ?? "",
    objectKind: OBJECT_KINDS.find((kind) => kind === query.get("objectKind")) ?? "",
    actorKind: ACTOR_KINDS.find((kind) => kind === query.get("actorKind")) ?? "",
    page: readPage(query),
  };
}

/** What is asked of the service: only what is set. Days are those of the user. */
export function writeAuditRequest({ page: _, action, objectKind, actorKind, ...texts }: AuditFilter) {
  const { startDate, endDate } = texts;
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== "")),
    ...(action !== "" && { action }),
    ...(objectKind !== "" && { objectKind }),
    ...(actorKind !== "" && { actorKind }),
    ...(`${startDate}${endDate}` !== "" && {
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  };
}
