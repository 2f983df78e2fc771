/** Downloading one file by its link. */
import { randomBytes } from "node:crypto";
import { chmod, rename, truncate, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/adapters/system.ts";
import { DownloadIds, Tokens } from "../../src/adapters/tokens.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { cookieOf, PASSWORD } from "../support/factory.ts";
import { itInFolder } from "../support/on-s3.ts";
import { linkTo } from "../support/reader.ts";
import { createEpub, hashBytes } from "../support/stored-files.ts";

const newSecret = () => randomBytes(48).toString("base64");
const SECRET = newSecret();
const MINUTE = 60_000;
const TEXT = "0123456789abcdef".repeat(64);

/** One published text and a link to it. */
async function scene(name = "The Well.txt", variables: Record<string, string> = {}) {
  const app = await startApp({ AUTH_SECRET: SECRET, ...variables });
  const book = await app.make.book("The Well");
  const file = await app.make.textFile(book.id, "en", TEXT, name);
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "en" });
  return { app, api: app.api, book, file, link, filePath: `/api/admin/books/${book.id}/files/${file.id}` };
}

describe("GET /api/download/{token}", () => {
  it("delivers the bytes as an attachment that isn't cached, indexed, framed or executed", async () => {
    const { api, link } = await scene();
    const response = await api.get(link);
    expect(response.status).toBe(200);
    expect(response.body.toString()).toBe(TEXT);
    expect(response.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "1024",
      "content-disposition": 'attachment; filename="The Well [en].txt"',
      "accept-ranges": "bytes",
      etag: `"${hashBytes(Buffer.from(TEXT))}"`,
      "last-modified": "Sun, 01 Mar 2026 12:00:00 GMT",
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(response.headers["set-cookie"]).toBeUndefined();
    expect(response.headers["transfer-encoding"]).toBeUndefined();
    // As often as it is asked for.
    expect((await api.get(link)).body.equals(response.body)).toBe(true);
  });

  it("delivers an EPUB byte for byte under its media type", async () => {
    const { app, api, book } = await scene();
    const bytes = await createEpub("Der Brunnen");
    const uploaded = await (await app.admin()).upload("post", `/api/admin/books/${book.id}/files`, {
      fields: { languageCode: "en", fileType: "epub" },
      file: { bytes, name: "Der Brunnen.epub" },
    });
    expect(uploaded.status).toBe(201);
    const link = await linkTo(api, { slug: "the-well", languageCode: "en", fileType: "epub" });
    const response = await api.get(link);
    expect(response.headers["content-type"]).toBe("application/epub+zip");
    expect(response.body.equals(bytes)).toBe(true);
  });

  it("supports HEAD with the same headers and no body", async () => {
    const { api, link } = await scene();
    const { "x-request-id": _, ...headers } = (await api.get(link)).headers;
    const head = await api.head(link, { Range: "bytes=5-9" });
    expect(head.status).toBe(200);
    expect(head.headers).toMatchObject({ ...headers, date: expect.any(String) });
  });

  it("sends the requested range, or 416 beyond the end", async () => {
    const { api, link } = await scene();
    const ranges: Record<string, [string, string]> = {
      "bytes=0-15": ["bytes 0-15/1024", TEXT.slice(0, 16)],
      "bytes=1000-": ["bytes 1000-1023/1024", TEXT.slice(1000)],
      "bytes=-10": ["bytes 1014-1023/1024", TEXT.slice(-10)],
      "bytes=1020-99999": ["bytes 1020-1023/1024", TEXT.slice(1020)],
      "bytes=-99999": ["bytes 0-1023/1024", TEXT],
    };
    for (const [Range, [contentRange, text]] of Object.entries(ranges)) {
      const response = await api.get(link, { Range });
      expect(response.status, Range).toBe(206);
      expect(response.headers["content-range"]).toBe(contentRange);
      expect(response.headers["content-length"]).toBe(String(text.length));
      expect(response.headers["cache-control"]).toBe("private, no-store");
      expect(response.body.toString()).toBe(text);
    }
    const beyond = await api.get(link, { Range: "bytes=1024-" });
    expectProblem(beyond, 416, { code: "range_not_satisfiable" });
    expect(beyond.headers["content-range"]).toBe("bytes */1024");
    expect(beyond.headers["content-disposition"]).toBeUndefined();
    for (const Range of ["pages=1-2", "bytes=0-1,100-101", "bytes=a-b"]) {
      const whole = await api.get(link, { Range });
      expect([whole.status, whole.body.length], Range).toEqual([200, 1024]);
    }
  });

  it("evaluates conditions: 304, 412, and a range of the same version only", async () => {
    const { app, api, link, filePath } = await scene();
    const etag = `"${hashBytes(Buffer.from(TEXT))}"`;
    const modified = "Sun, 01 Mar 2026 12:00:00 GMT";
    const unchanged = await api.get(link, { "If-None-Match": `W/${etag}` });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers).toMatchObject({ etag, "last-modified": modified });
    for (const name of ["content-length", "content-disposition"])
      expect(unchanged.headers).not.toHaveProperty(name);
    expect((await api.get(link, { "If-Modified-Since": modified })).status).toBe(304);
    const other = await api.get(link, { "If-Match": '"other"' });
    expectProblem(other, 412);
    expect(other.headers).not.toHaveProperty("etag");

    const resume = { Range: "bytes=1000-", "If-Range": etag };
    expect((await api.get(link, resume)).status).toBe(206);
    app.clock.advance(MINUTE);
    const bytes = Buffer.from("Another text.");
    const admin = await app.admin();
    expect((await admin.upload("put", filePath, { file: { bytes, name: "x.txt" } })).status).toBe(200);
    const replaced = await api.get(link, resume);
    expect(replaced.status).toBe(200);
    expect(replaced.body.equals(bytes)).toBe(true);
    expect(replaced.headers.etag).toBe(`"${hashBytes(bytes)}"`);
    expect(replaced.headers["last-modified"]).toBe("Sun, 01 Mar 2026 12:01:00 GMT");
    expect((await api.get(link, { "If-None-Match": etag })).status).toBe(200);
  });

  it.each([
    ["بئر عميقة.txt", "the-well [en].txt"],
    ["गहरा कुआँ.txt", "the-well [en].txt"],
    ["深い井戸 👩‍🚀.txt", "the-well [en].txt"],
    ["Brunnen für Amélie.txt", "Brunnen fur Amelie.txt"],
    [`it's "100%" \\ ; a=b.txt`, undefined],
  ])("names the file %j for every client", async (name, ascii) => {
    const { app, api, link, filePath } = await scene("x.txt", { DOWNLOAD_NAMES: "original" });
    await (await app.admin()).patch(filePath, { fileName: name });
    const shown = (await (await app.admin()).get(filePath.replace(/\/[^/]+$/, ""))).body.files[0].fileName;
    const header = (await api.get(link)).headers["content-disposition"] ?? "";
    const encoded = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1];
    if (encoded !== undefined) expect(decodeURIComponent(encoded)).toBe(shown);
    if (ascii !== undefined) {
      expect(encoded).toBeDefined();
      expect(header).toContain(`filename="${ascii}"`);
    }
    expect(header).toMatch(/^attachment; [\x20-\x7e]+$/);
  });
});

