/** Long work as a job in the database: it outlives a lost connection, and is the same at every instance. */
import type { Cancel } from "../adapters/system.ts";
import type { Database } from "../db/database.ts";
import { outsideRequest } from "../db/request-scope.ts";
import { AppError, conflict, notFound, type Progress } from "../errors.ts";
import { DAY, isoTime, isoTimeOrNull } from "../lib/time.ts";
import type { Author, Change } from "../repositories/change.ts";
import type { ImportsRepository } from "../repositories/imports.repository.ts";
import type { WriteRecords } from "../repositories/index.ts";
import type { JobChange, JobRow, JobsRepository } from "../repositories/jobs.repository.ts";
import { storedDoctorReport } from "../schemas/doctor.schemas.ts";
import {
  JOB_KINDS,
  JOB_STATUSES,
  type Job,
  type JobError,
  type JobKind,
  jobError,
  pathOfJob,
} from "../schemas/jobs.schemas.ts";
import { type Actor, userIdOf } from "./shared/actor.ts";
import { type RecordDeps, Service } from "./shared/service.ts";
import { parseWord } from "./shared/stored-values.ts";

/** How often a job's progress is written, and a request to cancel it is noticed. */
const TICK_MS = 1000;
/** How often an instance looks for jobs of others that have died. The database frees their locks within ten seconds. */
const SEARCH_MS = 20_000;
/** How long jobs are kept after their end. */
export const JOBS_KEPT_MS = DAY;

/** What a job does. It ends soon after the signal is aborted. @returns the result, as the API returns it */
type Work = (run: { signal: AbortSignal; report(progress: Progress): void }) => Promise<object>;

interface NewJob {
  kind: JobKind;
  /** One job of a kind runs for each. */
  subject?: string;
  /** For the audit log: what is started, if it isn't the job itself. */
  object?: Change["object"];
  /** For the audit log. */
  options: object;
  work: Work;
  /** What is written together with the start, the progress and the end of the job. */
  records?: JobRecords | undefined;
}

type RecordWrites = Parameters<Parameters<WriteRecords>[0]>[0];

interface JobRecords {
  start(repositories: Pick<RecordWrites, "imports">, jobId: string): Promise<void>;
  progress(repositories: RecordWrites): Promise<void>;
  end(repositories: RecordWrites, change: JobChange): Promise<void>;
  /** Of another job of the kind and the subject. */
  conflict(): AppError;
}

/** A job of this instance, from before its row is written until after it has ended. */
interface RunningJob {
  id: string;
  stop: AbortController;
  /** How the job ends if it is stopped. */
  end: JobChange | undefined;
  progress: Progress;
  ended: Promise<void>;
  records: JobRecords | undefined;
}

interface JobsServiceDeps
  extends Pick<RecordDeps, "write" | "change" | "newId" | "clock" | "schedule" | "log"> {
  /** Reads committed data. */
  jobs: Pick<JobsRepository, "find" | "findLastDone" | "listRunning">;
  imports: Pick<ImportsRepository, "isAnyRunning">;
  database: Pick<Database, "runAtOneInstance">;
}

/**
 * An instance holds a lock in the database for each of its jobs. A job that is running according to its row, and whose
 * lock is free, belongs to an instance that has died: this needs no clock. On SQLite there is one instance, and what it
 * doesn't run itself isn't running.
 */
export class JobsService extends Service<JobsServiceDeps> {
  readonly #running = new Map<string, RunningJob>();
  #cancelSearch: Cancel = () => {};
  #isClosed = false;

  /**
   * Throws 404 `job_not_found` for an unknown job, one that ended more than a day ago, and one that isn't for this user:
   * imports are their users' own, and administrators have all.
   */
  async get(actor: Actor, id: string): Promise<Job> {
    const row = this.#assertKept(await this.deps.jobs.find(id));
    const permissions: readonly string[] = actor.permissions;
    const isOwn = row.kind === ("import" satisfies JobKind) && row.subject === userIdOf(actor);
    if (isOwn || permissions.includes("manage_settings")) return presentJob(row);
    throw jobNotFound();
  }

