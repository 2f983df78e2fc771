/** Clients that take their time. The limits are a fiftieth of the real ones, so that tests don't wait for them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createServiceServer, LIMITS } from "../../src/http/server.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { listen, portOf } from "../../tools/lib/listening.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { encodeMultipart, field, filePart, MULTIPART } from "../support/multipart.ts";
import { linkTo } from "../support/reader.ts";
import { expectStored } from "../support/stored-files.ts";

const FASTER = 50;
const SOON: typeof LIMITS = {
  headersMs: LIMITS.headersMs / FASTER,
  checkMs: LIMITS.checkMs / FASTER,
  idleMs: LIMITS.idleMs / FASTER,
  keepAliveMs: LIMITS.idleMs / FASTER,
  readerMs: LIMITS.idleMs / FASTER,
  minRate: { bytes: LIMITS.minRate.bytes, windowMs: LIMITS.minRate.windowMs / FASTER },
};

const start = () => startApp({}, undefined, SOON);

function open({ server }: Pick<TestApp, "server">, bytes: string): Socket {
  const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return socket;
}

/** Sends a piece now and then, as long as the connection lets it. */
async function trickle(socket: Socket, piece: string, everyMs: number): Promise<void> {
  while (!socket.closed && socket.writable) {
    socket.write(piece);
    await sleep(everyMs);
  }
}

const LOGIN = "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
const TOO_SLOW = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

it("the limits are 10 seconds for headers, checked each second; 30 without a byte; 15 kB of a body in 30; 10 minutes for readers", () => {
  expect(LIMITS).toEqual({
    headersMs: 10_000,
    checkMs: 1000,
    idleMs: 30_000,
    keepAliveMs: 130_000,
    readerMs: 600_000,
    minRate: { bytes: 15_000, windowMs: 30_000 },
  });
});

