/** The doctor. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/answers.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { doctorQuery, doctorReport } from "../schemas/doctor.schemas.ts";

export const doctorRoutes: readonly Route[] = [
  defineRoute({
    id: "runDoctor",
    method: "get",
    path: "/api/admin/doctor",
    tag: "System",
    summary: "Check the database, stored files and links for inconsistencies",
    description:
      "Changes nothing. With `deep=true` all bytes are read and hashed, with `cloud=true` every cloud link is asked for its file: both take their time, and `npm run doctor` does the same.",
    access: session("manage_settings"),
    query: doctorQuery,
    answers: { 200: json("What was found, and what to do about it", doctorReport) },
    problems: [409],
    handle: async ({ query }, { doctor }) => ok(await doctor.examine(query)),
  }),
];
