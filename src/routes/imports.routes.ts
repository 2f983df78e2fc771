/** Imports of folders. */
import { sessionOrKey } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { importPlan, importPlanRequest, MAX_PLAN_BYTES } from "../schemas/imports.schemas.ts";

export const importsRoutes = [
  defineRoute({
    id: "planImport",
    method: "post",
    path: "/api/admin/imports/plans",
    databaseLimit: "batches",
    summary: "Plan the import of a folder",
    description:
      "Groups files into books by the rules of `bookdist import`, and compares them with the catalogue as its dry run does. Changes nothing. The content of each file must be known: examine it first (`POST /api/admin/files/examine`), or let a file of a book have it; others are left out. Files of books are examined first if they weren't within the last hour, which can take minutes for thousands of them: if the client leaves, the examination ends, and the same request goes on from there. With a `catalogue`, JSON, CSV or XLSX, the books are those that it describes (404 `content_unknown` if the service doesn't have its bytes). To write a book as the import does, ask for its `details`, create the languages, send `upsert`, add the files whose status is `create`, then the covers.",
    access: sessionOrKey("edit_books"),
    maxAtOnce: 2,
    body: jsonBody(importPlanRequest, { maxBytes: MAX_PLAN_BYTES }),
    responses: { 200: json("What an import would do", importPlan) },
    problems: [404],
    handle: async ({ body }, { importPlans }) => ok(await importPlans.plan(body)),
  }),
];
