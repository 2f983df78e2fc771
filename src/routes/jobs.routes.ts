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
      "Jobs are kept for a day after their end. `progress` changes at most once a second: poll no more often. A job whose instance dies becomes `failed` with the code `instance_lost` within a minute.",
    access: session("manage_settings"),
    params: jobParams,
    responses: { 200: json("The job", job) },
    handle: async ({ params }, { jobs }) => ok(await jobs.get(params.jobId)),
  }),
  defineRoute({
    id: "cancelJob",
    method: "delete",
    path: "/api/admin/jobs/{jobId}",
    summary: "Cancel a job",
    description:
      "The job becomes `cancelled` within seconds: poll it. Returns 200 with the unchanged job if it has already ended.",
    access: session("manage_settings"),
    params: jobParams,
    responses: {
      200: json("The job, which has ended", job),
      202: json("The job, which is about to end", job),
    },
    handle: async ({ params, actor }, { jobs }) => {
      const ending = await jobs.cancel(actor.author, params.jobId);
      return ending.status === "running" ? accepted(ending) : ok(ending);
    },
  }),
];
