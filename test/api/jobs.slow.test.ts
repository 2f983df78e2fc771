/** Jobs, shown by examinations of the doctor: they go on without their request, and end in one of three ways. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { startWithWaitingLink } from "../support/waiting-link.ts";

const RUNS = "/api/admin/doctor/runs";
const LAST = "/api/admin/doctor/last";
const DAY = 86_400_000;

/** Starts an examination. @returns the path of its job */
async function startRun(admin: Client, body: object = {}): Promise<string> {
  const { status, headers, body: job } = await admin.post(RUNS, body);
  expect([status, job.status, job.finishedAt]).toEqual([202, "running", null]);
  expect(headers.location).toBe(`/api/admin/jobs/${job.id}`);
  return String(headers.location);
}

const endOf = (admin: Client, path: string) =>
  eventually(async () => {
    const { body } = await admin.get(path);
    expect(body.status).not.toBe("running");
    return body;
  });

/** A row as an instance leaves it that dies during the job, or another state of it. */
async function addRow(
  { container, clock }: TestApp,
  id: string,
  change: { status?: string; finishedAt?: number; result?: string } = {},
) {
  const row = {
    id,
    kind: "doctor",
    status: "running",
    isCancelRequested: 0 as const,
    startedAt: clock.now(),
  };
  await container.writeRecords(({ jobs }) =>
    jobs.insert({ ...row, progressDone: 1, progressOf: 2, ...change }),
  );
  return `/api/admin/jobs/${id}`;
}

