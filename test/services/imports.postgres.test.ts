/** An import of one of two instances: the other one follows it, cancels it, starts it, and sees what has changed meanwhile. */
import { expect, it } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { cookieOf, PASSWORD } from "../support/factory.ts";
import { collect, endOf, IMPORTS, listFiles, PLANS, run } from "../support/import-scene.ts";
import { startInstances } from "../support/instances.ts";
import { exportAll, type Files } from "../support/library-runs.ts";
import { storageSettings } from "../support/on-s3.ts";
import { ServiceProcess } from "../support/service-process.ts";
import { createTxt } from "../support/stored-files.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const MANY: Files = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`es/book-${index}.txt`, createTxt(`Libro ${index}.`)]),
);

/** Clients of one user at both. */
async function startBoth() {
  const [first, second] = await startInstances();
  const here = await first.admin();
  const there = second.api.with(here.headers);
  return { first, second, here, there };
}

const readSlugs = async (client: Client): Promise<string[]> => {
  const { body } = await client.get("/api/admin/books?limit=200&status=all");
  return body.books.map(({ slug }: { slug: string }) => slug).sort();
};

it("is started once, followed and cancelled at the other one, which does the rest of it", async () => {
  const { first, here, there } = await startBoth();
  const { id } = await collect(here, MANY);
  const path = `${IMPORTS}/${id}`;
  const started = await Promise.all([here.post(`${path}/start`), there.post(`${path}/start`)]);
  expect(started.map(({ status }) => status).sort()).toEqual([202, 409]);
  await eventually(async () => expect(await readSlugs(there)).not.toEqual([]));
  // Whichever runs it, the other one is asked, too.
  expect((await there.delete(path)).status).toBe(202);
  const cancelled = await endOf(here, id);
  expect(cancelled).toMatchObject({ state: "cancelled", missing: [] });
  const done = await readSlugs(here);
  expect((await there.post(`${path}/start`)).status).toBe(202);
  const ended = await endOf(here, id);
  expect(ended).toMatchObject({ state: "done", progress: { files: 40, books: 40 } });
  expect((await there.get(path)).body).toEqual(ended);
  const slugs = await readSlugs(there);
  expect(slugs).toHaveLength(40);
  expect(slugs).toEqual(expect.arrayContaining(done));
  // One import at one instance makes the same rows and bytes.
  const { books, files } = await exportAll(first);
  const alone = (await startInstances())[0];
  await run(await alone.admin(), MANY);
  const other = await exportAll(alone);
  expect([books.length, files]).toEqual([other.books.length, other.files]);
});

it("makes no second book of what the other one has stored since its plan", async () => {
  const { here, there } = await startBoth();
  const files = { "es/well.txt": createTxt("El pozo."), "es/moon.txt": createTxt("La luna.") };
  const { id } = await collect(here, files);
  const { body: plan } = await here.post(PLANS, { files: listFiles(files) });
  const planned = plan.books.map(({ slug, status }: Record<string, string>) => [slug, status]);
  expect(planned).toEqual([
    ["moon", "create"],
    ["well", "create"],
  ]);
  expect(await run(there, { "es/well.txt": files["es/well.txt"] })).toMatchObject({ state: "done" });
  await here.post(`${IMPORTS}/${id}/start`);
  const { state, result } = await endOf(there, id);
  expect([state, result?.books.map(({ slug, status }) => [slug, status])]).toEqual([
    "done",
    [
      ["moon", "create"],
      ["well", "unchanged"],
    ],
  ]);
  expect(await readSlugs(here)).toEqual(["moon", "well"]);
});

it("names the bytes that a sweep of the other one has taken, and stores them when they are sent again", async () => {
  const { first, second, here } = await startBoth();
  const files = { "es/well.txt": createTxt("El pozo.") };
  const { id } = await collect(here, files);
  for (const { clock } of [first, second]) clock.advance(8 * 86_400_000);
  await second.container.services.examinations.forgetOld();
  const { client } = await createAccount(first);
  const start = await client.post(`${IMPORTS}/${id}/start`);
  expectProblem(start, 409, { code: "content_missing" });
  expect(await run(client, files)).toMatchObject({ state: "done" });
  expect(await readSlugs(client)).toEqual(["well"]);
});

/** Another instance on the database and the files of an application, as a process of its own. */
async function startProcess({ dataDir }: Pick<TestApp, "dataDir">, email: string) {
  const settings = { ...(await createDatabaseSettings(dataDir)), ...storageSettings(dataDir) };
  const service = new ServiceProcess({ ...settings, DATA_DIR: dataDir });
  const { base } = await service.waitUntilReady();
  const response = await new Client(base).post("/api/auth/login", { email, password: PASSWORD });
  return { service, client: new Client(base, { Cookie: cookieOf(response) }) };
}

/** Of the audit log: the objects that the request has made, by kind. */
async function countMade(client: Client, objectKind: string, requestId: string): Promise<number> {
  const { body } = await client.get(
    `/api/admin/audit?limit=200&objectKind=${objectKind}&requestId=${requestId}`,
  );
  return body.entries.filter(({ action }: { action: string }) => action === "create").length;
}

it("is lost when its instance is killed, and started again at the other one it does only what is missing", async () => {
  const app = await startApp();
  // Sessions begin and end by the clock of the machine.
  app.clock.advance(Date.now() - app.clock.now());
  app.container.services.jobs.startSchedule();
  const { email, client } = await createAccount(app);
  const killed = await startProcess(app, email);
  const { id } = await collect(killed.client, MANY);
  const path = `${IMPORTS}/${id}`;
  expect((await killed.client.post(`${path}/start`)).status).toBe(202);
  await eventually(async () => expect((await readSlugs(client)).length).toBeGreaterThan(3), {
    interval: 5,
  });
  await killed.service.end("SIGKILL");
  const { books, files } = await exportAll(app);
  expect(books.length).toBeLessThan(40);
  const lost = await endOf(client, id);
  expect(lost).toMatchObject({ state: "failed", error: { code: "instance_lost" }, missing: [] });
  const started = await client.post(`${path}/start`);
  expect(started.status).toBe(202);
  const ended = await endOf(client, id);
  expect(ended).toMatchObject({ state: "done", progress: { files: 40, books: 40 }, error: null });
  const { "x-request-id": requestId = "" } = started.headers;
  expect(await countMade(client, "book", requestId)).toBe(40 - books.length);
  expect(await countMade(client, "file", requestId)).toBe(40 - Object.keys(files).length);
  // As one import at one instance makes them.
  const alone = await startApp();
  await run(await alone.admin(), MANY);
  const whole = await exportAll(app);
  const other = await exportAll(alone);
  expect([whole.books.length, whole.files]).toEqual([other.books.length, other.files]);
});
