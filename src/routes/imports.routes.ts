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
      "Groups files into books by the rules of `bookdist import`, and compares them with the catalogue as its dry run does. Changes nothing. The content of each file must be known: examine it first (`POST /api/admin/files/examine`), or let a file of a book have it; others are left out. With a `catalogue`, JSON or CSV, the books are those that it describes.",
    access: sessionOrKey("edit_books"),
    maxAtOnce: 2,
    body: jsonBody(importPlanRequest, { maxBytes: MAX_PLAN_BYTES }),
    responses: { 200: json("What an import would do", importPlan) },
    handle: async ({ body }, { importPlans }) => ok(await importPlans.plan(body)),
  }),
];
