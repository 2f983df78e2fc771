/** Requests that break the rules of HTTP itself, byte by byte. The next request is answered as ever. */
import { once } from "node:events";
import type { Server } from "node:http";
import { describe, expect, it } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { connectTo, formatGet, sendRaw } from "../support/raw-http.ts";

const CLOSE = "Connection: close";

const request = (...lines: string[]): string => [...lines, "", ""].join("\r\n");
const login = (...lines: string[]): string =>
  request("POST /api/auth/login HTTP/1.1", "Host: localhost", "Content-Type: application/json", ...lines);

/** The only response to these bytes, with its code if it is a problem, and the status of an ordinary request after it. */
async function outcome(server: Server, bytes: string | Buffer) {
  const { status, responses, headers, body } = await sendRaw(server, bytes);
  expect(headers.connection).toBe("close");
  const after = await sendRaw(server, formatGet("/api/health"));
  return { status, responses, code: /"code":"(\w+)"/.exec(body)?.[1], after: after.status };
}

describe("a request", () => {
  it.each([
    ["two different lengths", `${login("Content-Length: 2", "Content-Length: 40")}{}`],
    ["the same length twice", `${login("Content-Length: 2", "Content-Length: 2")}{}`],
    ["a list of lengths", `${login("Content-Length: 2, 2")}{}`],
    ["a negative length", `${login("Content-Length: -1")}{}`],
    ["a signed length", `${login("Content-Length: +2")}{}`],
    ["a length in hexadecimal", `${login("Content-Length: 0x2")}{}`],
    ["a length beyond all numbers", `${login("Content-Length: 99999999999999999999")}{}`],
    [
      "a length and chunks (request smuggling)",
      `${login("Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n`,
    ],
    ["chunks that aren't the last coding", `${login("Transfer-Encoding: chunked, identity")}0\r\n\r\n`],
    ["chunks and chunks", `${login("Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0\r\n\r\n`],
    ["a chunk whose size is no number", `${login("Transfer-Encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`],
    ["a chunk longer than its size", `${login("Transfer-Encoding: chunked")}1\r\n{}\r\n0\r\n\r\n`],
    ["a space before the colon", request("GET /api/health HTTP/1.1", "Host : localhost", CLOSE)],
    ["a folded header", request("GET /api/health HTTP/1.1", "Host: localhost", "X-A: b", " c", CLOSE)],
    ["a header without a name", request("GET /api/health HTTP/1.1", "Host: localhost", ": b", CLOSE)],
    ["a NUL in a header", request("GET /api/health HTTP/1.1", "Host: localhost", "X-A: b\0c", CLOSE)],
    [
      "a lone CR in a header",
      request("GET /api/health HTTP/1.1", "Host: localhost", "X-A: b\rX-C: d", CLOSE),
    ],
    ["a space in the target", request("GET /api/health x HTTP/1.1", "Host: localhost", CLOSE)],
    ["a control in the target", request("GET /api/hea\u0001lth HTTP/1.1", "Host: localhost", CLOSE)],
    ["a target that is no path", request("GET api/health HTTP/1.1", "Host: localhost", CLOSE)],
    ["a version that isn't there", request("GET /api/health HTTP/3.7", "Host: localhost", CLOSE)],
    ["another protocol", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("with %s returns a bare 400, once", async (_, bytes) => {
    const { server } = await startApp();
    expect(await outcome(server, bytes)).toEqual({ status: 400, responses: 1, code: undefined, after: 200 });
  });

  it.each([
    ["two hosts", request("GET /api/health HTTP/1.1", "Host: localhost", "Host: evil.example", CLOSE)],
    ["no host", request("GET /api/health HTTP/1.1", CLOSE)],
  ])("with %s returns 400", async (_, bytes) => {
    const { server } = await startApp();
    expect(await outcome(server, bytes)).toEqual({
      status: 400,
      responses: 1,
      code: "host_missing",
      after: 200,
    });
  });

  it.each([
    ["a header of 20 kB", [`X-Large: ${"x".repeat(20_000)}`]],
    [
      "headers of 20 kB together",
      Array.from({ length: 200 }, (_, index) => `X-${index}: ${"x".repeat(100)}`),
    ],
    ["thousands of headers", Array.from({ length: 2500 }, () => "a:")],
    ["a target of 20 kB", []],
  ])("with %s returns a bare 431", async (_, lines) => {
    const { server } = await startApp();
    const target = lines.length === 0 ? `/api/books?search=${"x".repeat(20_000)}` : "/api/books";
    const expected = { status: 431, responses: 1, code: undefined, after: 200 };
    expect(await outcome(server, formatGet(target, lines))).toEqual(expected);
  });

  it("with more than 200 headers returns 431", async () => {
    const { server } = await startApp();
    const lines = Array.from({ length: 201 }, (_, index) => `X-${index}: x`);
    const expected = { status: 431, responses: 1, code: "headers_too_large", after: 200 };
    expect(await outcome(server, formatGet("/api/books", lines))).toEqual(expected);
  });

  it("with an unknown expectation returns 417", async () => {
    const { server } = await startApp();
    const bytes = formatGet("/api/health", ["Expect: the-unexpected"]);
    expect(await outcome(server, bytes)).toEqual({ status: 417, responses: 1, code: undefined, after: 200 });
  });

  it("with chunk extensions beyond Node's 16 KiB returns 413", async () => {
    const { server } = await startApp();
    const bytes = `${login("Transfer-Encoding: chunked")}2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`;
    expect(await outcome(server, bytes)).toEqual({ status: 413, responses: 1, code: undefined, after: 200 });
  });

  it("without a host is accepted in HTTP/1.0", async () => {
    const { server } = await startApp();
    const response = await sendRaw(server, "GET /api/books HTTP/1.0\r\n\r\n");
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body).books).toEqual([]);
  });

  it("doesn't take a rejected body for the next request", async () => {
    const app = await startApp();
    const { cookie } = await createAccount(app);
    const smuggled = request(
      "DELETE /api/admin/languages/1 HTTP/1.1",
      "Host: localhost",
      `Cookie: ${cookie}`,
    );
    const bytes = `${login(`Content-Length: ${smuggled.length + 1000}`, CLOSE).replace("json", "x")}${smuggled}`;
    const response = await sendRaw(app.server, bytes);
    expect(response).toMatchObject({ status: 415, responses: 1 });
    expect(app.logged.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  it("lets a client that is rejected while sending send the rest, and so read the response", async () => {
    const { server } = await startApp();
    const lines = ["Host: localhost", "Content-Type: text/plain", "Content-Length: 4000000"];
    const socket = connectTo(server);
    const closed = once(socket, "close");
    socket.write(request("POST /api/auth/login HTTP/1.1", ...lines));
    const [response] = await once(socket, "data");
    expect(String(response)).toMatch(/^HTTP\/1.1 415 .*"code":"unsupported_media_type"/s);
    for (let sent = 0; sent < 4_000_000; sent += 100_000) {
      await new Promise((written) => socket.write(Buffer.alloc(100_000), written));
    }
    const [hadError] = await closed;
    expect(hadError).toBe(false);
  });

  it("with several requests at once returns one response each, with the credential of each", async () => {
    const app = await startApp();
    const { cookie } = await createAccount(app, "viewer");
    const keepAlive = (...lines: string[]) =>
      request("GET /api/auth/session HTTP/1.1", "Host: localhost", ...lines);
    const bytes = [keepAlive(`Cookie: ${cookie}`), keepAlive(), keepAlive(`Cookie: ${cookie}`, CLOSE)].join(
      "",
    );
    const { status, responses, body } = await sendRaw(app.server, bytes);
    expect({ status, responses }).toEqual({ status: 200, responses: 3 });
    expect(body.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });
});

describe("a forged host", () => {
  const EVIL = "evil.example";
  const hosts = [
    "evil.example",
    "evil.example:80",
    "localhost@evil.example",
    "evil.example/x",
    "<script>",
    "[::1",
    "a b",
  ];

  it("is never part of a response", async () => {
    const { server, make } = await startApp();
    await make.published("The Well", "es");
    const forwarded = [`X-Forwarded-Host: ${EVIL}`, `Forwarded: host=${EVIL}`, `X-Host: ${EVIL}`];
    for (const host of hosts) {
      for (const path of [
        "/api/books",
        "/api/books/the-well",
        "/api/docs",
        "/api/openapi.json",
        "/api/nothing",
      ]) {
        const bytes = formatGet(path, forwarded).replace("Host: localhost", `Host: ${host}`);
        const response = await sendRaw(server, bytes);
        expect(response.status).toBeLessThan(500);
        expect(JSON.stringify(response)).not.toMatch(/evil|<script>alert/);
      }
    }
  });

  it("never creates a link or a cookie for another host", async () => {
    const { api, make } = await startApp();
    await make.published("The Well", "es");
    const { email } = await make.user("viewer");
    const evil = api.with({ Host: EVIL, "X-Forwarded-Host": EVIL, "X-Forwarded-Proto": "https" });
    const responses = [
      await evil.post("/api/download/submit", {
        slug: "the-well",
        languageCode: "es",
        contact: { email: "reader@example.org", firstName: "Sara" },
      }),
      await evil.post("/api/auth/login", { email, password: "a long enough pass phrase" }),
    ];
    for (const { status, headers, body } of responses) {
      expect(status).toBe(200);
      expect(JSON.stringify([headers, body])).not.toContain("evil");
      expect(headers["set-cookie"]?.[0] ?? "").not.toMatch(/domain/i);
    }
    expect(responses[0]?.body.downloadUrl).toMatch(/^\/api\/download\//);
  });
});

it("characters that a header can't contain are escaped in the response, or left out", async () => {
  const { api, make } = await startApp();
  const admin = await make.login("admin");
  const hostile = "x\r\nSet-Cookie: a=b\r\n\r\n<script>";
  for (const path of ["/api/books/", "/api/docs/", "/api/download/", "/api/admin/books/", "/api/nothing/"]) {
    const response = await admin.get(`${path}${encodeURIComponent(hostile)}`);
    expectProblem(response, 404);
    expect(response.headers["set-cookie"]).toBeUndefined();
    expect(response.body.instance).not.toContain("<");
  }
  const page = await api.get(`/api/download/${encodeURIComponent(hostile)}`, { Accept: "text/html" });
  expect(page.body.toString()).not.toContain("<script>");
});
