/** Jobs: long work that goes on after its request. */
import { session } from "../http/access.ts";
import { accepted, json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { job, jobParams } from "../schemas/jobs.schemas.ts";

export const jobsRoutes = [
  defineRoute({
    id: "getJob",
    method: "get",
    path: "/api/admin/jobs/{jobId}",
    databaseLimit: "record",
    summary: "Get a job with its progress or result",
    description:
      "Jobs are kept for a day after their end. Examinations are for administrators, and imports for their users, too (404 for others). `progress` changes at most once a second: poll no more often. A job whose instance dies becomes `failed` with the code `instance_lost` within a minute.",
    access: session("edit_books"),
    params: jobParams,
    responses: { 200: json("The job", job) },
    handle: async ({ params, actor }, { jobs }) => ok(await jobs.get(actor, params.jobId)),
  }),
  defineRoute({
    id: "cancelJob",
    method: "delete",
    path: "/api/admin/jobs/{jobId}",
    summary: "Cancel a job",
    description:
      "For the same users as the job itself. The job becomes `cancelled` within seconds: poll it. Returns 200 with the unchanged job if it has already ended.",
    access: session("edit_books"),
    params: jobParams,
    responses: {
      200: json("The job, which has ended", job),
      202: json("The job, which is about to end", job),
    },
    handle: async ({ params, actor }, { jobs }) => {
      await jobs.get(actor, params.jobId);
      const ending = await jobs.cancel(actor.author, params.jobId);
      return ending.status === "running" ? accepted(ending) : ok(ending);
    },
  }),
];
