/** What another site can make a browser send with our cookie is not carried out. */
import { describe, expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { bearer, createAccount, createKey } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";

type Headers = Readonly<Record<string, string>>;

/** Whether a session's request with these headers is carried out. */
async function scene(variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp(variables);
  const { client, cookie } = await createAccount(app);
  let number = 0;
  const isCarriedOut = async (headers: Headers): Promise<boolean> => {
    number += 1;
    const body = { titleEn: `Book ${number}` };
    const response = await client.with(headers).post("/api/admin/books", body);
    if (response.status !== 201) expectProblem(response, 403, { code: "cross_site_request" });
    const titles = (await client.get("/api/admin/books")).body.books.map(
      ({ titleEn }: { titleEn: string }) => titleEn,
    );
    expect(titles.includes(body.titleEn)).toBe(response.status === 201);
    return response.status === 201;
  };
  return { app, client, cookie, isCarriedOut };
}

/** Where the test's own server is reached. */
const originOf = ({ server }: TestApp): string => {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
};

describe("Sec-Fetch-Site", () => {
  it.each(["cross-site", "same-site"])("%s is rejected, regardless of Origin", async (site) => {
    const { app, isCarriedOut } = await scene({ CORS_ORIGINS: "https://books.example.org" });
    const headers = { "Sec-Fetch-Site": site };
    expect(await isCarriedOut(headers)).toBe(false);
    expect(await isCarriedOut({ ...headers, Origin: originOf(app) })).toBe(false);
    expect(await isCarriedOut({ ...headers, Origin: "https://books.example.org" })).toBe(false);
  });

  it.each(["same-origin", "none"])("%s is accepted, regardless of Origin", async (site) => {
    const { isCarriedOut } = await scene();
    expect(await isCarriedOut({ "Sec-Fetch-Site": site })).toBe(true);
    expect(await isCarriedOut({ "Sec-Fetch-Site": site, Origin: "https://proxied.example.org" })).toBe(true);
  });
});

describe("Origin, from browsers that send no Sec-Fetch-Site", () => {
  it("must be the request's own origin", async () => {
    const { app, isCarriedOut } = await scene();
    const own = originOf(app);
    expect(await isCarriedOut({ Origin: own })).toBe(true);
    const strange = [
      "https://evil.example",
      "null",
      "",
      own.replace("http:", "https:"),
      `${own}1`,
      `${own}.evil.example`,
      own.replace("127.0.0.1", "localhost"),
      `${own}/`,
      own.toUpperCase(),
    ];
    for (const Origin of strange) expect(await isCarriedOut({ Origin }), Origin).toBe(false);
  });

  it("can't be one of CORS_ORIGINS or PUBLIC_SITE_URL, whose pages send readers' forms only", async () => {
    const site = "https://books.example.org";
    const { app, isCarriedOut } = await scene({ CORS_ORIGINS: site, PUBLIC_SITE_URL: "https://b.example/x" });
    for (const Origin of [site, "https://b.example"]) {
      expect(await isCarriedOut({ Origin })).toBe(false);
      const form = await app.api.with({ Origin }).post("/api/download/submit", {});
      expectProblem(form, 400, { code: "invalid_input" });
    }
  });

  it("is compared with PUBLIC_BASE_URL if that is set, not with Host", async () => {
    const { isCarriedOut } = await scene({ PUBLIC_BASE_URL: "https://Books.example.org/base/" });
    expect(await isCarriedOut({ Origin: "https://books.example.org" })).toBe(true);
    expect(await isCarriedOut({ Origin: "http://evil.example", Host: "evil.example" })).toBe(false);
  });

  it("is compared with the scheme that a trusted proxy forwards, and never with its X-Forwarded-Host", async () => {
    const Host = "books.example.org";
    const headers = { Host, "X-Forwarded-Proto": "https", Origin: "https://books.example.org" };
    expect(await (await scene()).isCarriedOut(headers)).toBe(false);
    const { isCarriedOut } = await scene({ TRUST_PROXY: "loopback" });
    expect(await isCarriedOut(headers)).toBe(true);
    const forged = { ...headers, Host: "other.example.org", "X-Forwarded-Host": Host };
    expect(await isCarriedOut(forged)).toBe(false);
  });
});

describe("the check accepts", () => {
  const foreign = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };

  it("clients that send neither header", async () => {
    const { isCarriedOut } = await scene();
    expect(await isCarriedOut({})).toBe(true);
    expect(await isCarriedOut({ Referer: "https://evil.example/" })).toBe(true);
  });

  it("API keys, which no browser sends by itself", async () => {
    const { app, client } = await scene();
    const { key } = await createKey(client);
    const byKey = app.api.with({ ...foreign, ...bearer(key) });
    expect((await byKey.post("/api/admin/books", { titleEn: "The Well" })).status).toBe(201);
  });

  it("the public forms", async () => {
    const { app } = await scene();
    const response = await app.api.with(foreign).post("/api/download/submit", {});
    expectProblem(response, 400, { code: "invalid_input" });
  });

  it("GET and HEAD, which change nothing", async () => {
    const { client } = await scene();
    expect((await client.get("/api/auth/session", foreign)).status).toBe(200);
    expect((await client.head("/api/admin/books", foreign)).status).toBe(200);
  });
});