describe("an examination as a job", () => {
  it("has the report as its result, which stays the last one", async () => {
    const { app, client: admin } = await startWithAdmin();
    expect((await admin.get(LAST)).body).toEqual({ report: null, finishedAt: null });
    await app.make.published("Well", "en");
    const path = await startRun(admin, { deep: true });
    const job = await endOf(admin, path);
    expect(job).toMatchObject({ kind: "doctor", status: "done", progress: { done: 1, of: 1 }, error: null });
    expect(job.result).toMatchObject({ isHealthy: true, examined: { files: 1 } });
    expect(job.result.checks).toContainEqual({ check: "changed_bytes", found: 0 });
    const { report, finishedAt } = (await admin.get(LAST)).body;
    expect({ report, finishedAt }).toEqual({ report: job.result, finishedAt: job.finishedAt });
  });

  it("can be read after an earlier version has counted less, and beside a later one with more checks", async () => {
    const { app, client: admin } = await startWithAdmin();
    const { result } = await endOf(admin, await startRun(admin));
    const { removedFiles: _, ...examined } = result.examined;
    const finding = {
      check: "later_check",
      severity: "error",
      object: { kind: "later_kind", id: "", name: "" },
      message: "Later.",
      advice: "Later.",
    };
    const other = {
      ...result,
      examined: { ...examined, laterCount: 3 },
      checks: [...result.checks, { check: "later_check", found: 1 }],
      findings: [...result.findings, finding],
      laterField: true,
    };
    const ended = { status: "done", finishedAt: app.clock.now(), result: JSON.stringify(other) };
    const path = await addRow(app, "01a1fb60-0000-7000-8000-00000000000a", ended);
    expect((await admin.get(path)).body.result).toEqual(result);
    expect((await admin.get(LAST)).body.report).toEqual(result);
  });

  it("is in the audit log with who started and who cancelled it", async () => {
    const { client: admin, asked, ...app } = await startWithWaitingLink();
    const path = await startRun(admin, { cloud: true });
    await asked;
    await admin.delete(path);
    await admin.delete(path);
    const id = path.split("/").at(-1);
    const lines = (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "job");
    expect(lines).toMatchObject([
      { action: "start", objectId: id, changes: { deep: { after: false }, cloud: { after: true } } },
      { action: "cancel", objectId: id, changes: {} },
    ]);
  });

  it("shows its progress, is the only one of its kind, and is cancelled within seconds", async () => {
    const { client: admin, asked, ...app } = await startWithWaitingLink();
    const path = await startRun(admin, { cloud: true });
    await asked;
    await eventually(async () => expect((await admin.get(path)).body.progress).toEqual({ done: 1, of: 2 }));
    const second = await admin.post(RUNS, {});
    expectProblem(second, 409, { code: "job_running" });
    expect(second.headers.location).toBe(path);
    const cancelled = await admin.delete(path);
    expect([cancelled.status, cancelled.headers.location]).toEqual([202, path]);
    const job = await endOf(admin, path);
    expect(job).toMatchObject({ status: "cancelled", result: null, error: null });
    expect(job.finishedAt).not.toBeNull();
    const again = await admin.delete(path);
    expect([again.status, again.body]).toEqual([200, job]);
    expect((await admin.get(LAST)).body).toEqual({ report: null, finishedAt: null });
    app.respond();
    expect(await endOf(admin, await startRun(admin))).toMatchObject({ status: "done" });
  });

  it("writes its progress at most once a second", async () => {
    const { app, client: admin } = await startWithAdmin();
    const writes: number[] = [];
    const startedAt = performance.now();
    const { jobs } = app.container.services;
    const ended = Promise.withResolvers<void>();
    const { id } = await jobs.start(createSystemAuthor("test"), {
      kind: "doctor",
      options: {},
      async work({ report }) {
        const until = performance.now() + 2500;
        for (let done = 0; performance.now() < until; done += 1) {
          report({ done, of: 1_000_000 });
          await sleep(1);
        }
        ended.resolve();
        throw new Error("made to fail");
      },
    });
    const path = `/api/admin/jobs/${id}`;
    let isEnded = false;
    void ended.promise.then(() => {
      isEnded = true;
    });
    while (!isEnded) {
      const { done } = (await admin.get(path)).body.progress;
      if (done !== writes.at(-1)) writes.push(done);
      await sleep(50);
    }
    expect(writes.length).toBeGreaterThan(1);
    // The first one at the start, the last one with the end.
    expect(writes.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 1000);
    const job = await endOf(admin, path);
    expect(job.error).toEqual({ code: "server_error", message: "Internal server error." });
    expect(app.logged.find(({ job }) => job === id)).toMatchObject({ msg: "a job has failed" });
  });

  it("fails with the error of an examination that was requested without a job", async () => {
    const { client: admin, asked, ...app } = await startWithWaitingLink();
    const direct = admin.get("/api/admin/doctor?cloud=true");
    await asked;
    const job = await endOf(admin, await startRun(admin));
    expect(job).toMatchObject({ status: "failed", error: { code: "doctor_running" } });
    app.respond();
    expect((await direct).status).toBe(200);
  });

  it("rejects unknown fields and all other errors at once", async () => {
    const admin = await (await startApp()).admin();
    const response = await admin.post(RUNS, { deep: "soon", clouds: true });
    expectProblem(response, 400, { code: "invalid_input" });
    expect(response.body.errors).toHaveLength(2);
  });
});

it("an examination that is aborted reads no further file", async () => {
  const app = await startApp();
  for (const name of ["One", "Two", "Three"]) await app.make.published(name, "en", name);
  const stop = new AbortController();
  const reported: number[] = [];
  const report = ({ done }: { done: number }) => {
    reported.push(done);
    if (done === 1) stop.abort(new Error("aborted by the test"));
  };
  const { doctor } = app.container.services;
  const examination = doctor.examine({ deep: true, cloud: false }, { signal: stop.signal, report });
  await expect(examination).rejects.toThrow("aborted by the test");
  await sleep(200);
  expect(reported).toEqual([0, 1]);
});

