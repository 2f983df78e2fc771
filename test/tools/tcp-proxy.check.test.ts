import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../tools/lib/server-process.ts";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";

/** Long enough for what is expected not to arrive on loopback. */
const MOMENT_MS = 100;

/** A server that repeats what it gets, and a proxy in front of it. */
async function startScene() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.pipe(socket);
  });
  const port = await freePort(0);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const proxy = await TcpProxy.start(`tcp://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await proxy.close();
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { proxy, sockets };
}

async function openClient(proxy: TcpProxy) {
  const socket = connect(proxy.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const received: string[] = [];
  let error: string | undefined;
  socket.on("data", (chunk) => received.push(String(chunk)));
  socket.on("error", (reason: NodeJS.ErrnoException) => {
    error = reason.code;
  });
  await once(socket, "connect");
  return {
    socket,
    error: () => error,
    /** Sends a text, for which the reply comes back; without one, nothing within a moment. */
    async expectReply(text: string, reply: string) {
      received.length = 0;
      socket.write(text);
      if (reply === "") await sleep(MOMENT_MS);
      await expect.poll(() => received.join("")).toBe(reply);
    },
  };
}

it("the proxy passes bytes in both directions, and the end of a connection", async () => {
  const { proxy, sockets } = await startScene();
  const client = await openClient(proxy);
  await client.expectReply("one", "one");
  expect(proxy.connections).toBe(1);
  client.socket.destroy();
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  expect(proxy.connections).toBe(0);
});

it("the proxy resets connections", async () => {
  const { proxy } = await startScene();
  const client = await openClient(proxy);
  await client.expectReply("one", "one");
  proxy.reset();
  await expect.poll(client.error).toBe("ECONNRESET");
  await (await openClient(proxy)).expectReply("two", "two");
});

it("the proxy leaves connections half-open, and opens new ones", async () => {
  const { proxy, sockets } = await startScene();
  const client = await openClient(proxy);
  await client.expectReply("one", "one");
  proxy.halfOpen();
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  await client.expectReply("two", "");
  expect(client.socket.destroyed).toBe(false);
  await (await openClient(proxy)).expectReply("three", "three");
});

it("the proxy swallows what is sent, without notifying a side of the end of the other", async () => {
  const { proxy, sockets } = await startScene();
  const before = await openClient(proxy);
  await before.expectReply("one", "one");
  proxy.swallow();
  const during = await openClient(proxy);
  await before.expectReply("two", "");
  await during.expectReply("three", "");
  proxy.forward();
  await before.expectReply("four", "");
  await during.expectReply("five", "");
  before.socket.destroy();
  await (await openClient(proxy)).expectReply("six", "six");
  expect(sockets[0]?.destroyed).toBe(false);
});

it("the proxy holds bytes back and delivers them later", async () => {
  const { proxy } = await startScene();
  const client = await openClient(proxy);
  await client.expectReply("one", "one");
  proxy.hold();
  await client.expectReply("two", "");
  proxy.forward();
  await client.expectReply("three", "twothree");
});
