/** Requests while the database is slow or silent: each ends, says what is known, and later ones work. */
import type { Response } from "supertest";
import { describe, expect, it } from "vitest";
import { DATABASE_LIMITS_MS } from "../../src/http/route.ts";
import { routes } from "../../src/routes/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { holdWrites, startInstances } from "../support/instances.ts";
import { type ProxiedApp, startProxiedApp } from "../support/proxied-app.ts";
import { connectTo } from "../support/raw-http.ts";
import { listEvents } from "../support/reader.ts";

const SUBMIT = "/api/download/submit";

/** A published book, and its form. */
async function publish(app: TestApp) {
  const { book } = await app.make.published("The Deep Well", "es");
  return { book, form: { slug: book.slug, languageCode: "es", contact } };
}

function expectUnavailable(response: Response): void {
  expectProblem(response, 503, { code: "database_unavailable" });
  expect(response.headers["retry-after"]).toBe("5");
}

/** The time of a statement is 3 s in each test application. Less than the next limit, that of a form with 10 s. */
const LIMIT_MS = 9000;

async function inTime(request: Promise<Response>): Promise<Response> {
  const since = performance.now();
  const response = await request;
  expect(performance.now() - since).toBeLessThan(LIMIT_MS);
  return response;
}

const SILENCES: [name: string, begin: (app: ProxiedApp) => void][] = [
  ["half-open", ({ proxy }) => proxy.halfOpen()],
  [
    "swallowed",
    ({ proxy }) => {
      proxy.swallow();
      proxy.forward();
    },
  ],
];

describe.each(SILENCES)("when connections to the database are %s", (_, begin) => {
  it("a list, an administrator's list and a form return 503, and work again afterwards", async () => {
    const app = await startProxiedApp();
    const { form } = await publish(app);
    const admin = await app.admin();
    const lists = () => app.api.get("/api/books?language=es");
    for (const request of [lists, () => admin.get("/api/admin/books"), () => app.api.post(SUBMIT, form)]) {
      const works = () => eventually(async () => expect((await request()).status).toBe(200));
      // With connections of its own.
      await works();
      begin(app);
      expectUnavailable(await inTime(request()));
      await works();
    }
  });
});

it("requests return 503 while new connections are silent, too, and work again immediately afterwards", async () => {
  const app = await startProxiedApp();
  const { form } = await publish(app);
  app.proxy.swallow();
  for (let round = 0; round < 2; round += 1) {
    const [list, submitted] = await Promise.all([
      inTime(app.api.get("/api/books?language=es")),
      inTime(app.api.post(SUBMIT, form)),
    ]);
    expectUnavailable(list);
    expectUnavailable(submitted);
  }
  app.proxy.forward();
  await eventually(async () => expect((await app.api.post(SUBMIT, form)).status).toBe(200));
  expect((await app.api.get("/api/books?language=es")).status).toBe(200);
  expect(await listEvents(app)).toHaveLength(1);
});

describe("the time limit for the database", () => {
  it("is shorter for forms and for reads of one record", () => {
    const limitOf = (id: string) => {
      const route = routes.find((one) => one.id === id);
      return DATABASE_LIMITS_MS[route?.databaseLimit ?? "other"];
    };
    const forms = ["requestDownload", "requestLanguageDownload", "renewDownloadLink"];
    expect(forms.map(limitOf)).toEqual([10_000, 10_000, 10_000]);
    expect(["getBook", "getPublishedBook", "getContact", "downloadFile"].map(limitOf)).toEqual([
      5000, 5000, 5000, 5000,
    ]);
    expect(["listBooks", "createBook", "listPublishedBooks"].map(limitOf)).toEqual([35_000, 35_000, 35_000]);
    expect(limitOf("deleteLanguage")).toBe(Number.POSITIVE_INFINITY);
  });

  it("ends a form with 503 whose body says that it may have been done", async () => {
    const databaseLimitsMs = { ...DATABASE_LIMITS_MS, form: 1000 };
    const [one, another] = await startInstances({}, { databaseLimitsMs });
    const { form } = await publish(one);
    const release = await holdWrites(one);
    const response = await inTime(another.api.post(SUBMIT, form));
    expectUnavailable(response);
    expect(response.body.may_have_been_done).toBe(true);
    await release();
    // It was done after the response, as that said.
    await eventually(async () => expect(await listEvents(one)).toHaveLength(1));
  });

  it("ends a form that waits in the queue, which isn't done", async () => {
    const app = await startApp({}, { databaseLimitsMs: { ...DATABASE_LIMITS_MS, form: 1000 } });
    const { form } = await publish(app);
    const release = await holdWrites(app);
    const response = await inTime(app.api.post(SUBMIT, form));
    expectUnavailable(response);
    expect(response.body).not.toHaveProperty("may_have_been_done");
    await release();
    expect((await app.api.post(SUBMIT, form)).status).toBe(200);
    expect(await listEvents(app)).toHaveLength(1);
  });
});

it("a form whose client has left before its write begins isn't done", async () => {
  const app = await startApp();
  const { form } = await publish(app);
  const release = await holdWrites(app);
  const body = JSON.stringify(form);
  const socket = connectTo(app.server);
  const head = `POST ${SUBMIT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`${head}\r\n\r\n${body}`);
  await eventually(() => expect(app.container.database.countWaitingWrites()).toBe(1));
  socket.destroy();
  await eventually(() => expect(app.container.database.countWaitingWrites()).toBe(0));
  await release();
  expect((await app.api.post(SUBMIT, form)).status).toBe(200);
  expect(await listEvents(app)).toHaveLength(1);
});
