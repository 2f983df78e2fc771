/** What callers are told when something is wrong, and what only the log is told. */
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApp } from "../../src/app.ts";
import { badRequest } from "../../src/errors.ts";
import { anyone } from "../../src/http/access.ts";
import { json, ok } from "../../src/http/responses/responses.ts";
import { defineRoute } from "../../src/http/route.ts";
import { health } from "../../src/schemas/system.schemas.ts";
import { listen } from "../../tools/lib/listening.ts";
import { createAccount, createKey } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact, PASSWORD } from "../support/factory.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

describe("a problem", () => {
  it("describes errors by RFC 9457, and in one sentence for simple clients", async () => {
    const { api } = await startApp();
    const response = await api.get("/api/books/nothing-of-the-kind");
    expect(response.status).toBe(404);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.body).toEqual({
      type: "urn:book-distribution-service:problem:book_not_found",
      title: "Record Not Found",
      status: 404,
      detail: expect.stringMatching(/^[A-Z].*\.$/),
      instance: "/api/books/nothing-of-the-kind",
      code: "book_not_found",
      error: response.body.detail,
      requestId: response.headers["x-request-id"],
    });
  });

  it("has the specification's label for its status", async () => {
    const { api, make } = await startApp();
    const viewer = await make.login("viewer");
    const titles = new Map<number, string>();
    const responses = [
      await api.post("/api/auth/login", {}),
      await api.get("/api/auth/session"),
      await viewer.get("/api/admin/api-keys"),
      await api.get("/api/books/nothing"),
      await api.put("/api/books", {}),
      await api.with(JSON_TYPE).post("/api/auth/login", " ".repeat(2 ** 20 + 1)),
      await api.with({ "Content-Type": "text/plain" }).post("/api/auth/login", "x"),
    ];
    for (const { status, body } of responses) titles.set(status, body.title);
    expect(Object.fromEntries(titles)).toEqual({
      400: "Bad Request",
      401: "Unauthorized",
      403: "Forbidden",
      404: "Record Not Found",
      405: "Method Not Allowed",
      413: "Payload Too Large",
      415: "Unsupported Media Type",
    });
  });

  it("reports all errors of query and body together", async () => {
    const { make } = await startApp();
    const admin = await make.login("admin");
    const response = await admin.post("/api/admin/books/bulk?dryRun=perhaps&order=1", {
      books: 1,
      all: true,
    });
    expectProblem(response, 400, {
      code: "invalid_input",
      errors: ["dryRun invalid_value", "order unknown_field", "books invalid_type", "all unknown_field"],
    });
    expect(response.body.detail).toBe("4 values are not valid.");
    for (const fieldError of response.body.errors) {
      expect(fieldError.in).toBe(["dryRun", "order"].includes(fieldError.path) ? "query" : "body");
      expect(fieldError.message).not.toBe("");
    }
  });

  it("lists a limited number of errors, and counts them all", async () => {
    const { make } = await startApp();
    const admin = await make.login("admin");
    const translations = Array.from({ length: 200 }, () => ({}));
    const response = await admin.post("/api/admin/books", { translations });
    expectProblem(response, 400);
    expect(response.body.errors).toHaveLength(100);
    expect(response.body.detail).toBe("401 values are not valid.");
  });

  it("doesn't contain the token of a download", async () => {
    const { api } = await startApp();
    const response = await api.get("/api/download/some.secret.token");
    expectProblem(response, 404, { code: "download_token_unknown" });
    expect(response.body.instance).toBe("/api/download/");
    expect(JSON.stringify(response.body)).not.toContain("some.secret.token");
  });

  it("is a readable page for a browser that follows a download link, and JSON otherwise", async () => {
    const { api } = await startApp();
    const page = await api.get("/api/download/x", { Accept: "text/html,*/*;q=0.8" });
    expect(page.status).toBe(404);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const html = page.body.toString();
    expect(html).toContain("<h1>This link does not work</h1>");
    expect(html).toContain(page.headers["x-request-id"]);
    expect(html).not.toMatch(/<script|https?:/);
    for (const Accept of ["*/*", "application/json", "application/json, text/html", "image/png", ""]) {
      expectProblem(await api.get("/api/download/x", { Accept }), 404);
    }
    expectProblem(await api.get("/api/books/x", { Accept: "text/html" }), 404);
  });
});

