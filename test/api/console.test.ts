/** The files of the console: from a small build, so that no test needs the real one. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { CONSOLE_PAGES } from "../../src/http/console.ts";
import { startApp } from "../support/app.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const SCRIPT = "console.log('the console');".repeat(50);
const SHELL = '<!doctype html><meta name="csp-nonce" content="%CSP_NONCE%"><div id="root"></div>';

function makeBuild(): string {
  const folder = createTempFolder();
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), SHELL);
  writeFileSync(join(folder, "sources.sha256"), "not a page");
  writeFileSync(join(folder, "assets/main-1a2b.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-1a2b.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/main-1a2b.js.gz"), gzipSync(SCRIPT));
  writeFileSync(join(folder, "assets/main-3c4d.css"), "body {}");
  return folder;
}

const start = (variables: Readonly<Record<string, string>> = {}) =>
  startApp(variables, { consoleFolder: makeBuild() });

const nonceIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";

describe("a page of the console", () => {
  it.each([...CONSOLE_PAGES.map((page) => page.replace(/\{.+\}/, "42")), "books/%3Cscript%3E"])(
    "is the shell at /console/%s",
    async (page) => {
      const { api } = await start();
      const { status, headers, body } = await api.get(`/console/${page}`);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(String(body)).toContain('<div id="root">');
    },
  );

  it.each(["nothing", "books/1/2", "assets/other.js", "index.html", "sources.sha256", "../package.json"])(
    "is a 404 with the shell at /console/%s",
    async (page) => {
      const { api } = await start();
      const { status, headers, body } = await api.get(`/console/${page}`);
      expect(status).toBe(404);
      expect(headers["cache-control"]).toBe("no-store");
      expect(String(body)).toContain('<div id="root">');
    },
  );

  it("has a nonce of its own in each response, in the policy and in the shell", async () => {
    const { api } = await start();
    const responses = [await api.get("/console/"), await api.get("/console/"), await api.get("/console/x")];
    const nonces = responses.map(({ headers, body }) => {
      const inPolicy = nonceIn(
        String(headers["content-security-policy"]),
        /style-src 'self' 'nonce-([^']+)'/,
      );
      expect(inPolicy).toMatch(/^[\w+/]{22}==$/);
      expect(nonceIn(String(body), /content="([^"]+)"/)).toBe(inPolicy);
      return inPolicy;
    });
    expect(new Set(nonces).size).toBe(3);
  });

  it("allows no inline script, no frame and no other host, and is never kept", async () => {
    const { api } = await start();
    const { headers } = await api.get("/console/");
    const policy = String(headers["content-security-policy"]);
    expect(policy).not.toContain("unsafe-inline");
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("redirects /console to /console/ and drops its query", async () => {
    const { api } = await start();
    const { status, headers } = await api.get("/console?next=https://example.org");
    expect([status, headers.location]).toEqual([308, "/console/"]);
  });

  it("can be read only", async () => {
    const { api } = await start();
    const { status, headers } = await api.post("/console/", {});
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it("sends the head alone to HEAD", async () => {
    const { api } = await start();
    const { status, headers, body } = await api.head("/console/");
    expect([status, body]).toEqual([200, {}]);
    expect(Number(headers["content-length"])).toBeGreaterThan(SHELL.length);
  });
});

describe("a file of the console", () => {
  it.each(["br", "gzip"])("comes in %s as it was built, and is immutable", async (coding) => {
    const { api } = await start();
    const { headers, body } = await api.get("/console/assets/main-1a2b.js", { "Accept-Encoding": coding });
    expect(headers).toMatchObject({
      "content-encoding": coding,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    // The client of the test has decompressed it.
    expect(String(body)).toBe(SCRIPT);
  });

  it("comes as it is to a client that accepts no coding, or where none was made", async () => {
    const { api } = await start();
    const script = await api.get("/console/assets/main-1a2b.js", { "Accept-Encoding": "identity" });
    expect([script.headers["content-encoding"], String(script.body)]).toEqual([undefined, SCRIPT]);
    const style = await api.get("/console/assets/main-3c4d.css", { "Accept-Encoding": "br" });
    expect([style.headers["content-encoding"], String(style.body)]).toEqual([undefined, "body {}"]);
  });
});

describe("where the console is", () => {
  it("names the command with which it is built if it isn't, and is there once it is", async () => {
    const folder = makeBuild();
    rmSync(join(folder, "index.html"));
    const { api } = await startApp({}, { consoleFolder: folder });
    const { status, headers, body } = await api.get("/console/books");
    expect(status).toBe(503);
    expect(headers["cache-control"]).toBe("no-store");
    expect(String(body)).toContain("npm run build");
    const nonce = nonceIn(String(headers["content-security-policy"]), /'nonce-([^']+)'/);
    expect(String(body)).toContain(`<style nonce="${nonce}">`);
    writeFileSync(join(folder, "index.html"), SHELL);
    expect((await api.get("/console/books")).status).toBe(200);
  });

  it("is a 404 on other hosts than that of PUBLIC_BASE_URL, compared without the port", async () => {
    const { api } = await start({ PUBLIC_BASE_URL: "https://books.example.org" });
    const statusOn = async (Host: string) => (await api.get("/console/", { Host })).status;
    expect(await statusOn("books.example.org")).toBe(200);
    expect(await statusOn("BOOKS.example.org:8443")).toBe(200);
    expect(await statusOn("es.example.org")).toBe(404);
  });

  it("is a 404 with CONSOLE=false", async () => {
    const { api } = await start({ CONSOLE: "false" });
    expect((await api.get("/console/")).status).toBe(404);
    expect((await api.get("/console")).status).toBe(404);
  });

  it("is a 404 if PUBLIC_BASE_URL has a path", async () => {
    const { api } = await start({ PUBLIC_BASE_URL: "https://example.org/library" });
    expect((await api.get("/console/", { Host: "example.org" })).status).toBe(404);
  });
});
