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
    /** What comes back within a moment. */
    async ask(text: string) {
      received.length = 0;
      socket.write(text);
      await sleep(MOMENT_MS);
      return received.join("");
    },
  };
}

it("the proxy passes bytes in both directions, and the end of a connection", async () => {
  const { proxy, sockets } = await startScene();
  const client = await openClient(proxy);
  expect(await client.ask("one")).toBe("one");
  expect(proxy.connections).toBe(1);
  client.socket.destroy();
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  expect(proxy.connections).toBe(0);
});

it("the proxy resets connections", async () => {
  const { proxy } = await startScene();
  const client = await openClient(proxy);
  expect(await client.ask("one")).toBe("one");
  proxy.reset();
  await expect.poll(client.error).toBe("ECONNRESET");
  expect(await (await openClient(proxy)).ask("two")).toBe("two");
});

it("the proxy leaves connections half-open, and opens new ones", async () => {
  const { proxy, sockets } = await startScene();
  const client = await openClient(proxy);
  expect(await client.ask("one")).toBe("one");
  proxy.halfOpen();
  await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  expect(await client.ask("two")).toBe("");
  expect(client.socket.destroyed).toBe(false);
  expect(await (await openClient(proxy)).ask("three")).toBe("three");
});

it("the proxy swallows what is sent, without notifying a side of the end of the other", async () => {
  const { proxy, sockets } = await startScene();
  const before = await openClient(proxy);
  expect(await before.ask("one")).toBe("one");
  proxy.swallow();
  const during = await openClient(proxy);
  expect([await before.ask("two"), await during.ask("three")]).toEqual(["", ""]);
  proxy.forward();
  expect([await before.ask("four"), await during.ask("five")]).toEqual(["", ""]);
  before.socket.destroy();
  expect(await (await openClient(proxy)).ask("six")).toBe("six");
  expect(sockets[0]?.destroyed).toBe(false);
});

it("the proxy holds bytes back and delivers them later", async () => {
  const { proxy } = await startScene();
  const client = await openClient(proxy);
  expect(await client.ask("one")).toBe("one");
  proxy.hold();
  expect(await client.ask("two")).toBe("");
  proxy.forward();
  expect(await client.ask("three")).toBe("twothree");
});