describe("the id of a request", () => {
  it("is generated by the service in response, problem and log, regardless of what the client sends", async () => {
    const { api, logged } = await startApp();
    const callerId = "trace-01.A_b";
    const response = await api.get("/api/books/x", { "X-Request-Id": callerId });
    const id = response.headers["x-request-id"];
    expect(id).toMatch(/^[0-9a-f]{8}-/);
    expect(response.body.requestId).toBe(id);
    expect(logged.filter((line) => line.id === id)).toMatchObject([{ callerId }]);
    expect(JSON.stringify(response.body)).not.toContain(callerId);
  });

  it.each([
    "short",
    "x".repeat(65),
    "with space here",
    '"quoted-id"',
    "<script>alert(1)",
    "übergroß-id",
    "a\tb\tc\td\te",
  ])("is generated in place of %j", async (given) => {
    const { server } = await startApp();
    const { headers } = await sendRaw(server, formatGet("/api/health", [`X-Request-Id: ${given}`]));
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}$/);
  });
});

/** The application with one route that throws what it is given, and its log. */
async function throwing(thrown: unknown, variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp(variables);
  const route = defineRoute({
    id: "fail",
    method: "get",
    path: "/api/fail",
    summary: "Fail",
    access: anyone,
    description: "Fails.",
    responses: { 200: json("Never", health) },
    handle: () => {
      if (thrown !== undefined) throw thrown;
      return ok({ status: "ok", timestamp: "" });
    },
  });
  const server = createServer(await createApp(app.container, [{ ...route, tag: "System" }]));
  await listen(server);
  onTestFinished(() => void server.close());
  return { ...app, api: new Client(server) };
}

describe("an unexpected error", () => {
  const cause = new Error("SQLITE_CONSTRAINT: insert into users at /srv/app/src/db.ts:12");
  const odd: [string, unknown][] = [
    ["an Error", cause],
    [
      "an Error with a status of its own",
      Object.assign(new Error("x"), { status: 404, statusCode: 404, expose: true }),
    ],
    ["an Error with odd headers", Object.assign(new Error("x"), { headers: { "X-Leak": "secret" } })],
    ["a TypeError", new TypeError("Cannot read properties of undefined (reading 'passwordHash')")],
    ["a URIError of ours", new URIError("URI malformed")],
    ["null", null],
    ["a text", "SELECT * FROM users"],
    ["a number", 404],
    ["an object", { status: 400, message: "at /srv/app", stack: "at /srv/app" }],
    ["a function", () => "secret"],
    ["a symbol", Symbol("secret")],
  ];

  it.each(odd)("returns a bare 500: %s", async (_, thrown) => {
    const { api, logged } = await throwing(thrown);
    const response = await api.get("/api/fail");
    expectProblem(response, 500, { code: "server_error" });
    const { requestId, instance, ...said } = response.body;
    expect(said).toEqual({
      type: "urn:book-distribution-service:problem:server_error",
      title: "Server Error",
      status: 500,
      detail: "Internal server error.",
      code: "server_error",
      error: "Internal server error.",
    });
    expect(response.headers["x-leak"]).toBeUndefined();
    expect(logged.filter(({ level, id }) => level === 50 && id === requestId)).toHaveLength(1);
  });

  it.each(["production", "development", "test"])(
    "reveals nothing more with NODE_ENV=%s",
    async (environment) => {
      const { api, logged } = await throwing(cause, { NODE_ENV: environment });
      const response = await api.get("/api/fail", { Accept: "text/html" });
      expectProblem(response, 500);
      expect(JSON.stringify(response.body)).not.toMatch(/SQLITE|users|srv|\.ts|node_modules|stack|\bat /);
      expect(JSON.stringify(logged)).toContain("SQLITE_CONSTRAINT");
    },
  );

  it.each([
    ["ENOSPC", 507, "disk_full"],
    ["SQLITE_FULL", 507, "disk_full"],
    ["EIO", 503, "storage_unavailable"],
    ["SQLITE_IOERR_READ", 503, "database_unavailable"],
    ["SQLITE_CANTOPEN", 503, "database_unavailable"],
    ["ERR_THREAD_FAILED", 503, "database_unavailable"],
  ])("%s returns %d %s everywhere", async (errno, status, code) => {
    const { api, logged } = await throwing(Object.assign(new Error("at /srv/app"), { code: errno }));
    const response = await api.get("/api/fail");
    expectProblem(response, status, { code });
    expect(JSON.stringify(response.body)).not.toContain("srv");
    expect(JSON.stringify(logged)).toContain(errno);
  });

  it("doesn't reveal the internal reason of a known error", async () => {
    const { api } = await throwing(badRequest("host_missing", "That was odd.", { cause }));
    const response = await api.get("/api/fail");
    expectProblem(response, 400, { code: "host_missing" });
    expect(JSON.stringify(response.body)).not.toContain("SQLITE");
  });
});

