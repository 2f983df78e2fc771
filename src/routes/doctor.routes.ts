/** The doctor. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { doctorQuery, doctorReport } from "../schemas/doctor.schemas.ts";

/** How a query says no; an empty parameter counts as absent. */
const NO = ["", "false", "0"];

export const doctorRoutes: readonly Route[] = [
  defineRoute({
    id: "runDoctor",
    method: "get",
    path: "/api/admin/doctor",
    tag: "System",
    summary: "Check the database, stored files and links for inconsistencies",
    description:
      "Changes nothing. `deep=true` reads and hashes all stored bytes and checks the whole database; `cloud=true` requests every cloud link. Both take time, and other sites can't start them (403). `npm run doctor` does the same on the command line.",
    access: session("manage_settings"),
    query: doctorQuery,
    responses: { 200: json("The findings, each with advice", doctorReport) },
    startsWork: ({ deep = "", cloud = "" }) => [deep, cloud].some((given) => !NO.includes(String(given))),
    problems: [409],
    handle: async ({ query }, { doctor }) => ok(await doctor.examine(query)),
  }),
];