describe("a job that has ended", () => {
  it("is kept for a day, its report longer", async () => {
    const { app, client: admin } = await startWithAdmin();
    await endOf(admin, await startRun(admin));
    const newer = await startRun(admin);
    await endOf(admin, newer);
    app.clock.advance(DAY - 1000);
    const today = await app.admin();
    expect((await today.get(newer)).status).toBe(200);
    app.clock.advance(2000);
    expectProblem(await today.get(newer), 404, { code: "job_not_found" });
    expectProblem(await today.delete(newer), 404, { code: "job_not_found" });
    await app.container.retention.run();
    const rows = await app.container.database.read.selectFrom("jobs").select("id").execute();
    expect(rows.map(({ id }) => `/api/admin/jobs/${id}`)).toEqual([newer]);
    expect((await today.get(LAST)).body.report).toMatchObject({ isHealthy: true });
  });

  it("has the last report by the order of the starts, even after the clock was wrong", async () => {
    const { app, client: admin } = await startWithAdmin();
    const examined = {
      files: 0,
      covers: 0,
      bytes: 0,
      cloudLinks: 0,
      removedFiles: 0,
      removedBytes: 0,
      replacedFiles: 0,
      replacedBytes: 0,
    };
    const report = {
      isHealthy: false,
      checkedAt: "2060-01-01T00:00:00.000Z",
      checks: [],
      examined,
      findings: [],
    };
    const inFuture = {
      status: "done",
      finishedAt: app.clock.now() + 9999 * DAY,
      result: JSON.stringify(report),
    };
    await addRow(app, "01a1fb60-0000-7000-8000-000000000001", inFuture);
    expect((await admin.get(LAST)).body.report).toEqual(report);
    await endOf(admin, await startRun(admin));
    expect((await admin.get(LAST)).body.report).toMatchObject({ isHealthy: true });
  });
});

describe("a job that isn't known", () => {
  it.each([
    ["01a1fb60-0000-7000-8000-000000000009", "an unknown id"],
    ["x", "no id"],
  ])("is a 404: %s, %s", async (id) => {
    const admin = await (await startApp()).admin();
    expectProblem(await admin.get(`/api/admin/jobs/${id}`), 404, { code: "job_not_found" });
    expectProblem(await admin.delete(`/api/admin/jobs/${id}`), 404, { code: "job_not_found" });
  });

  it("is a 404 if its kind belongs to another version", async () => {
    const app = await startApp();
    const path = await addRow(app, "01a1fb60-0000-7000-8000-000000000001");
    const { database } = app.container;
    await database.commit(() => database.writer.updateTable("jobs").set({ kind: "other" }).execute());
    expectProblem(await (await app.admin()).get(path), 404, { code: "job_not_found" });
  });
});

describe("a job whose instance has ended", () => {
  const LOST = { status: "failed", error: { code: "instance_lost" } };

  it("has failed after the next start", async () => {
    const { app, client: admin } = await startWithAdmin();
    const path = await addRow(app, "01a1fb60-0000-7000-8000-000000000001");
    expect((await admin.get(path)).body).toMatchObject({ status: "running", progress: { done: 1, of: 2 } });
    app.container.services.jobs.startSchedule();
    expect(await endOf(admin, path)).toMatchObject(LOST);
  });

  it("doesn't keep another one from starting", async () => {
    const { app, client: admin } = await startWithAdmin();
    const path = await addRow(app, "01a1fb60-0000-7000-8000-000000000001");
    expect(await endOf(admin, await startRun(admin))).toMatchObject({ status: "done" });
    expect((await admin.get(path)).body).toMatchObject(LOST);
  });

  it("has failed when an orderly shutdown is over", async () => {
    const { client: admin, asked, dataDir, ...app } = await startWithWaitingLink();
    const path = await startRun(admin, { cloud: true });
    await asked;
    await app.container.close();
    const next = await startApp({}, { dataDir });
    expect((await (await next.admin()).get(path)).body).toMatchObject(LOST);
  });

  it("stops when another instance has recorded it as lost", async () => {
    const { client: admin, asked, ...app } = await startWithWaitingLink();
    const path = await startRun(admin, { cloud: true });
    await asked;
    const id = path.split("/").at(-1) ?? "";
    await app.container.writeRecords(({ jobs }) => jobs.update(id, { status: "failed", error: null }));
    await eventually(async () => expect((await admin.get("/api/admin/doctor")).status).toBe(200));
  });
});
