/** A job of one of two instances: the other one shows its state, ends it, and notices that its instance is gone. */
import { expect, it } from "vitest";
import { createAccount } from "../support/accounts.ts";
import type { TestApp } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { cookieOf, PASSWORD } from "../support/factory.ts";
import { ServiceProcess } from "../support/service-process.ts";
import { createDatabaseSettings } from "../support/test-database.ts";
import { startWithWaitingLink } from "../support/waiting-link.ts";

const RUNS = "/api/admin/doctor/runs";

/** Another instance on the database of an application, as a process of its own. */
async function startOther(
  { dataDir }: Pick<TestApp, "dataDir">,
  variables: Readonly<Record<string, string>>,
) {
  const database = await createDatabaseSettings(dataDir);
  const instance = new ServiceProcess({ ...database, ...variables, DATA_DIR: dataDir });
  return { instance, base: (await instance.waitUntilReady()).base };
}

async function logIn(base: string, email: string): Promise<Client> {
  const response = await new Client(base).post("/api/auth/login", { email, password: PASSWORD });
  expect(response.status).toBe(200);
  return new Client(base, { Cookie: cookieOf(response) });
}

/** A job that waits for a link at the other instance, and clients of both. */
async function startWaitingJob() {
  const app = await startWithWaitingLink();
  // Sessions begin and end by the clock of the machine.
  app.clock.advance(Date.now() - app.clock.now());
  const { instance, base } = await startOther(app, app.variables);
  const { email, client: here } = await createAccount(app);
  const there = await logIn(base, email);
  const { status, headers } = await there.post(RUNS, { cloud: true });
  expect(status).toBe(202);
  await app.asked;
  return { app, instance, here, there, path: String(headers.location) };
}

it("is the same at both, the only one of its kind, and cancelled at the other one", async () => {
  const { here, there, path } = await startWaitingJob();
  await eventually(async () => expect((await here.get(path)).body.progress).toEqual({ done: 1, of: 2 }));
  const second = await here.post(RUNS, {});
  expectProblem(second, 409, { code: "job_running" });
  expect(second.headers.location).toBe(path);
  expect((await here.delete(path)).status).toBe(202);
  await eventually(async () => expect((await there.get(path)).body.status).toBe("cancelled"));
  expect((await here.get(path)).body).toEqual((await there.get(path)).body);
});

it("has failed within a minute after its instance was killed, also if its clock is wrong", async () => {
  const { app, instance, here, path } = await startWaitingJob();
  app.container.services.jobs.startSchedule();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect((await here.get(path)).body.status).toBe("running");
  app.clock.advance(-7 * 86_400_000);
  await instance.end("SIGKILL");
  await eventually(
    async () =>
      expect((await here.get(path)).body).toMatchObject({
        status: "failed",
        result: null,
        error: { code: "instance_lost" },
      }),
    { interval: 500 },
  );
  app.respond();
  expect((await here.post(RUNS, {})).status).toBe(202);
});
