/** Examinations of the doctor as jobs, and the report of the last one. */
import type { Author } from "../../repositories/change.ts";
import type { DoctorRunRequest, Job, LastDoctorReport } from "../../schemas/jobs.schemas.ts";
import type { JobsService } from "../jobs.service.ts";
import { Service } from "../shared/service.ts";
import type { DoctorService } from "./doctor.service.ts";

interface DoctorRunsDeps {
  doctor: Pick<DoctorService, "examine">;
  jobs: Pick<JobsService, "start" | "findLastDone">;
}

export class DoctorRunsService extends Service<DoctorRunsDeps> {
  start(by: Author, { deep = false, cloud = false }: DoctorRunRequest): Promise<Job> {
    const { doctor, jobs } = this.deps;
    return jobs.start(by, {
      kind: "doctor",
      options: { deep, cloud },
      work: (run) => doctor.examine({ deep, cloud }, run),
    });
  }

  async findLast(): Promise<LastDoctorReport> {
    const job = await this.deps.jobs.findLastDone("doctor");
    return { report: job?.result ?? null, finishedAt: job?.finishedAt ?? null };
  }
}
