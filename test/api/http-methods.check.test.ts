/** Paths and methods: what is there, what may be done with it, and that there is no other way in. */
import { describe, expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { createExamplePath } from "../support/example-calls.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";

const paths = [...Map.groupBy(routes, ({ path }) => path)];
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

describe("an unsupported method", () => {
  it("returns 405 with Allow, on every path and without a credential", async () => {
    const { api } = await startApp();
    for (const [path, [route, ...siblings]] of paths) {
      if (!route) continue;
      const known = [route, ...siblings].map(({ method }) => method);
      const allowed = ["OPTIONS", ...known.map((method) => method.toUpperCase())];
      if (known.includes("get")) allowed.push("HEAD");
      for (const method of METHODS.filter((each) => !known.includes(each))) {
        const response = await api.call(method, createExamplePath(route));
        expectProblem(response, 405, { code: "method_not_allowed" });
        expect(response.headers.allow?.split(", ").sort(), `${method} ${path}`).toEqual(allowed.sort());
      }
      const options = await api.call("options", createExamplePath(route));
      expect(options.status).toBe(204);
      expect(options.headers.allow?.split(", ").sort()).toEqual(allowed);
    }
  });

  it("is reported with the operation that was probably meant, or else with all that are allowed", async () => {
    const { api } = await startApp();
    const detail = async (method: "post" | "put", path: string) => (await api.call(method, path)).body.detail;
    expect(await detail("post", "/api/admin/books/1/covers")).toBe(
      "POST is not allowed here. Did you mean PUT /api/admin/books/{bookId}/covers/{languageCode}?",
    );
    expect(await detail("put", "/api/books")).toBe(
      "PUT is not allowed here. Allowed are HEAD, GET, OPTIONS.",
    );
  });

  it("returns 405 if it is unknown, too", async () => {
    const { server } = await startApp();
    for (const method of ["TRACE", "PROPFIND", "MKCOL", "LOCK", "PURGE", "QUERY"]) {
      const response = await sendRaw(server, formatGet("/api/books", ["X-Probe: echo me"], method));
      expect({ method, status: response.status }).toEqual({ method, status: 405 });
      expect(response.headers.allow).toBe("HEAD, GET, OPTIONS");
      expect(response.body).not.toContain("echo me");
    }
    expect((await sendRaw(server, formatGet("/api/books", [], "BREW"))).status).toBe(400);
  });
});

it("an unknown path returns 404, regardless of method and credential", async () => {
  const { api, make } = await startApp();
  const admin = await make.login("admin");
  for (const client of [api, admin]) {
    for (const path of [
      "/api",
      "/api/",
      "/api/nothing",
      "/api/admin",
      "/api/admin/nothing",
      "/favicon.ico",
    ]) {
      for (const method of METHODS) {
        expectProblem(await client.call(method, path), 404, { code: "route_not_found" });
      }
    }
  }
});

it("a path similar to a known one returns 404 with the known one", async () => {
  const { api } = await startApp();
  const { body } = await api.get("/api/admin/book");
  expect(body).toMatchObject({
    title: "Not Found",
    detail: "No operation has this path. Did you mean /api/admin/books?",
  });
  expect((await api.get("/api/nothing")).body.detail).toBe("No operation has this path.");
});

it("a path has one spelling: case and slashes count", async () => {
  const { api, make } = await startApp();
  const admin = await make.login("admin");
  for (const path of ["/API/books", "/api/Books", "/api/books/", "/api//books", "/api/admin/books/"]) {
    expectProblem(await admin.get(path), 404);
  }
  expect((await api.get("/api/books")).status).toBe(200);
});

it("HEAD has the status and headers of GET, without the body", async () => {
  const app = await startApp();
  await app.make.published("The Well", "es");
  const { client: admin, cookie } = await createAccount(app);
  const lists = ["/api/books", "/api/books/the-well", "/api/languages", "/api/openapi.json", "/api/health"];
  for (const path of [...lists, "/api/admin/books", "/api/auth/session"]) {
    const { body, headers: expected, status } = await admin.get(path);
    const head = await admin.head(path);
    expect(head.status).toBe(status);
    const { date: _, "x-request-id": __, ...headers } = expected;
    expect(head.headers).toMatchObject(headers);
    expect(Number(head.headers["content-length"])).toBe(Buffer.byteLength(JSON.stringify(body)));
    const raw = await sendRaw(app.server, formatGet(path, [`Cookie: ${cookie}`], "HEAD"));
    expect(raw).toMatchObject({ status, body: "" });
  }
  expect((await app.api.head("/api/books/nothing")).status).toBe(404);
});

it("every response has headers that forbid execution, loading, framing and sniffing", async () => {
  const { api } = await startApp();
  const responses = [
    await api.get("/api/books"),
    await api.get("/api/nothing"),
    await api.get("/api/admin/books"),
    await api.call("options", "/api/books"),
    await api.post("/api/auth/login", {}),
  ];
  for (const { headers } of responses) {
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "SAMEORIGIN",
    });
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(headers.server).toBeUndefined();
    expect(headers["strict-transport-security"]).toBeUndefined();
  }
  const secure = await startApp({ PUBLIC_BASE_URL: "https://books.example.org" });
  const { headers } = await secure.api.get("/api/books");
  expect(headers["strict-transport-security"]).toMatch(/^max-age=\d{8,}/);
});

