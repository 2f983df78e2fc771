/** What the page of the doctor reads and starts. */
import { queryOptions } from "@tanstack/react-query";
import { api, Problem, receive, type Schemas } from "../api/client.ts";

export const lastReportQuery = queryOptions({
  queryKey: ["doctor", "last"],
  queryFn: () => receive(api.GET("/api/admin/doctor/last")),
});

const POLL_MS = 1000;

/** A job, read again until it has ended. Null if it isn't known any more. */
export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["jobs", jobId],
    enabled: jobId !== "",
    async queryFn() {
      try {
        return await receive(api.GET("/api/admin/jobs/{jobId}", { params: { path: { jobId } } }));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state: { data } }) => (data?.status === "running" ? POLL_MS : false),
  });

/** @returns the id of the new job, or of the one that is running already */
export async function startRun(body: Schemas["DoctorRunRequest"]): Promise<{ id: string; isNew: boolean }> {
  try {
    const { id } = await receive(api.POST("/api/admin/doctor/runs", { body }));
    return { id, isNew: true };
  } catch (error) {
    const id = error instanceof Problem && error.code === "job_running" && error.location?.split("/").at(-1);
    if (id) return { id, isNew: false };
    throw error;
  }
}

export const cancelJob = (jobId: string) =>
  receive(api.DELETE("/api/admin/jobs/{jobId}", { params: { path: { jobId } } }));
