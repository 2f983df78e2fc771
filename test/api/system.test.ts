/** Health, the OpenAPI document and the interactive reference. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { appVersion } from "../../src/version.ts";
import { startApp } from "../support/app.ts";
import { breakDatabase } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { itInFolder } from "../support/on-s3.ts";

const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";
const NOTHING_ALLOWED = "default-src 'none';frame-ancestors 'none'";

describe("GET /api/health", () => {
  it("returns that the service works, and the time", async () => {
    const { api, clock } = await startApp();
    const response = await api.get("/api/health");
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: "ok", timestamp: new Date(clock.now()).toISOString() });
    expect(response.headers["cache-control"]).toBe("no-store");
    const head = await api.head("/api/health");
    expect(head.status).toBe(200);
    expect(head.headers["content-length"]).toBe(response.headers["content-length"]);
  });

  it("returns 503 if the database fails, without the reason", async () => {
    const { api, clock, container } = await startApp();
    expect((await api.get("/api/health")).status).toBe(200);
    await breakDatabase({ container });
    clock.advance(1000);
    // A probe waits only a moment for what the database says.
    await expect.poll(async () => (await api.get("/api/health")).status).toBe(503);
    const response = await api.get("/api/health");
    expect(response.body).toEqual({ status: "unavailable", timestamp: new Date(clock.now()).toISOString() });
    expectProblem(await api.get("/api/books"), 500, { code: "server_error" });
  });
});

describe("GET /api/health/ready", () => {
  const READY = "/api/health/ready";

  it("returns 200 while requests are accepted", async () => {
    const { api, clock } = await startApp();
    const response = await api.get(READY);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      status: "ready",
      timestamp: new Date(clock.now()).toISOString(),
      reports: "ready",
    });
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  itInFolder(
    "stays 200 if the database or the store doesn't respond, and names it within a second",
    async () => {
      const { api, clock, container, dataDir } = await startApp({ METRICS_TOKEN });
      const metrics = async () =>
        (await api.get("/metrics", { Authorization: `Bearer ${METRICS_TOKEN}` })).body.toString();
      expect(await metrics()).toContain('bookdist_dependency_up{dependency="database"} 1');
      await breakDatabase({ container });
      writeFileSync(join(dataDir, "files/00"), "");
      clock.advance(1000);
      const unavailable = ["database", "files"];
      // A probe waits only a moment for what they say.
      await expect.poll(async () => (await api.get(READY)).body.unavailable).toEqual(unavailable);
      const response = await api.get(READY);
      expect(response.status).toBe(200);
      const timestamp = new Date(clock.now()).toISOString();
      expect(response.body).toEqual({
        status: "ready",
        timestamp,
        reports: "ready",
        unavailable,
      });
      expect(await metrics()).toContain('bookdist_dependency_up{dependency="database"} 0');
      expect(await metrics()).toContain('bookdist_dependency_up{dependency="files"} 0');
    },
  );

  it("returns 503 after a signal to stop, while requests are still accepted", async () => {
    const { api, leave } = await startApp();
    leave();
    const response = await api.get(READY);
    expectProblem(response, 503, { code: "stopping" });
    expect(response.headers["retry-after"]).toBe("5");
    expect((await api.get("/api/books")).status).toBe(200);
  });
});

describe("GET /api/openapi.json", () => {
  it("returns the document of this service to everybody", async () => {
    const { api } = await startApp({ PUBLIC_BASE_URL: "https://books.example.org/base" });
    const response = await api.get("/api/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.body.openapi).toMatch(/^3\.1\./);
    expect(response.body.servers).toEqual([{ url: "https://books.example.org/base" }]);
    expect(Object.keys(response.body.paths)).toEqual([...new Set(routes.map(({ path }) => path))]);
  });

  it("contains nothing of the Host of the request", async () => {
    const { api } = await startApp();
    const forged = { Host: "evil.example", "X-Forwarded-Host": "evil.example" };
    const response = await api.get("/api/openapi.json", forged);
    expect(response.body.servers).toEqual([{ url: "/" }]);
    expect(JSON.stringify(response.body)).not.toContain("evil.example");
  });

  it("returns 304 until the document has changed", async () => {
    const { api } = await startApp();
    const { headers } = await api.get("/api/openapi.json");
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    expect(headers["cache-control"]).toBe("no-cache");
    const unchanged = await api.get("/api/openapi.json", { "If-None-Match": `"x", W/${headers.etag}` });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.etag).toBe(headers.etag);
    expect(unchanged.headers["content-type"]).toBeUndefined();
    expect((await api.get("/api/openapi.json", { "If-None-Match": '"other"' })).status).toBe(200);
    const other = await api.get("/api/openapi.json", { "If-Match": '"other"' });
    expectProblem(other, 412, { code: "precondition_failed" });
  });
});

const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("GET / without the library", () => {
  it("returns a page for people, under a policy that permits only its own style and icon", async () => {
    const { api } = await startApp({ LIBRARY: "false" });
    const page = await api.get("/", BROWSER);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      vary: "Accept, Accept-Encoding",
      "cache-control": "no-store",
    });
    const html = page.body.toString();
    expect(html).toContain("This server is working.");
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<script|<style|style=| on\w+=/);
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
    const style = expect.stringMatching(/^library\/style-[0-9a-f]{16}\.css$/);
    expect(new Set(addresses)).toEqual(new Set(["api/favicon", style, "api/docs", "api/openapi.json"]));
    for (const address of addresses) expect((await api.get(`/${address}`)).status, address).toBe(200);
    const head = await api.head("/", BROWSER);
    expect(head.status).toBe(200);
    expect(head.headers["content-length"]).toBe(page.headers["content-length"]);
  });

  it("reports that the service doesn't work, with neither version nor data", async () => {
    const { api, clock, make, container } = await startApp({ LIBRARY: "false" });
    await make.published("El pozo", "es");
    const text = (await api.get("/", BROWSER)).body.toString();
    for (const secret of [appVersion, process.versions.node, "pozo", "anna"])
      expect(text).not.toContain(secret);
    await breakDatabase({ container });
    clock.advance(1000);
    const page = await api.get("/", BROWSER);
    expect(page.status).toBe(503);
    expect(page.headers["retry-after"]).toBe("5");
    expect(page.body.toString()).toContain("This server is not working at the moment.");
  });

  it("is a page for browsers also before an error of the database was noticed", async () => {
    const { api, make, container } = await startApp();
    await make.language("es");
    expect((await api.get("/", BROWSER)).status).toBe(200);
    await breakDatabase({ container });
    const { status, headers } = await api.get("/", BROWSER);
    expect([status, headers["content-type"]]).toEqual([500, "text/html; charset=utf-8"]);
  });

  it("links to the public site if PUBLIC_SITE_URL names it", async () => {
    const { api } = await startApp({ PUBLIC_SITE_URL: "https://books.example.org/read" });
    const html = (await api.get("/", BROWSER)).body.toString();
    expect(html).toContain('href="https://books.example.org/read"');
    expect(html).toContain("Find and download them at books.example.org");
    expect(html).not.toContain("go to the website where you found it");
  });

  it.each([{}, { Accept: "*/*" }, { Accept: "application/json" }, { Accept: "text/html;q=0, */*" }])(
    "returns links to the reference to programs: %o",
    async (headers) => {
      const { api } = await startApp({ LIBRARY: "false" });
      const response = await api.get("/", headers);
      expectProblem(response, 404, { code: "route_not_found" });
      expect(response.body.detail).toContain("/api/docs");
      expect(response.headers.vary).toBe("Accept");
    },
  );
});

describe("an unknown path", () => {
  it.each([
    ["/admin", "./", ""],
    ["/api/admin/nothing", "../../", "../../"],
    ["/a/b/", "../../", "../../"],
  ])("returns a page with links in a browser: %s", async (path, start, root) => {
    const { api } = await startApp({ PUBLIC_SITE_URL: "https://books.example.org/" });
    const page = await api.get(path, BROWSER);
    expect(page.status).toBe(404);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
    });
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; img-src 'self'; style-src 'self';/,
    );
    const html = page.body.toString();
    expect(html).toContain("<h1>Page not found</h1>");
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address);
    expect(links).toEqual(["https://books.example.org/", start, `${root}api/docs`]);
    // Also behind a proxy that serves the API below a path.
    for (const below of ["", "/lib"])
      expect(new URL(links[1] ?? "", `https://example.org${below}${path}`).pathname).toBe(`${below}/`);
    const head = await api.head(path, BROWSER);
    expect([head.status, head.headers["content-length"]]).toEqual([404, page.headers["content-length"]]);
  });

  it("returns a problem document to programs", async () => {
    const { api } = await startApp();
    for (const headers of [{}, { Accept: "*/*" }, { Accept: "application/json, text/html;q=0.9" }])
      expectProblem(await api.get("/admin", headers), 404, { code: "route_not_found" });
  });
});