describe("a slow client is disconnected with an error response", () => {
  it.each([
    ["that sends nothing", "", ""],
    ["that stops in its headers", "GET /api/health HTTP/1.1\r\nHost: loc", ""],
    ["whose headers come byte by byte", "GET /api/health HTTP/1.1\r\nX: ", "x"],
    ["whose headers never end", "GET /api/health HTTP/1.1\r\n", "X-Header: x\r\n"],
  ])("%s", async (_, first, piece) => {
    const app = await start();
    const socket = open(app, first);
    const response = text(socket);
    if (piece !== "") void trickle(socket, piece, SOON.headersMs / 20);
    expect(await response).toBe(TOO_SLOW);
  });

  it("that stops in its body", async () => {
    const app = await startApp({}, undefined, { ...SOON, minRate: LIMITS.minRate });
    const response = text(open(app, `${LOGIN}Content-Length: 100\r\n\r\n{"email":`));
    expect(await response).toBe(TOO_SLOW);
  });

  it.each([
    ["byte by byte", "Content-Length: 16000\r\n\r\n", "x"],
    ["in chunks of a byte", "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
  ])("whose body arrives %s", async (_, framing, piece) => {
    const app = await start();
    const socket = open(app, LOGIN + framing);
    const response = text(socket);
    void trickle(socket, piece, SOON.idleMs / 10);
    expect(await response).toBe(TOO_SLOW);
  });

  it("whose upload arrives too slowly, and nothing of it stays", async () => {
    const app = await start();
    const { path, cookie } = await uploads(app);
    for (const [method, to, type] of [
      ["POST", path, MULTIPART["Content-Type"]],
      ["PUT", `${path}/1`, "text/plain"],
    ]) {
      const head = `${method} ${to} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n`;
      const socket = open(app, `${head}Content-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`);
      const response = text(socket);
      if (method === "POST") socket.write(encodeMultipart(filePart("x".repeat(500))).subarray(0, 500));
      void trickle(socket, "x", SOON.idleMs / 10);
      expect(await response).toBe(TOO_SLOW);
    }
    await expect.poll(() => app.logged.filter(({ msg }) => msg === "request").length).toBeGreaterThan(1);
    await eventually(() => expectStored(app.dataDir));
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("that reads a large response byte by byte", async () => {
    const app = await start();
    const link = await largeBook(app);
    const socket = open(app, `GET ${link} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, "readable");
    const line = () => app.logged.find(({ route }) => route === "/api/download/{token}");
    while (!line()) {
      socket.read(1);
      await sleep(SOON.idleMs / 10);
    }
    expect(line()).toMatchObject({ aborted: true });
  });
});

it("a slow reader who keeps reading receives a large file completely", async () => {
  // Far from both limits, so that a machine that is busy for a moment changes nothing: a pause between two pieces is a
  // tenth of what a reader may take, and all of them are more than twice as long as that.
  const [readerMs, pieces] = [1500, 24];
  const app = await startApp({}, undefined, { ...SOON, idleMs: 100, readerMs });
  const link = await largeBook(app);
  const socket = open(app, `GET ${link} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const startedAt = performance.now();
  let [taken, due] = [0, 0];
  for await (const chunk of socket) {
    taken += chunk.length;
    due += chunk.length;
    if (due < SIZE / pieces) continue;
    due = 0;
    await sleep(readerMs / 10);
  }
  expect(performance.now() - startedAt).toBeGreaterThan(2 * readerMs);
  expect(taken).toBeGreaterThan(SIZE);
  const line = () => app.logged.find(({ route }) => route === "/api/download/{token}");
  await expect.poll(line).toMatchObject({ status: 200 });
  expect(line()).not.toHaveProperty("aborted");
});

async function uploads(app: TestApp) {
  await app.make.language("es");
  const book = await app.make.book("The Well");
  const { cookie } = await createAccount(app);
  return { path: `/api/admin/books/${book.id}/files`, cookie };
}

const SIZE = 24 * 1024 * 1024;

/** Its bytes don't come over HTTP: an upload would meet the limits that the test sets for others. */
async function largeBook(app: TestApp): Promise<string> {
  await app.make.language("en");
  const book = await app.make.book("The Well");
  const { services, store } = app.container;
  const received = await store.receive(Readable.from([Buffer.alloc(SIZE, "a")]), { maxBytes: SIZE });
  const fields = { languageCode: "en", fileType: "txt" as const };
  await services.files.addUpload(createSystemAuthor("test"), book.id, fields, {
    ...received,
    originalName: "a.txt",
  });
  return linkTo(app.api, { slug: "the-well", languageCode: "en" });
}

/** A body of which so much comes in each span of the rate limit, and nothing else takes any time. */
async function sendInSpans(app: TestApp, head: string, body: Buffer, bytesInSpan: number): Promise<string> {
  const taken = once(app.server, "request");
  const socket = open(app, head);
  const response = text(socket);
  const [request] = await taken;
  const before = request.socket.bytesRead;
  for (let sent = 0; sent < body.length && !socket.closed; sent += bytesInSpan) {
    const piece = body.subarray(sent, sent + bytesInSpan);
    socket.write(piece);
    while (request.socket.bytesRead < before + sent + piece.length && !socket.closed) await sleep(1);
    vi.advanceTimersByTime(LIMITS.minRate.windowMs);
  }
  return response;
}

describe("the minimum rate of a body", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  it("permits an honest upload of a quarter of an hour", async () => {
    const app = await startApp();
    const { path, cookie } = await uploads(app);
    const { bytes, windowMs } = LIMITS.minRate;
    const spans = (15 * 60_000) / windowMs;
    const body = encodeMultipart(field("languageCode", "es"), filePart("x".repeat(bytes * spans)));
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: ${cookie}\r\n`;
    const type = `Content-Type: ${MULTIPART["Content-Type"]}\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await sendInSpans(app, head + type, body, bytes)).toMatch(/^HTTP\/1\.1 201 /);
  });

  it("ends one with a byte less", async () => {
    const { bytes } = LIMITS.minRate;
    const body = Buffer.alloc(bytes * 30, " ");
    const app = await startApp();
    const { cookie } = await createAccount(app);
    const type = `Cookie: ${cookie}\r\nContent-Type: application/json`;
    const head = `POST /api/admin/books HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await sendInSpans(app, head, body, bytes - 1)).toBe(TOO_SLOW);
  });

  it("doesn't apply to a client that waits for the server", async () => {
    const reading = Promise.withResolvers<void>();
    const app = express().use(async (req, res) => {
      await reading.promise;
      res.end(`${(await buffer(req)).length} bytes`);
    });
    const { server } = createServiceServer(app);
    onTestFinished(() => void server.close());
    await listen(server);
    const taken = once(server, "request");
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n";
    const socket = open({ server }, head);
    const response = text(socket);
    const [request] = await taken;
    socket.write(Buffer.alloc(1_000_000));
    while (request.readableLength === 0) await sleep(1);
    vi.advanceTimersByTime(5 * LIMITS.minRate.windowMs);
    reading.resolve();
    expect(await response).toMatch(/200 OK[\s\S]*1000000 bytes$/);
  });
});

it("honest clients are served while hundreds of others are slow", async () => {
  const app = await start();
  const dawdlers = Array.from({ length: 300 }, (_, index) => {
    const bytes = ["", "GET / HTTP/1.1\r\nX: ", `${LOGIN}Content-Length: 100\r\n\r\n{`][index % 3] ?? "";
    return open(app, bytes).resume();
  });
  const closed = dawdlers.map((socket) => once(socket, "close"));
  for (let call = 0; call < 10; call++) expect((await app.api.get("/api/health")).status).toBe(200);
  await Promise.all(closed);
});
