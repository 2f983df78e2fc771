/** Analytics. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/answers.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { downloadLog, downloadLogQuery } from "../schemas/analytics.schemas.ts";

const tag = "Analytics";

export const analyticsRoutes: readonly Route[] = [
  defineRoute({
    id: "listDownloadEvents",
    method: "get",
    path: "/api/admin/analytics/downloads",
    tag,
    summary: "Get the download event log, newest first",
    access: session("view_analytics"),
    query: downloadLogQuery,
    answers: { 200: json("A page of events", downloadLog) },
    handle: async ({ query }, { analytics }) => ok(await analytics.downloads(query)),
  }),
];