describe("GET /api/docs", () => {
  it("returns a page of this server's own files, under a policy that permits no others", async () => {
    const { api } = await startApp();
    const page = await api.get("/api/docs");
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const html = page.body.toString();
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    expect(addresses.filter((address) => !/^(docs\/[\w.-]+|data:,)$/.test(address))).toEqual([]);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    for (const address of addresses.filter((each) => each.startsWith("docs/"))) {
      expect((await api.get(`/api/${address}`)).status, address).toBe(200);
    }
  });

  it.each([
    { asset: "swagger-ui.css", type: "text/css; charset=utf-8", has: ".swagger-ui" },
    { asset: "swagger-ui-bundle.js", type: "text/javascript; charset=utf-8", has: "SwaggerUIBundle" },
    { asset: "start.js", type: "text/javascript; charset=utf-8", has: 'url: "openapi.json"' },
  ])("serves $asset with its type", async ({ asset, type, has }) => {
    const { api } = await startApp();
    const response = await api.get(`/api/docs/${asset}`);
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe(type);
    expect(response.headers["content-security-policy"]).toBe(NOTHING_ALLOWED);
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    expect(response.body.toString()).toContain(has);
  });

  it("opens with closed groups and without the schemas, and doesn't prefill fields of a form, which would be sent", async () => {
    const { api } = await startApp();
    const script = async (name: string) => (await api.get(`/api/docs/${name}`)).body.toString();
    const given = {
      JsonSchemaForm: { description: "fileType", value: "pdf", dispatchInitialValue: true },
      ParameterIncludeEmpty: { isIncludedOptions: { shouldDispatchInit: true, defaultValue: true } },
    };
    const shown: unknown = runInNewContext(
      `let shown = {};
      const SwaggerUIBundle = ({ plugins, docExpansion, defaultModelsExpandDepth }) => {
        Object.assign(shown, { docExpansion, defaultModelsExpandDepth });
        const React = { createElement: (type, props) => props };
        for (const plugin of plugins)
          for (const [name, wrap] of Object.entries(plugin({ React }).wrapComponents)) shown[name] = wrap("")(given[name]);
      };
      ${await script("start.js")}
      JSON.stringify(shown)`,
      {
        given,
        document: { documentElement: { classList: { toggle: () => false } } },
        matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
      },
    );
    expect(JSON.parse(String(shown))).toEqual({
      docExpansion: "none",
      defaultModelsExpandDepth: -1,
      JsonSchemaForm: { ...given.JsonSchemaForm, dispatchInitialValue: false },
      ParameterIncludeEmpty: { isIncludedOptions: { shouldDispatchInit: true, defaultValue: false } },
    });
    const bundle = await script("swagger-ui-bundle.js");
    for (const name of [
      "dispatchInitialValue:",
      "isIncludedOptions:",
      "JsonSchemaForm",
      "ParameterIncludeEmpty",
      "docExpansion",
      "defaultModelsExpandDepth",
    ])
      expect(bundle).toContain(name);
  });

  it.each([
    ["https://example.org/api/docs", "/api/books?page=2", "https://example.org/api/books?page=2"],
    ["https://example.org/lib/api/docs", "/api/books?page=2", "https://example.org/lib/api/books?page=2"],
    ["https://example.org/lib/api/docs", "/lib/api/openapi.json", "https://example.org/lib/api/openapi.json"],
    [
      "https://example.org/lib/api/docs",
      "https://other.example/api/books",
      "https://other.example/api/books",
    ],
  ])("at %s, it sends %s to %s", async (location, asked, sent) => {
    const { api } = await startApp();
    const script = (await api.get("/api/docs/start.js")).body.toString();
    const url: unknown = runInNewContext(
      `let intercept;
      const SwaggerUIBundle = ({ requestInterceptor }) => { intercept = requestInterceptor; };
      ${script}
      intercept({ url: asked, method: "GET" }).url`,
      {
        asked: new URL(asked, location).href,
        location: new URL(location),
        URL,
        document: { documentElement: { classList: { toggle: () => false } } },
        matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
      },
    );
    expect(url).toBe(sent);
  });

  it.each(["/api/docs", "/api/docs/start.js"])("returns 304 for its entity tag: %s", async (path) => {
    const { api } = await startApp();
    const { headers, body } = await api.get(path);
    expect(Number(headers["content-length"])).toBe(body.length);
    const etag = headers.etag ?? "";
    const again = await api.get(path, { "If-None-Match": etag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await api.head(path);
    expect([head.headers.etag, head.headers["content-length"]]).toEqual([etag, headers["content-length"]]);
    expectProblem(await api.get(path, { "If-Match": '"another"' }), 412);
  });

  it("returns 404 for other files inside and outside the package", async () => {
    const { api } = await startApp();
    const names = [
      "index.html",
      "package.json",
      "swagger-ui.css.map",
      "constructor",
      "__proto__",
      "x".repeat(101),
    ];
    const paths = ["..%2Fpackage.json", "..%2f..%2f..%2fpackage.json", "%2Fetc%2Fpasswd", "start.js%00.css"];
    for (const name of [...names, ...paths]) {
      expectProblem(await api.get(`/api/docs/${name}`), 404);
    }
  });
});
