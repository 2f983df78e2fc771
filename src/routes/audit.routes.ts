/** The audit log. */
import { session } from "../http/access.ts";
import { csvContent, json, ok, okCsv } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { auditExportQuery, auditPage, auditQuery } from "../schemas/audit.schemas.ts";

const CSV_EXAMPLE =
  "id,at,actorKind,actorId,actorName,ipAddress,action,objectKind,objectId,objectName,changes,requestId\r\n" +
  "42,2026-03-01T12:00:00.000Z,user,01a1fb60-1a34-772b-a309-dba157e20a82,Ben," +
  "203.0.113.7,update,book,01a1fb60-1a34-772b-a309-dba157e20a81,The Deep Well," +
  '"{""titleEn"":{""before"":""The Well"",""after"":""The Deep Well""}}",01a1fb60-1a33-7d11-8a5e-6f2a7d0c9b1e\r\n';

export const auditRoutes = [
  defineRoute({
    id: "listAuditEntries",
    method: "get",
    path: "/api/admin/audit",
    summary: "List audit log entries",
    description:
      "Returns entries, newest first. Each change by an administrator, an API key or a command has an entry with the changed fields before and after. Log-ins, log-outs, exports (`export`, with the file name and the filters) and disclosures of personal data (`disclose`) are also recorded. Failed log-ins (`login_failed`) are combined into one entry per account and address within 15 minutes; `changes.count` is their number, and `objectId` is empty if the account doesn't exist. Secrets and personal data are replaced by `[masked]`, and long values are truncated. Filters are combined with AND.",
    access: session("manage_users"),
    query: auditQuery,
    responses: { 200: json("A page of entries", auditPage) },
    handle: async ({ query }, { audit }) => ok(await audit.list(query)),
  }),
  defineRoute({
    id: "exportAuditEntries",
    method: "get",
    path: "/api/admin/audit/export",
    summary: "Export the audit log as CSV",
    description:
      "Returns all matching entries, newest first. The column `changes` contains JSON. Times are in UTC, or in `timezone` with its offset.",
    access: session("manage_users"),
    query: auditExportQuery,
    responses: { 200: csvContent("The entries", CSV_EXAMPLE) },
    handle: async ({ query, actor }, { audit }) =>
      okCsv(await audit.recordExport(actor.author, "auditLog", audit.export(query), query)),
  }),
];
