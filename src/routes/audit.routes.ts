/** The audit log. */
import { session } from "../http/access.ts";
import { csvContent, json, ok, okCsv } from "../http/answers.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { auditExportQuery, auditPage, auditQuery } from "../schemas/audit.schemas.ts";

const tag = "Audit log";

const CSV_EXAMPLE =
  "id,at,actorKind,actorId,actorName,ipAddress,action,objectKind,objectId,objectName,changes,requestId\r\n" +
  "42,2026-03-01T12:00:00.000Z,user,01a1fb60-1a34-772b-a309-dba157e20a82,Ben," +
  "203.0.113.7,update,book,01a1fb60-1a34-772b-a309-dba157e20a81,The Deep Well," +
  '"{""titleEn"":{""before"":""The Well"",""after"":""The Deep Well""}}",01a1fb60-1a33-7d11-8a5e-6f2a7d0c9b1e\r\n';

export const auditRoutes: readonly Route[] = [
  defineRoute({
    id: "listAuditEntries",
    method: "get",
    path: "/api/admin/audit",
    tag,
    summary: "Get who changed what, newest first",
    description:
      "One entry for each change by an administrator, an API key or the command line: the fields that differ, as they were and as they are. Also log-ins, log-outs, exports (`export`: the name of the file, and which filters were used) and whose personal data was given out (`disclose`). Failed log-ins (`login_failed`) are one entry for an account and an address in 15 minutes, with their number in `changes.count`; of one that doesn't exist `objectId` is empty. Of secrets and personal data it tells only that they changed (`[masked]`); a long value is cut. `ipAddress` is kept as `IP_STORAGE` says. `requestId` is the `X-Request-Id` of the answer to the change.",
    access: session("manage_users"),
    query: auditQuery,
    answers: { 200: json("A page of entries", auditPage) },
    handle: async ({ query }, { audit }) => ok(await audit.list(query)),
  }),
  defineRoute({
    id: "exportAuditEntries",
    method: "get",
    path: "/api/admin/audit/export",
    tag,
    summary: "Export the audit log as CSV, newest first",
    description:
      "All entries that the filters leave; `changes` is JSON. Times are in UTC, or in `timezone` with its offset.",
    access: session("manage_users"),
    query: auditExportQuery,
    answers: { 200: csvContent("The entries", CSV_EXAMPLE) },
    handle: async ({ query, actor }, { audit }) =>
      okCsv(await audit.exported(actor.author, "auditLog", audit.export(query), query)),
  }),
];