describe("a link", () => {
  it("works for ten minutes to the second, then returns 410", async () => {
    const { app, api, link } = await scene();
    app.clock.advance(10 * MINUTE - 1);
    expect((await api.get(link)).status).toBe(200);
    app.clock.advance(1);
    const expired = await api.get(link);
    expectProblem(expired, 410, { code: "download_token_expired" });
    expect(expired.body.title).toBe("Gone");
    expect(JSON.stringify(expired.body)).not.toContain(link.slice(-40));
    expect(expired.headers).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect((await api.head(link)).status).toBe(410);
    app.clock.advance(365 * 24 * 60 * MINUTE);
    expect((await api.get(link)).status).toBe(410);
  });

  it("has the configured lifetime", async () => {
    const { app, api, link } = await scene("a.txt", { DOWNLOAD_TOKEN_TTL_SECONDS: "30" });
    app.clock.advance(29_999);
    expect((await api.get(link)).status).toBe(200);
    app.clock.advance(1);
    expect((await api.get(link)).status).toBe(410);
  });

  it("is rejected if it is malformed, forged or meant for another purpose", async () => {
    const { app, api, link } = await scene();
    const token = link.slice("/api/download/".length);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const issue = async (
      secret: string,
      purpose: "session" | "download",
      subject: string,
      clock: Clock = app.clock,
    ) => (await new Tokens({ secret, purpose, clock }).issue(subject, MINUTE)).token;
    const earlier = { now: () => app.clock.now() - 1000 };
    const ids = new DownloadIds({ secret: SECRET });
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const { email } = await app.make.user("admin");
    const login = await api.post("/api/auth/login", { email, password: PASSWORD });
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());

    const rejected: Record<string, string> = {
      "not a token": "x",
      "no signature": `${header}.${payload}.`,
      "half a token": token.slice(0, -2),
      "one character off": `${token.slice(0, -2)}${token.endsWith("AA") ? "BA" : "AA"}`,
      "another event": `${header}.${encoded({ ...claims, sub: "2" })}.${signature}`,
      "no algorithm": `${encoded({ alg: "none", typ: "JWT" })}.${payload}.`,
      "another secret": await issue(newSecret(), "download", ids.seal(1)),
      "a token for sessions": await issue(SECRET, "session", ids.seal(1)),
      "a real session": cookieOf(login).slice("auth.session-token=".length),
      "an unknown event": await issue(SECRET, "download", ids.seal(99)),
      "a lost event, whose number another one has": await issue(SECRET, "download", ids.seal(1), earlier),
      "a plain number": await issue(SECRET, "download", "1"),
      "another's number": await issue(SECRET, "download", new DownloadIds({ secret: newSecret() }).seal(1)),
      "a padded number": await issue(SECRET, "download", `${ids.seal(1)}=`),
      "an API key": (await app.make.apiKey()).key,
      "too long": "a".repeat(2001),
      NUL: "%00",
    };
    for (const [what, bad] of Object.entries(rejected)) {
      const response = await api.get(`/api/download/${bad}`);
      expect([response.status, response.body.title], what).toEqual([404, "Record Not Found"]);
      expect(JSON.stringify(response.body), what).not.toContain(bad.slice(0, 40));
    }
    expect((await api.get(`/api/download/${await issue(SECRET, "download", ids.seal(1))}`)).status).toBe(200);
  });

  it("returns a readable page to a browser instead of a problem document", async () => {
    const { app, api, link } = await scene();
    app.clock.advance(10 * MINUTE);
    const Accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const page = await api.get(link, { Accept });
    expect(page.status).toBe(410);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["cache-control"]).toContain("no-store");
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none';/);
    expect(page.body.toString()).toMatch(/<h1>[^<]*expired[^<]*<\/h1>/);
    expect(page.body.toString()).not.toContain(link);
    for (const other of ["*/*", "application/json", "application/problem+json, text/html;q=0.5", ""]) {
      expectProblem(await api.get(link, { Accept: other }), 410);
    }
    const unknown = await api.get("/api/download/%3Cscript%3E", { Accept });
    expect(unknown.status).toBe(404);
    expect(unknown.body.toString()).not.toContain("<script>");
  });

  itInFolder(
    "returns 404 while its bytes are missing on the disk, and 503 while they are truncated",
    async () => {
      const { app, api, link } = await scene();
      const hash = hashBytes(Buffer.from(TEXT));
      const place = `${app.dataDir}/files/${hash.slice(0, 2)}/${hash}`;
      await rename(place, `${place}.away`);
      expectProblem(await api.get(link), 404, { code: "file_unavailable" });
      await rename(`${place}.away`, place);
      expect((await api.get(link)).body.toString()).toBe(TEXT);
      await chmod(place, 0o600);
      await truncate(place, 1000);
      expectProblem(await api.get(link), 503, { code: "storage_unavailable" });
      await writeFile(place, TEXT);
      expect((await api.get(link)).body.toString()).toBe(TEXT);
    },
  );

  it("logs neither token nor address of a reader at level info", async () => {
    const { app, api, link } = await scene();
    await api.get(link);
    const lines: TestApp["logged"] = app.logged.filter(({ level }) => Number(level) >= 30);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain(link.slice(-20));
    expect(JSON.stringify(lines)).not.toContain("reader@example.org");
  });
});
