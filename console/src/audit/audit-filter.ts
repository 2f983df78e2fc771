/** The filters of the audit log: in the address of the page, and in the request. */
import type { QueryValues } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { omitEmpty } from "../api/list-request.ts";
import { type Range, readRange } from "../dates/range.ts";
import { readPage, readTexts } from "../lib/address.ts";

export const ACTIONS = listAll<QueryValues["action"]>()(
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
);

export const OBJECT_KINDS = listAll<QueryValues["objectKind"]>()(
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
);

export const ACTOR_KINDS = listAll<QueryValues["actorKind"]>()("user", "apiKey", "system", "unknown");

const TEXTS = ["actorId", "objectId", "requestId"] as const;

export interface AuditFilter extends Range, Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly action: QueryValues["action"] | "";
  readonly objectKind: QueryValues["objectKind"] | "";
  readonly actorKind: QueryValues["actorKind"] | "";
  readonly page: number;
}

/**
 * The filter in an address; what it doesn't name, or names wrongly, isn't used.
 * @param timezone of a range that is relative to today
 */
export function readAuditFilter(query: URLSearchParams, timezone: string): AuditFilter {
  return {
    ...readRange(query, timezone),
    ...readTexts(query, TEXTS),
    action: ACTIONS.find((action) => action === query.get("action")) ?? "",
    objectKind: OBJECT_KINDS.find((kind) => kind === query.get("objectKind")) ?? "",
    actorKind: ACTOR_KINDS.find((kind) => kind === query.get("actorKind")) ?? "",
    page: readPage(query),
  };
}

/**
 * What is asked of the service: only what is set.
 * @param timezone in which days begin
 */
export const writeAuditRequest = (
  { page: _, action, objectKind, actorKind, ...texts }: AuditFilter,
  timezone: string,
) => ({
  ...omitEmpty(texts),
  ...(action !== "" && { action }),
  ...(objectKind !== "" && { objectKind }),
  ...(actorKind !== "" && { actorKind }),
  timezone,
});
