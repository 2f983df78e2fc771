/** Imports of folders. */
import { sessionOrKey } from "../http/access.ts";
import { jsonListsBody } from "../http/requests/body.ts";
import { accepted, created, json, jsonOrCsv, ok, okCsv } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import {
  importCreation,
  importCreationEnvelope,
  importList,
  importParams,
  importRun,
} from "../schemas/import-runs.schemas.ts";
import {
  importPlan,
  importPlanEnvelope,
  importPlanRequest,
  listedItems,
  MAX_PLAN_BYTES,
} from "../schemas/imports.schemas.ts";

const IMPORTS = "/api/admin/imports";
const CSV = "text/csv";

export const importsRoutes = [
  defineRoute({
    id: "planImport",
    method: "post",
    path: "/api/admin/imports/plans",
    databaseLimit: "batches",
    summary: "Plan the import of a folder",
    description:
      "Groups files into books by the rules of `bookdist import`, and compares them with the catalogue as its dry run does. Changes nothing. The content of each file must be known: examine it first (`POST /api/admin/files/examine`), or let a file of a book have it; others are left out. Files of books are examined first if they weren't within the last hour, which can take minutes for thousands of them: if the client leaves, the examination ends, and the same request goes on from there. With a `catalogue`, JSON, CSV or XLSX, the books are those that it describes (404 `content_unknown` if the service doesn't have its bytes). To write the books, make an import of the same request (`POST /api/admin/imports`).",
    access: sessionOrKey("edit_books"),
    maxAtOnce: 2,
    body: jsonListsBody(
      importPlanRequest,
      { envelope: importPlanEnvelope, items: listedItems },
      { maxBytes: MAX_PLAN_BYTES },
    ),
    responses: { 200: json("What an import would do", importPlan) },
    problems: [404],
    handle: async ({ body }, { importPlans }) => ok(await importPlans.plan(body)),
  }),
  defineRoute({
    id: "createImport",
    method: "post",
    path: "/api/admin/imports",
    databaseLimit: "batches",
    summary: "Prepare an import",
    description:
      "Prepares an import of the files and the catalogue of a plan. Nothing is written before it is started. `missing` lists the bytes that the service needs: send each file to `POST /api/admin/files/examine?importId=…`. `corrections` decide otherwise than the rules. An import is kept for 30 days, and is the user's own: sessions and API keys of a user share theirs, and administrators have all.",
    access: sessionOrKey("edit_books"),
    body: jsonListsBody(
      importCreation,
      { envelope: importCreationEnvelope, items: listedItems },
      { maxBytes: MAX_PLAN_BYTES },
    ),
    responses: { 201: json("The import", importRun) },
    handle: async ({ body, actor }, { imports }) => created(IMPORTS, await imports.create(actor, body)),
  }),
  defineRoute({
    id: "listImports",
    method: "get",
    path: "/api/admin/imports",
    summary: "List imports",
    description:
      "Returns the user's own imports of 30 days, newest first, without their results; for administrators those of all users.",
    access: sessionOrKey("edit_books"),
    responses: { 200: json("The imports", importList) },
    handle: async ({ actor }, { imports }) => ok(await imports.list(actor)),
  }),
  defineRoute({
    id: "getImport",
    method: "get",
    path: "/api/admin/imports/{importId}",
    summary: "Get an import with its progress and result",
    description:
      "`progress` changes at most once a second: poll no more often. An import whose instance dies becomes `failed` with the code `instance_lost` within a minute. With `Accept: text/csv` the result is a table.",
    access: sessionOrKey("edit_books"),
    params: importParams,
    responses: {
      200: jsonOrCsv(
        "The import",
        importRun,
        "path,slug,bookId,status,languageCode,fileType,code,message\r\n",
      ),
    },
    handle: async ({ params: { importId }, actor, accepted: readAccepted }, { imports }) => {
      const preferred = readAccepted().ranges.find((range) => range === CSV || /json|\*/.test(range));
      return preferred === CSV
        ? okCsv(await imports.export(actor, importId))
        : ok(await imports.get(actor, importId));
    },
  }),
  defineRoute({
    id: "cancelImport",
    method: "delete",
    path: "/api/admin/imports/{importId}",
    summary: "Cancel an import",
    description:
      "An import that is running becomes `cancelled` within seconds, between two books: poll it. One that wasn't started is `cancelled` at once. Returns 200 with the unchanged import if it has ended. Its bytes are kept as before, and it can be started again.",
    access: sessionOrKey("edit_books"),
    params: importParams,
    responses: {
      200: json("The import, which has ended", importRun),
      202: json("The import, which is about to end", importRun),
    },
    handle: async ({ params: { importId }, actor }, { imports }) => {
      const { isEnding, body } = await imports.cancel(actor, importId);
      return isEnding ? accepted(body, `${IMPORTS}/${importId}`) : ok(body);
    },
  }),
  defineRoute({
    id: "startImport",
    method: "post",
    path: "/api/admin/imports/{importId}/start",
    databaseLimit: "batches",
    summary: "Start an import",
    description:
      "Decides again by the same rules, and writes as the user: poll the import. One that has failed or was cancelled does only what is missing. Returns 409 `content_missing` while `missing` isn't empty, `import_running` while another import of the user is running, and `import_done` for one that has reached its end. With an API key, an import whose languages don't exist fails with `languages_missing`.",
    access: sessionOrKey("edit_books"),
    params: importParams,
    responses: { 202: json("The import", importRun) },
    problems: [409],
    handle: async ({ params: { importId }, actor }, { imports }) =>
      accepted(await imports.start(actor, importId), `${IMPORTS}/${importId}`),
  }),
  defineRoute({
    id: "undoImport",
    method: "post",
    path: "/api/admin/imports/{importId}/undo",
    databaseLimit: "batches",
    summary: "Undo an import",
    description:
      "Takes back what the import has changed, also one that has failed or was cancelled: new books are archived, files that were added to known books become inactive, and replaced contents and texts are again what they were before, by the audit log. Languages stay. What somebody has changed since stays, too: `undo.kept` has the books. Poll the import; `DELETE` cancels between two books, and a repeated undo goes on. Returns 409 `import_not_ended` before its end, `import_running` while another import of the user is running, and `import_undo_expired` after `undoableUntil`.",
    access: sessionOrKey("edit_books"),
    params: importParams,
    responses: { 202: json("The import", importRun) },
    problems: [409],
    handle: async ({ params: { importId }, actor }, { imports }) =>
      accepted(await imports.undo(actor, importId), `${IMPORTS}/${importId}`),
  }),
];
