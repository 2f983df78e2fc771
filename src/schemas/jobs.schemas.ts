/** Jobs: long work that goes on after its request. */
import { z } from "zod";
import { booleanField, count, optional, recordId, timestamp, uuid } from "./atoms.ts";
import { doctorReport, doctorReportExample } from "./doctor.schemas.ts";

export const JOB_KINDS = ["doctor", "import"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATUSES = ["running", "done", "failed", "cancelled"] as const;

/** Where a job is followed. */
export const pathOfJob = (id: string): string => `/api/admin/jobs/${id}`;

export const jobParams = z.object({ jobId: recordId.describe("Identifier of the job.") });

/** Also the stored form. */
export const jobError = z.object({
  code: z
    .string()
    .describe(
      "Machine-readable reason. `instance_lost`: the instance that ran the job has stopped, or was cut off from the database.",
    ),
  message: z.string().describe("Human-readable reason."),
});
export type JobError = z.infer<typeof jobError>;

export const job = z
  .object({
    id: uuid.describe("Identifier of the job."),
    kind: z
      .enum(JOB_KINDS)
      .describe(
        "What the job does. `doctor`: an examination of the installation. `import`: an import, whose result is below `/api/admin/imports`.",
      ),
    status: z
      .enum(JOB_STATUSES)
      .describe("`done`: `result` has the result. `failed`: `error` has the reason."),
    progress: z
      .object({
        done: count.describe("What is done of it."),
        of: count.describe("The whole; 0 as long as it is unknown."),
      })
      .describe(
        "How far the job is, at most about a second ago. An examination counts files and covers, and cloud links if it requests them.",
      ),
    startedAt: timestamp.describe("When the job started."),
    finishedAt: timestamp.nullable().describe("When it ended; null while it is running."),
    result: doctorReport.nullable().describe("The result; null unless `status` is `done`, and for imports."),
    error: jobError.nullable().describe("Why it failed; null unless `status` is `failed`."),
  })
  .meta({
    id: "Job",
    description: "Long work, which goes on without its request. It is the same at every instance.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a91",
      kind: "doctor",
      status: "running",
      progress: { done: 40, of: 82 },
      startedAt: "2026-03-01T12:00:00.000Z",
      finishedAt: null,
      result: null,
      error: null,
    },
  });
export type Job = z.infer<typeof job>;

export const doctorRunRequest = z
  .strictObject({
    deep: optional(booleanField).describe(
      "Whether to read all stored bytes, compare them with their hashes, and check the whole database.",
    ),
    cloud: optional(booleanField).describe("Whether to request every cloud link."),
  })
  .meta({
    id: "DoctorRunRequest",
    description: "What the examination includes.",
    example: { deep: true },
  });
export type DoctorRunRequest = z.output<typeof doctorRunRequest>;

export const lastDoctorReport = z
  .object({
    report: doctorReport.nullable().describe("The report; null before the first run."),
    finishedAt: timestamp.nullable().describe("When that run ended; null before the first run."),
  })
  .meta({
    id: "LastDoctorReport",
    description: "The report of the last run of the doctor that reached its end.",
    example: { report: doctorReportExample, finishedAt: "2026-03-01T12:00:00.120Z" },
  });
export type LastDoctorReport = z.infer<typeof lastDoctorReport>;
