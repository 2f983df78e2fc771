/** What isn't HTTP, alone and among requests: a bare status or none, never within a response, and the connection ends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { portOf } from "../../tools/lib/listening.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { encodeMultipart, filePart, MULTIPART } from "../support/multipart.ts";
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
  await make.published("The Well", "en", "a".repeat(SIZE));
  return linkTo(api, { slug: "the-well", languageCode: "en" });
}

const statusesIn = (responses: string): number[] =>
  [...responses.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

const BARE_400 = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

describe("an invalid request", () => {
  it("gets a bare 400, once, regardless of its length", async () => {
    const app = await startApp();
    const socket = send(app, "nonsense\r\n\r\n".repeat(100));
    socket.on("data", () => socket.write("more nonsense\r\n\r\n"));
    expect(await text(socket)).toBe(BARE_400);
  });

  it("gets it after the response to an earlier request on the connection", async () => {
    const app = await startApp();
    const socket = send(app, GET);
    await once(socket, "readable");
    socket.write("nonsense\r\n\r\n");
    expect(statusesIn(await text(socket))).toEqual([200, 400]);
  });

  it("ends the connection during an earlier request, which then has no response", async () => {
    const app = await startApp();
    expect(await text(send(app, `${GET}nonsense\r\n\r\n`))).toBe("");
    await expect.poll(() => app.logged.filter(({ msg }) => msg === "request")).toHaveLength(1);
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("ends the connection during a response, into which nothing else is written", async () => {
    const app = await startApp();
    const link = await largeBook(app);
    const socket = send(app, `GET ${link} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, "readable");
    socket.write("nonsense\r\n\r\n");
    const received = await buffer(socket);
    const begin = received.indexOf("\r\n\r\n") + 4;
    const body = received.subarray(begin);
    expect(body.length).toBeLessThan(SIZE);
    expect(body.equals(Buffer.alloc(body.length, "a"))).toBe(true);
    const line = () => app.logged.find(({ route }) => route === "/api/download/{token}");
    await expect.poll(line).toMatchObject({ status: 200, aborted: true });
  });

  it("gets the 400 as response if it is invalid in the body, and its handler's response is discarded", async () => {
    const app = await startApp();
    const socket = send(app, GET);
    await once(socket, "readable");
    socket.write(`${LOGIN}2\r\n{}\r\nzz\r\n`);
    expect(statusesIn(await text(socket))).toEqual([200, 400]);
    await expect.poll(() => app.logged.filter(({ msg }) => msg === "request")).toHaveLength(2);
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("in an upload leaves nothing of it", async () => {
    const app = await startApp();
    await app.make.language("es");
    const book = await app.make.book("The Well");
    const { cookie } = await createAccount(app);
    for (const [method, id, type] of [
      ["POST", "", MULTIPART["Content-Type"]],
      ["PUT", "/1", "text/plain"],
    ]) {
      const to = `${method} /api/admin/books/${book.id}/files${id} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n`;
      const part = encodeMultipart(filePart("x".repeat(500)))
        .subarray(0, 500)
        .toString();
      const socket = send(
        app,
        `${to}Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n${part}\r\n`,
      );
      // Until the first bytes are on the disk.
      await eventually(() => expect(expectStored(app.dataDir)).rejects.toThrow());
      socket.write("zz\r\n");
      expect(await text(socket)).toBe(BARE_400);
      await eventually(() => expectStored(app.dataDir));
    }
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("isn't reported if its body has been rejected already", async () => {
    const app = await startApp();
    const rejected = LOGIN.replace("application/json", "text/plain");
    const responses = await text(send(app, rejected, "2\r\n{}\r\nzz\r\n"));
    expect(statusesIn(responses)).toHaveLength(1);
  });

  it("from a client that has disconnected is ignored", async () => {
    const app = await startApp();
    for (const half of ["GET / HT", GET.slice(0, -2), `${LOGIN}5\r\n{}`]) {
      const [reset, ended] = [send(app, half), send(app, half).resume().end()];
      await once(reset, "ready");
      reset.resetAndDestroy();
      await once(ended, "close");
    }
    await sleep(50);
    expect((await app.api.get("/api/health")).status).toBe(200);
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("can't be a tunnel or another protocol", async () => {
    const app = await startApp();
    const tunnel = await text(send(app, "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n"));
    expect(tunnel).toBe("");
    const left = Array.from({ length: 20 }, () => send(app, "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"));
    for (const socket of left) {
      await once(socket, "ready");
      socket.resetAndDestroy();
    }
    const upgrade = `${GET.slice(0, -2)}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(statusesIn(await text(send(app, upgrade)))).toEqual([200]);
  });
});

it("a thousand malformed connections don't affect other clients", async () => {
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
