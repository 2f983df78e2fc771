/** The doctor. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { doctorQuery, doctorReport } from "../schemas/doctor.schemas.ts";

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
];
