/** What isn't a request, among requests that are: each gets its own answer, in order, and the connection ends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { filePart, MULTIPART, multipart } from "../support/multipart.ts";
import { portOf } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";
import { expectStored } from "../support/stored-files.ts";

const GET = "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
const LOGIN =
  "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
const SIZE = 24 * 1024 * 1024;

function send({ server }: TestApp, ...bytes: string[]): Socket {
  const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
  for (const piece of bytes) socket.write(piece);
  return socket;
}

/** @returns the path of the link to a book that takes long to send */
async function largeBook({ make, api }: TestApp): Promise<string> {
  await make.language("en");
  await make.published("The Well", "en", "a".repeat(SIZE));
  return linkTo(api, { slug: "the-well", languageCode: "en" });
}

/** The statuses that came, and the code of the last one if it is a problem. */
function reported(responses: string) {
  return {
    statuses: [...responses.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status)),
    code: /"code":"(\w+)"/.exec(responses)?.[1],
  };
}

describe("what isn't a request", () => {
  it("is answered after the requests before it on the connection, once, however much of it comes", async () => {
    const app = await startApp();
    const socket = send(app, GET + GET + "nonsense\r\n\r\n".repeat(100));
    socket.on("data", () => socket.write("more nonsense\r\n\r\n"));
    expect(reported(await text(socket))).toEqual({ statuses: [200, 200, 400], code: "malformed_request" });
  });

  it("is answered without content where a HEAD was meant, also behind other requests", async () => {
    const app = await startApp();
    for (const before of ["", GET]) {
      const responses = await text(send(app, `${before}HEAD /\u00ff HTTP/1.1\r\nHost: localhost\r\n\r\n`));
      const last = responses.slice(responses.lastIndexOf("HTTP/1.1 "));
      expect(last).toMatch(/^HTTP\/1\.1 400 /);
      expect(last).toMatch(/\r\n\r\n$/);
    }
  });

  it("is told once, though more of it comes while an earlier request is being worked at", async () => {
    const app = await startApp();
    const body = JSON.stringify({ email: "anna@example.org", password: "correct horse battery" });
    const login = LOGIN.replace("Transfer-Encoding: chunked", `Content-Length: ${body.length}`) + body;
    const socket = send(app, `${login}nonsense\r\n\r\n`);
    const responses = text(socket);
    for (let more = 0; more < 5; more++) {
      await sleep(2);
      socket.write("more nonsense\r\n\r\n");
    }
    expect(reported(await responses).statuses).toEqual([401, 400]);
  });

  it("is kept in mind once, however much more of it comes during an answer", async () => {
    const app = await startApp();
    const link = await largeBook(app);
    let pieces = 0;
    app.server.on("clientError", () => pieces++);
    const taken = once(app.server, "request");
    const socket = send(app, `GET ${link} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [, response] = await taken;
    while (pieces < 50) {
      socket.write("nonsense\r\n\r\n");
      await sleep(1);
    }
    expect(response.listenerCount("close")).toBeLessThan(10);
    socket.destroy();
  });

  it("is told after an answer that takes long, and cuts nothing of it", async () => {
    const app = await startApp();
    const link = await largeBook(app);
    const socket = send(app, `GET ${link} HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n`);
    await once(socket, "readable");
    const received = await buffer(socket);
    const [head = ""] = received.toString("latin1").split("\r\n\r\n");
    const rest = received.subarray(head.length + 4 + SIZE).toString();
    expect(received.subarray(head.length + 4, head.length + 4 + SIZE).equals(Buffer.alloc(SIZE, "a"))).toBe(
      true,
    );
    expect(reported(rest)).toEqual({ statuses: [400], code: "malformed_request" });
  });

  it("in a body is the answer to that request, and its handler's own goes nowhere", async () => {
    const app = await startApp();
    const responses = await text(send(app, `${GET}${LOGIN}2\r\n{}\r\n`, "zz\r\n"));
    expect(reported(responses)).toEqual({ statuses: [200, 400], code: "malformed_request" });
    await expect.poll(() => app.logged.filter(({ msg }) => msg === "request")).toHaveLength(2);
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("in an upload leaves nothing of it", async () => {
    const app = await startApp();
    await app.make.language("es");
    const book = await app.make.book("The Well");
    const { cookie } = await newAccount(app);
    for (const [method, id, type] of [
      ["POST", "", MULTIPART["Content-Type"]],
      ["PUT", "/1", "text/plain"],
    ]) {
      const to = `${method} /api/admin/books/${book.id}/files${id} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n`;
      const part = multipart(filePart("x".repeat(500)))
        .subarray(0, 500)
        .toString();
      const socket = send(
        app,
        `${to}Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n${part}\r\n`,
      );
      // Until the first bytes are on the disk.
      await vi.waitFor(() => expect(() => expectStored(app.dataDir)).toThrow());
      socket.write("zz\r\n");
      expect(reported(await text(socket))).toEqual({ statuses: [400], code: "malformed_request" });
      await vi.waitFor(() => expectStored(app.dataDir));
    }
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("in a body that has been refused already is not told", async () => {
    const app = await startApp();
    const rejected = LOGIN.replace("application/json", "text/plain");
    const responses = await text(send(app, rejected, "2\r\n{}\r\nzz\r\n"));
    expect(reported(responses).statuses).toHaveLength(1);
  });

  it("has its line in the log, with the id that the answer names and no trace of what came", async () => {
    const app = await startApp();
    const responses = await text(send(app, "secret nonsense\r\n\r\n"));
    const id = /"requestId":"([\w-]+)"/.exec(responses)?.[1];
    const due = { msg: "request", id, method: "-", route: null, status: 400 };
    await expect.poll(() => app.logged).toContainEqual(expect.objectContaining(due));
    expect(JSON.stringify([responses, app.logged])).not.toContain("secret");
  });

  it("after a request whose client sends no more doesn't cost it its answer", async () => {
    const app = await startApp();
    const socket = send(app, `${GET}GET /api/he`).end();
    expect(reported(await text(socket)).statuses).toEqual([200]);
  });

  it("from a client that has left is nothing", async () => {
    const app = await startApp();
    for (const half of ["GET / HT", GET.slice(0, -2), `${LOGIN}5\r\n{}`]) {
      const [reset, ended] = [send(app, half), send(app, half).resume().end()];
      await once(reset, "ready");
      reset.resetAndDestroy();
      await once(ended, "close");
      expect(ended.bytesRead).toBe(0);
    }
    await sleep(50);
    expect((await app.api.get("/api/health")).status).toBe(200);
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("is neither a tunnel nor another protocol", async () => {
    const app = await startApp();
    const tunnel = await text(send(app, "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n"));
    expect(reported(tunnel)).toEqual({ statuses: [400], code: "malformed_request" });
    const left = Array.from({ length: 20 }, () => send(app, "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"));
    for (const socket of left) {
      await once(socket, "ready");
      socket.resetAndDestroy();
    }
    const upgrade = `${GET.slice(0, -2)}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(reported(await text(send(app, upgrade))).statuses).toEqual([200]);
  });
});

it("a thousand connections of nonsense hurt nobody else", async () => {
  const app = await startApp();
  const nonsense = [
    "\r\n\r\n",
    "\0",
    "GET",
    "PRI * HTTP/2.0\r\n\r\n",
    `${LOGIN}-1\r\n`,
    "POST / HTTP/1.1\r\n\r\n",
  ];
  const sockets = Array.from({ length: 1000 }, (_, index) =>
    send(app, nonsense[index % nonsense.length] ?? ""),
  );
  for (const socket of sockets) socket.resume();
  const health = await app.api.get("/api/health");
  expect(health.status).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
