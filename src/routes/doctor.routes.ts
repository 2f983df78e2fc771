/** The doctor. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { MAX_FORM_BYTES } from "../http/requests/json.ts";
import { accepted, json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { doctorQuery, doctorReport } from "../schemas/doctor.schemas.ts";
import { doctorRunRequest, job, lastDoctorReport } from "../schemas/jobs.schemas.ts";

/** Values that mean false; an empty parameter counts as absent. */
const NO = ["", "false", "0"];

export const doctorRoutes = [
  defineRoute({
    id: "runDoctor",
    method: "get",
    path: "/api/admin/doctor",
    summary: "Check the database, stored files and links for inconsistencies",
    description:
      "Changes nothing, except that `deep=true` deletes kept ZIPs that contain a missing or changed file. `deep=true` reads and hashes all stored bytes and checks the whole database; `cloud=true` requests every cloud link. Both take time, and requests from other sites are rejected (403). The command `bookdist doctor` does the same.",
    access: session("manage_settings"),
    databaseLimit: "batches",
    query: doctorQuery,
    responses: { 200: json("The findings, each with advice", doctorReport) },
    startsWork: ({ deep = "", cloud = "" }) => [deep, cloud].some((given) => !NO.includes(String(given))),
    problems: [409],
    handle: async ({ query }, { doctor }) => ok(await doctor.examine(query)),
  }),
  defineRoute({
    id: "startDoctorRun",
    method: "post",
    path: "/api/admin/doctor/runs",
    summary: "Start an examination as a job",
    description:
      "Does the same as `GET /api/admin/doctor`, but goes on without the connection: poll the job at `Location`. Returns 409 `job_running` with the `Location` of the other job if an examination is running as a job, at any instance.",
    access: session("manage_settings"),
    body: jsonBody(doctorRunRequest, { isRequired: false, maxBytes: MAX_FORM_BYTES }),
    responses: { 202: json("The job", job) },
    problems: [409],
    handle: async ({ body, actor }, { doctorRuns }) =>
      accepted(await doctorRuns.start(actor.author, body ?? {})),
  }),
  defineRoute({
    id: "getLastDoctorReport",
    method: "get",
    path: "/api/admin/doctor/last",
    summary: "Get the report of the last examination",
    description:
      "The last examination that was started by `POST /api/admin/doctor/runs` and reached its end, however long ago.",
    access: session("manage_settings"),
    responses: { 200: json("The report and its time", lastDoctorReport) },
    handle: async (_, { doctorRuns }) => ok(await doctorRuns.findLast()),
  }),
];