  /** The last job of a kind that reached its end, however long ago. */
  async findLastDone(kind: JobKind): Promise<Job | undefined> {
    const row = await this.deps.jobs.findLastDone(kind);
    return row && presentJob(row);
  }

  /** Starts a job, which goes on after this. Throws 409 `job_running` while another one of this kind is running. */
  async start(by: Author, { work, records, ...job }: NewJob): Promise<Job> {
    await this.#failLost();
    const id = this.deps.newId();
    const release = await this.#hold(id);
    const running: RunningJob = {
      id,
      stop: new AbortController(),
      end: undefined,
      progress: { done: 0, of: 0 },
      ended: Promise.resolve(),
      records,
    };
    const leave = () => {
      this.#running.delete(id);
      release();
    };
    this.#running.set(id, running);
    try {
      const row = await this.#insert(by, { id, records, ...job });
      running.ended = outsideRequest(() => this.#run(running, work)).finally(leave);
      return presentJob(row);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Requests that a job ends, which takes a few seconds. One that has ended stays as it is.
   * @param object what is cancelled, if it isn't the job itself
   * @throws 404 like `get`
   */
  async cancel(by: Author, id: string, object?: Change["object"]): Promise<Job> {
    const row = await this.deps.change(by, async ({ jobs }) => {
      const found = this.#assertKept(await jobs.find(id));
      const requested = await jobs.requestCancel(id);
      const change = requested && {
        action: "cancel" as const,
        object: object ?? { kind: "job" as const, id, name: found.kind },
      };
      return { response: requested ?? found, change };
    });
    const running = this.#running.get(id);
    if (running) stop(running, { status: "cancelled" });
    return presentJob(row);
  }

  /** From now on, jobs whose instance has died become failed, until the service is closed. */
  startSchedule(): void {
    const failLost = () =>
      this.#failLost()
        .catch((error) => this.deps.log.warn({ err: error }, "could not look for jobs of lost instances"))
        .finally(() => {
          if (!this.#isClosed) this.#cancelSearch = this.deps.schedule(SEARCH_MS, failLost);
        });
    void failLost();
  }

  /** Ends all jobs of this instance: they take longer than a shutdown may. */
  interrupt(): void {
    for (const running of this.#running.values()) stop(running, this.#lost());
  }

  /** Resolves when the end of each job is recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSearch();
    this.interrupt();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #assertKept(row: JobRow | undefined): JobRow {
    const oldest = this.deps.clock.now() - JOBS_KEPT_MS;
    const isKnown = row && JOB_KINDS.some((kind) => kind === row.kind);
    if (isKnown && (row.finishedAt === null || row.finishedAt >= oldest)) return row;
    throw jobNotFound();
  }

  #insert(
    by: Author,
    { id, kind, subject = "", object, options, records }: Omit<NewJob, "work"> & { id: string },
  ): Promise<JobRow> {
    return this.deps.change(by, async ({ jobs, imports }) => {
      const other = await jobs.findRunning(kind, subject);
      if (other) {
        if (records) throw records.conflict();
        const headers = { Location: pathOfJob(other.id) };
        throw conflict("job_running", "Another job of this kind is running.", { headers });
      }
      const response = await jobs.insert({
        id,
        kind,
        subject,
        status: "running",
        isCancelRequested: 0,
        progressDone: 0,
        progressOf: 0,
        startedAt: this.deps.clock.now(),
      });
      await records?.start({ imports }, id);
      const started = object ?? ({ kind: "job", id, name: kind } as const);
      return { response, change: { action: "start", object: started, after: options } };
    });
  }

  /** Locks a job for this instance. @returns what releases it */
  #hold(id: string): Promise<() => void> {
    const end = Promise.withResolvers<void>();
    return new Promise((resolve, reject) => {
      const hold = async () => {
        resolve(end.resolve);
        await end.promise;
      };
      // What the job writes depends on its row, not on this lock: it may be lost while no other instance looks.
      this.deps.database.runAtOneInstance(lockOf(id), hold).catch(reject);
    });
  }

  async #run(running: RunningJob, work: Work): Promise<void> {
    const endWatch = this.#watch(running);
    const outcome = await this.#work(running, work);
    endWatch();
    const { done: progressDone, of: progressOf } = running.progress;
    const finishedAt = this.deps.clock.now();
    await this.deps
      .write(async (repositories) => {
        const change = { finishedAt, progressDone, progressOf, ...outcome };
        await repositories.jobs.update(running.id, change);
        await running.records?.end(repositories, change);
      })
      .catch((error) => this.deps.log.error({ err: error }, "could not record the end of a job"));
  }

  async #work(running: RunningJob, work: Work): Promise<JobChange> {
    const report = (progress: Progress) => {
      running.progress = progress;
    };
    try {
      const result = await work({ signal: running.stop.signal, report });
      return { status: "done", result: running.records ? null : JSON.stringify(result) };
    } catch (error) {
      if (running.end) return running.end;
      if (error instanceof AppError) return failure({ code: error.code, message: error.message });
      this.deps.log.error({ err: error, job: running.id }, "a job has failed");
      return failure({ code: "server_error", message: "Internal server error." });
    }
  }

  /** Writes the progress of a job, and stops it on request, until the returned function is called. */
  #watch(running: RunningJob): () => void {
    let isEnded = false;
    let cancel: Cancel = () => {};
    let written = running.progress;
    const tick = async () => {
      const { progress } = running;
      await this.#stopOnRequest(running);
      if (isEnded || progress === written) return;
      const change = { progressDone: progress.done, progressOf: progress.of };
      await this.deps.write(async (repositories) => {
        await repositories.jobs.update(running.id, change);
        await running.records?.progress(repositories);
      });
      written = progress;
    };
    const plan = () => {
      if (isEnded) return;
      cancel = this.deps.schedule(TICK_MS, () => {
        const warn = (error: unknown) =>
          this.deps.log.warn({ err: error }, "could not record the progress of a job");
        void tick().catch(warn).finally(plan);
      });
    };
    plan();
    return () => {
      isEnded = true;
      cancel();
    };
  }

  async #stopOnRequest(running: RunningJob): Promise<void> {
    const row = await this.deps.jobs.find(running.id);
    if (row?.status !== "running") stop(running, this.#lost());
    else if (row.isCancelRequested === 1) stop(running, { status: "cancelled" });
  }

  async #failLost(): Promise<void> {
    const { jobs, database, write, log } = this.deps;
    for (const { id, kind } of await jobs.listRunning()) {
      if (this.#running.has(id)) continue;
      await database.runAtOneInstance(lockOf(id), async () => {
        const finishedAt = this.deps.clock.now();
        await write((repositories) => repositories.jobs.update(id, { ...this.#lost(), finishedAt }));
        log.warn({ job: id, kind }, "the instance that ran a job is lost");
      });
    }
    if (!(await this.deps.imports.isAnyRunning())) return;
    await write(({ imports }) => imports.failLost(JSON.stringify(LOST), this.deps.clock.now()));
  }

  #lost(): JobChange {
    return failure(LOST);
  }
}

const LOST: JobError = { code: "instance_lost", message: "The instance that ran the job has stopped." };

const jobNotFound = (): AppError => notFound("job_not_found", "Job not found.");

const lockOf = (id: string): string => `job ${id}`;

const failure = (error: JobError): JobChange => ({ status: "failed", error: JSON.stringify(error) });

/** The first reason counts. */
function stop(running: RunningJob, end: JobChange): void {
  running.end ??= end;
  running.stop.abort();
}

const presentJob = (row: JobRow): Job => ({
  id: row.id,
  kind: parseWord(JOB_KINDS, row.kind),
  status: parseWord(JOB_STATUSES, row.status),
  progress: { done: row.progressDone, of: row.progressOf },
  startedAt: isoTime(row.startedAt),
  finishedAt: isoTimeOrNull(row.finishedAt),
  result: row.result === null ? null : storedDoctorReport.parse(JSON.parse(row.result)),
  error: row.error === null ? null : jobError.parse(JSON.parse(row.error)),
});
