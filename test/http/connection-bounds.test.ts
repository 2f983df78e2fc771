/** How much one client, and all together, may have open at a time. */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { type ConnectionBounds, UNBOUNDED } from "../../src/http/open-connections.ts";
import { createServiceServer, LIMITS } from "../../src/http/server.ts";
import { listen, portOf } from "../../tools/lib/listening.ts";
import { startApp } from "../support/app.ts";
import { connectTo, formatGet, sendRaw } from "../support/raw-http.ts";

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function listening(response: RequestListener, bounds: Partial<ConnectionBounds> = {}) {
  const { server, connections } = createServiceServer(response, LIMITS, { ...UNBOUNDED, ...bounds });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await listen(server);
  return { server, connections };
}

it("serves at most 20 requests without a response on a connection, and ends one with more", async () => {
  let served = 0;
  const { server } = await listening((_req, res) => {
    served += 1;
    setImmediate(() => res.end("x"));
  });
  const socket = connectTo(server).on("error", () => {});
  socket.write(GET.repeat(2000));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  expect(served).toBe(20);
  const patient = connectTo(server);
  patient.write(GET.repeat(19) + GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  expect((await text(patient)).match(/200 OK/g)).toHaveLength(20);
});

it("rejects connections of an address for ten seconds after it has sent more than 20 requests without waiting", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, connections } = await listening((_req, res) => void setImmediate(() => res.end("x")), {
    maxPerAddress: 3,
  });
  const socket = connectTo(server).on("error", () => {});
  socket.write(GET.repeat(21));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  await expect.poll(() => connections.count).toBe(0);
  expect(await opened(portOf(server))).toBeUndefined();
  vi.advanceTimersByTime(10_000);
  expect(await opened(portOf(server))).toBeDefined();
});

it("serves more than 20 requests on a connection if the client waits for each response", async () => {
  const { server } = await listening((_req, res) => void res.end("x"));
  const socket = connectTo(server);
  for (let request = 0; request < 50; request += 1) {
    socket.write(GET);
    expect(String((await once(socket, "data"))[0])).toContain("200 OK");
  }
  socket.destroy();
});

/** @returns a connection that has had a response, or undefined when it was closed at once */
async function opened(port: number): Promise<Socket | undefined> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(GET);
  const isOpen = await Promise.race([
    once(socket, "data").then(() => true),
    once(socket, "close").then(() => false),
  ]).catch(() => false);
  return isOpen ? socket : undefined;
}

it.each([
  ["of one address", { maxPerAddress: 3 }, 3],
  ["of all together", { max: 3 }, 3],
  ["of a proxy, any number", { maxPerAddress: 3, isProxy: () => true }, 5],
])("limits connections %s, and accepts new ones when old ones have ended", async (_, bounds, most) => {
  const { server, connections } = await listening((_req, res) => void res.end("x"), bounds);
  const sockets: (Socket | undefined)[] = [];
  for (let number = 0; number < 5; number += 1) sockets.push(await opened(portOf(server)));
  expect(sockets.filter((socket) => socket !== undefined)).toHaveLength(most);
  expect(connections.rejected).toBe(5 - most);
  sockets[0]?.destroy();
  await expect.poll(() => connections.count).toBe(most - 1);
  expect(await opened(portOf(server))).toBeDefined();
});

it("has at most MAX_OPEN_RESPONSES in progress to one client address", async () => {
  const app = await startApp({ MAX_OPEN_RESPONSES: "2", TRUST_PROXY: "1" });
  const ask = (client: string) =>
    sendRaw(app.server, formatGet("/api/health", [`X-Forwarded-For: ${client}`]));
  const held = ["192.0.2.1", "192.0.2.1"].map((client) => {
    const socket = connectTo(app.server);
    const lines = [`X-Forwarded-For: ${client}`, "Content-Type: application/json", "Content-Length: 9"];
    socket.write(formatGet("/api/auth/login", lines, "POST"));
    return socket;
  });
  await expect.poll(async () => (await ask("192.0.2.1")).status).toBe(429);
  const rejected = await ask("192.0.2.1");
  expect([rejected.headers["retry-after"], JSON.parse(rejected.body).code]).toEqual([
    "5",
    "too_many_responses",
  ]);
  expect((await ask("192.0.2.2")).status).toBe(200);
  for (const socket of held) socket.destroy();
  await expect.poll(async () => (await ask("192.0.2.1")).status).toBe(200);
});