describe("the log", () => {
  const lines = ({ logged }: TestApp) => logged.map((line) => JSON.stringify(line));

  it("has one line for each request: caller, operation and outcome", async () => {
    const app = await startApp();
    const { id, client } = await createAccount(app, "viewer");
    const response = await client.get("/api/admin/books/nothing?preview=delete");
    const [line, ...others] = app.logged.filter((each) => each.id === response.headers["x-request-id"]);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: 30,
      msg: "request",
      method: "GET",
      route: "/api/admin/books/{bookId}",
      status: 404,
      actor: id,
      ms: expect.any(Number),
      bytes: expect.any(Number),
    });
  });

  it("contains no password, cookie, key or token, and no e-mail above debug", async () => {
    const app = await startApp();
    const { client, cookie, email } = await createAccount(app);
    const { key } = await createKey(client);
    await app.make.published("The Well", "es");
    const link = await linkTo(app.api, { slug: "the-well", languageCode: "es" });
    await app.api.get(link);
    await app.api.get(`${link}x`);
    await app.api.get(`${link}/`);
    await app.api.get("/api/admin/books", { Authorization: `Bearer ${key}` });
    await app.api.get("/api/admin/books", { Authorization: `Bearer ${key}x`, Cookie: cookie });
    await app.api.post("/api/auth/login", { email, password: "a wrong pass phrase" });
    const broken = `{"email":"${email}","password":"a broken pass phrase`;
    await app.api.with(JSON_TYPE).post("/api/auth/login", broken);
    await client.put("/api/auth/password", {
      currentPassword: PASSWORD,
      newPassword: "a quite new pass phrase",
    });
    expect(app.logged.length).toBeGreaterThan(12);
    const secrets = [PASSWORD, "pass phrase", cookie.slice(20), key.slice(12), link.slice(20)];
    for (const secret of secrets) expect(lines(app).filter((line) => line.includes(secret))).toEqual([]);
    const aboveDebug = app.logged
      .filter(({ level }) => Number(level) > 20)
      .map((line) => JSON.stringify(line));
    for (const person of [email, contact.email])
      expect(aboveDebug.filter((line) => line.includes(person))).toEqual([]);
  });

  it("can't be forged by a client", async () => {
    const app = await startApp();
    const forged = '{"level":60,"msg":"forged"}';
    const before = app.logged.length;
    await app.api.get(`/api/books/${encodeURIComponent(`x\n${forged}\n`)}`);
    await app.api.get("/api/books", { "User-Agent": `x ${forged}`, Referer: forged, "X-Request-Id": forged });
    await app.api.with(JSON_TYPE).post("/api/auth/login", `{"email":"\n${forged}`);
    expect(app.logged.length - before).toBe(3);
    expect(lines(app).filter((line) => line.includes("forged"))).toEqual([]);
  });
});