describe("a GET that is recorded or exports, begun by another site", () => {
  const exports = routes.filter(({ responses }) => responses[200]?.kind === "csv").map(({ path }) => path);
  const recorded = "/api/admin/contacts/{contactId}/personal-data";
  const ID = "01a20000-0000-7000-8000-000000000000";

  it("includes each export", () => expect(exports).toHaveLength(5));

  it.each([...exports, recorded])("%s is rejected, and isn't recorded", async (path) => {
    const { client } = await scene();
    const url = path.replace("{contactId}", ID);
    for (const site of ["cross-site", "same-site"]) {
      const response = await client.get(url, { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate" });
      expectProblem(response, 403, { code: "cross_site_request" });
    }
    const foreign = await client.get(url, { Origin: "https://books.example.org" });
    expectProblem(foreign, 403, { code: "cross_site_request" });
    for (const site of ["same-origin", "none"])
      expect((await client.get(url, { "Sec-Fetch-Site": site })).status).not.toBe(403);
    const { entries } = (await client.get("/api/admin/audit?action=export")).body;
    expect(entries.length).toBeLessThanOrEqual(2);
  });
});

it("the check rejects every unsafe method in a session, including the log-out", async () => {
  const { client } = await scene();
  const foreign = client.with({ "Sec-Fetch-Site": "cross-site" });
  const responses = [
    await foreign.post("/api/auth/logout"),
    await foreign.put("/api/auth/password", {}),
    await foreign.patch("/api/admin/books/x/files/y", {}),
    await foreign.delete("/api/admin/languages/1"),
  ];
  for (const response of responses) expectProblem(response, 403, { code: "cross_site_request" });
  expect((await client.get("/api/auth/session")).status).toBe(200);
});

it("the check rejects a request without waiting for the body", async () => {
  const { app, cookie } = await scene();
  const lines = [`Cookie: ${cookie}`, "Sec-Fetch-Site: cross-site", "Content-Type: application/json"];
  const head = formatGet("/api/admin/books", [...lines, "Content-Length: 1000"], "POST");
  const response = await sendRaw(app.server, `${head}{`);
  expect(response.status).toBe(403);
});

it("a body of a type that a form of another site could send returns 415", async () => {
  const { client } = await scene();
  const json = JSON.stringify({ titleEn: "The Well" });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    const response = await client.with({ "Content-Type": type }).post("/api/admin/books", json);
    expectProblem(response, 415, { code: "unsupported_media_type" });
  }
  expect((await client.get("/api/admin/books")).body.pagination.total).toBe(0);
});

describe("CORS", () => {
  const SITE = "https://books.example.org";
  const variables = { CORS_ORIGINS: `${SITE}/, https://other.example:8443` };
  const corsOf = (headers: Record<string, string>) =>
    Object.keys(headers).filter((name) => name.startsWith("access-control-"));

  it("is disabled unless it is configured", async () => {
    const { api } = await startApp();
    const response = await api.get("/api/books", { Origin: SITE });
    expect(response.status).toBe(200);
    expect(corsOf(response.headers)).toEqual([]);
    expect(response.headers["cross-origin-resource-policy"]).toBe("same-origin");
  });

  it("permits public routes to the configured sites and to no others", async () => {
    const { api } = await startApp(variables);
    for (const Origin of [SITE, "https://other.example:8443"]) {
      for (const path of ["/api/books", "/api/books/unknown", "/api/languages", "/api/download/x"]) {
        const { headers } = await api.get(path, { Origin });
        expect(headers["access-control-allow-origin"]).toBe(Origin);
        expect(headers["access-control-allow-credentials"]).toBeUndefined();
        expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
        expect(headers.vary).toMatch(/^Origin(, Accept-Encoding)?$/);
      }
    }
    for (const Origin of [
      "https://evil.example",
      "null",
      "http://books.example.org",
      `${SITE}.evil.example`,
    ]) {
      const { headers } = await api.get("/api/books", { Origin });
      expect(corsOf(headers)).toEqual([]);
      expect(headers.vary).toMatch(/^Origin(, Accept-Encoding)?$/);
    }
  });

  it("permits these sites to read the headers that they need beyond those that browsers permit by default", async () => {
    const { api, make } = await startApp(variables);
    const { book } = await make.published("The Well", "en", "text of the book");
    const shownTo = (Origin: string, path: string, more: Record<string, string> = {}) =>
      api.get(path, { Origin, ...more }).then(({ status, headers }) => {
        const exposed: string = headers["access-control-expose-headers"] ?? "";
        return { status, seen: exposed.split(", ").filter((name) => name.toLowerCase() in headers) };
      });
    const link = await linkTo(api, { slug: book.slug, languageCode: "en" });
    expect(await shownTo(SITE, link, { Range: "bytes=0-3" })).toEqual({
      status: 206,
      seen: ["Content-Disposition", "Content-Range", "ETag", "X-Request-Id"],
    });
    expect(await shownTo(SITE, "/api/books")).toEqual({ status: 200, seen: ["ETag", "X-Request-Id"] });
    expect(await shownTo(SITE, "/api/books/unknown")).toEqual({ status: 404, seen: ["X-Request-Id"] });
    expect(await shownTo("https://evil.example", link)).toEqual({ status: 200, seen: [] });
  });

  it("permits these sites to read Retry-After", async () => {
    const { api } = await startApp({ ...variables, RATE_LIMIT_DOWNLOAD: "1" });
    await api.get("/api/download/x", { Origin: SITE });
    const { status, headers } = await api.get("/api/download/x", { Origin: SITE });
    expect(status).toBe(429);
    expect(headers["retry-after"]).toMatch(/^\d+$/);
    expect(headers["access-control-expose-headers"]).toContain("Retry-After");
  });

  it("responds to the preflight of a public form", async () => {
    const { api, logged } = await startApp(variables);
    const preflight = { Origin: SITE, "Access-Control-Request-Method": "POST" };
    const response = await api.call("options", "/api/download/submit", { headers: preflight });
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": SITE,
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": "Content-Type",
      "access-control-max-age": "600",
    });
    const rejected = await api.call("options", "/api/download/submit", {
      headers: { ...preflight, Origin: "https://evil.example" },
    });
    expect(rejected.status).toBe(204);
    expect(corsOf(rejected.headers)).toEqual([]);
    expect(logged.filter(({ msg }) => msg === "a request failed")).toEqual([]);
  });

  it("never permits an administrative route", async () => {
    const { api, make } = await startApp(variables);
    const admin = await make.login("admin");
    for (const path of ["/api/admin/books", "/api/auth/session", "/api/admin/unknown"]) {
      const preflight = { Origin: SITE, "Access-Control-Request-Method": "GET" };
      expect(corsOf((await api.call("options", path, { headers: preflight })).headers)).toEqual([]);
      expect(corsOf((await admin.get(path, { Origin: SITE })).headers)).toEqual([]);
    }
  });
});