describe("access to an administrative path", () => {
  const PATH = "/api/admin/books";
  const SPELLINGS = [
    "/API/ADMIN/BOOKS",
    "/api/Admin/books",
    "/api/admin/Books",
    `${PATH}/`,
    `${PATH}//`,
    `/${PATH}`,
    "/api//admin/books",
    "/api/admin//books",
    "///api/admin/books",
    "/./api/admin/books",
    "/api/./admin/books",
    "/api/books/../admin/books",
    "/api/admin/x/../books",
    "/..//api/admin/books",
    "/api/admin/books/.",
    "/api%2fadmin%2fbooks",
    "/api/admin%2Fbooks",
    "/api%2Fadmin/books",
    "/%2e/api/admin/books",
    "/api/books/%2e%2e/admin/books",
    "/api/%61dmin/books",
    "/api/admin/books%20",
    "/api/admin/books%00",
    "/api/admin/books%3f",
    "/api/admin/books;x=1",
    "/api/admin/books.json",
    "/api/admin/books%5c",
    "/api\\admin\\books",
    "/api/health/../admin/books",
    "/api/health%2f..%2fadmin%2fbooks",
    "/api/docs/..%2f..%2fadmin%2fbooks",
    PATH,
    `${PATH}?`,
    `${PATH}?x=/api/health`,
    `${PATH}#`,
    `${PATH}#/api/health`,
    `http://localhost${PATH}`,
    `http://evil.example${PATH}`,
    `https://localhost:1${PATH}`,
    `HTTP://x${PATH}`,
    `http://localhost/${PATH}`,
    `http:${PATH}`,
    `//localhost${PATH}`,
    `http://user:pass@localhost${PATH}`,
    "*",
    "localhost:80",
  ];

  it("is rejected without a credential in any spelling", async () => {
    const { server } = await startApp();
    for (const target of SPELLINGS) {
      const { status, responses } = await sendRaw(server, formatGet(target));
      expect({ target, isRejected: [400, 401, 404].includes(status) }).toEqual({ target, isRejected: true });
      expect(responses).toBe(1);
    }
  });

  it("requires the same credential for the absolute form of a target (RFC 9112, 3.2.2)", async () => {
    const app = await startApp();
    const { cookie } = await createAccount(app, "viewer");
    const target = `http://evil.example${PATH}`;
    expect((await sendRaw(app.server, formatGet(target))).status).toBe(401);
    const response = await sendRaw(app.server, formatGet(target, [`Cookie: ${cookie}`]));
    expect(response.status).toBe(200);
    expect(response.body).not.toContain("evil.example");
    expect((await sendRaw(app.server, formatGet("http://evil.example/api/health"))).status).toBe(200);
  });

  it("isn't given by a header that names another path or method", async () => {
    const app = await startApp();
    const language = await app.make.language("es");
    const overrides = {
      "X-Original-URL": PATH,
      "X-Rewrite-URL": PATH,
      "X-Forwarded-Prefix": "/api/admin",
      "X-HTTP-Method-Override": "DELETE",
      "X-HTTP-Method": "DELETE",
      "X-Method-Override": "DELETE",
    };
    const health = await app.api.get("/api/health", overrides);
    expect(health.body.status).toBe("ok");
    const admin = await app.admin();
    const path = `/api/admin/languages/${language.id}`;
    expect((await admin.get(path, overrides)).body).toMatchObject({ translations: 0 });
    expectProblem(await admin.get(`${path}?_method=DELETE`, overrides), 400);
    expectProblem(await admin.with(overrides).post(path, { _method: "DELETE" }), 405);
    expect((await admin.get(path)).status).toBe(200);
  });
});
