import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { contact } from "../support/factory.ts";
import { rawGet, sendRaw } from "../support/raw-http.ts";
import { startDownload } from "../support/slow-download.ts";

/** The line about the request with this id. It is written when the answer has gone out: that may be a little later. */
async function lineOf({ logged }: TestApp, id: unknown): Promise<Record<string, unknown>> {
  const lines = () => logged.filter((line) => line.msg === "request" && line.id === id);
  await expect.poll(lines).toHaveLength(1);
  return lines()[0] ?? {};
}

const idOf = ({ headers }: { headers: Record<string, unknown> }): unknown => headers["x-request-id"];

/** A book of so many bytes, and a link to it. */
async function offering(sizeBytes: number) {
  const app = await startApp();
  await app.make.language("es");
  await app.make.published("The book", "es", "x".repeat(sizeBytes));
  const answer = await app.api.post("/api/download/submit", {
    slug: "the-book",
    languageCode: "es",
    contact,
  });
  const link: string = answer.body.downloadUrl;
  return { app, link };
}

describe("the line of a request", () => {
  it("says which route answered, how, how fast and with how many bytes, and never the path", async () => {
    const { app, link } = await offering(10_000);
    const responses = [
      await app.api.get("/api/books?search=reader%40example.org"),
      await app.api.get(link),
      await sendRaw(app.server, rawGet("/api/nothing/reader@example.org")),
      await app.api.delete("/api/books"),
      await app.api.get("/api/admin/books"),
    ];
    const lines = await Promise.all(responses.map((answer) => lineOf(app, idOf(answer))));
    expect(lines).toMatchObject([
      { method: "GET", route: "/api/books", status: 200 },
      { method: "GET", route: "/api/download/{token}", status: 200 },
      { method: "GET", route: null, status: 404 },
      { method: "DELETE", route: "/api/books", status: 405 },
      { method: "GET", route: "/api/admin/books", status: 401 },
    ]);
    for (const { ms, bytes, aborted } of lines) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(60_000);
      expect(bytes).toBeGreaterThan(100);
      expect(aborted).toBeUndefined();
    }
    expect(lines[1]?.bytes).toBeGreaterThan(10_000);
    const [token = ""] = link.split("/").slice(-1);
    const output = JSON.stringify(app.logged);
    for (const secret of [token, "reader@example.org", "reader%40example.org"])
      expect(output).not.toContain(secret);
  });

  it("names the caller by an id without personal data", async () => {
    const app = await startApp();
    const key = await app.make.apiKey();
    const admin = await app.admin();
    const bySession = await admin.get("/api/auth/session");
    const byKey = await key.get("/api/admin/books");
    const keys = await admin.get("/api/admin/api-keys");
    const byNobody = await app.api.get("/api/health");
    expect(await lineOf(app, idOf(bySession))).toMatchObject({ actor: bySession.body.user.id });
    expect(await lineOf(app, idOf(byKey))).toMatchObject({ actor: keys.body.apiKeys[0].id });
    expect(await lineOf(app, idOf(byNobody))).not.toHaveProperty("actor");
    expect(JSON.stringify(app.logged)).not.toContain(key.key);
  });

  it("counts the bytes of each response alone, on a connection that is kept", async () => {
    const { app } = await offering(1);
    const address = app.server.address();
    const socket = connect(address !== null && typeof address === "object" ? address.port : 0, "127.0.0.1");
    for (const path of ["/api/health", "/api/books", "/api/health"]) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const [answer] = await once(socket, "data");
      const [, id] = /x-request-id: (\S+)/i.exec(String(answer)) ?? [];
      expect(await lineOf(app, id)).toMatchObject({ bytes: answer.length });
    }
    socket.destroy();
  });

  it("says so when the reader left before the end", async () => {
    const size = 32 * 1024 * 1024;
    const { app, link } = await offering(size);
    const download = await startDownload(app.server, link);
    const id = idOf(download.response);
    expect(app.logged.filter((line) => line.id === id)).toEqual([]);
    download.leave();
    const line = await lineOf(app, id);
    expect(line).toMatchObject({ route: "/api/download/{token}", status: 200, aborted: true });
    expect(line.bytes).toBeLessThan(size);
  });
});

describe("the id of a request", () => {
  it.each([
    ["the caller's stands beside it when it is short and safe", "order-4711_a.B", true],
    ["not when it is too short", "1234567", false],
    ["not when it is too long", "x".repeat(65), false],
    ["not when it could break a line", 'a"}{"level":"x', false],
    ["not when it isn't ASCII", "ünïcödé-id", false],
  ])("is our own: %s", async (_, given, isNamed) => {
    const app = await startApp();
    const request = rawGet("/api/health", [`X-Request-Id: ${given}`]);
    const id = idOf(await sendRaw(app.server, Buffer.from(request, "latin1")));
    const line = await lineOf(app, id);
    expect(line).toMatchObject({ route: "/api/health", status: 200 });
    expect(line.callerId).toBe(isNamed ? given : undefined);
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/);
  });

  it("is in error responses, too", async () => {
    const app = await startApp();
    const answer = await app.api.get("/api/books/nothing");
    expect(answer.body.requestId).toBe(idOf(answer));
    expect(await lineOf(app, answer.body.requestId)).toMatchObject({ status: 404 });
  });
});
