import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServiceServer, LIMITS } from "../../src/http/server.ts";
import { listen } from "../../tools/lib/listening.ts";

const IDLE_MS = 100;

/** A server that cuts idle connections soon, and a way to send it bytes. */
async function listening(response: RequestListener, keepAliveMs = IDLE_MS) {
  const { server, connections } = createServiceServer(response, {
    ...LIMITS,
    idleMs: IDLE_MS,
    keepAliveMs,
  });
  const port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const send = (bytes: string): Socket => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(bytes);
    return socket;
  };
  return { server, connections, send };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe("an idle connection", () => {
  it("isn't closed while a response is being prepared, but some time after it", async () => {
    const { send } = await listening(async (_req, res) => {
      await sleep(5 * IDLE_MS);
      res.end("built at last");
    });
    const received = await text(send(get("/")));
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*built at last$/);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("isn't closed while the next part of a response is prepared, if the client has received the previous one", async () => {
    const { send } = await listening(async (_req, res) => {
      res.write("the first page");
      await sleep(5 * IDLE_MS);
      res.end("the last page");
    });
    expect(await text(send(get("/")))).toMatch(/the first page[\s\S]*the last page/);
  });

  it("stays open after a response for as long as proxies may use it again", async () => {
    const { send } = await listening((req, res) => void res.end(`answer to ${req.url}`), 60_000);
    const kept = send(get("/first"));
    const [first] = await once(kept, "data");
    expect(String(first)).toMatch(/^Keep-Alive: timeout=60\r$/m);
    await sleep(5 * IDLE_MS);
    kept.write(get("/second"));
    const [second] = await once(kept, "data");
    expect(String(second)).toMatch(/answer to \/second/);
  });

  it("is closed if it sends nothing, half a header or half a body", async () => {
    let isAnswered = false;
    const { send } = await listening(async (req, res) => {
      await text(req).catch(() => {});
      isAnswered = !req.aborted;
      res.end();
    });
    const silent = send("");
    const halfHeader = send("GET / HTTP/1.1\r\nHost: loc");
    const halfBody = send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf");
    await Promise.all([silent, halfHeader, halfBody].map((socket) => once(socket.resume(), "close")));
    expect(isAnswered).toBe(false);
  });
});

it("while connections are being ended those without a request end immediately, the others after their last response", async () => {
  const working = Promise.withResolvers<void>();
  const { server, connections, send } = await listening(async (req, res) => {
    if (req.url === "/slow") await working.promise;
    res.end(`answer to ${req.url}`);
  });
  const kept = send(get("/quick"));
  await once(kept, "data");
  const busy = send(get("/slow"));
  await once(server, "request");
  const closed = once(kept.resume(), "close");
  const drained = connections.drain();
  await closed;
  expect(busy.closed).toBe(false);
  const received = text(busy);
  working.resolve();
  expect(await received).toMatch(/answer to \/slow/);
  await drained;
});
