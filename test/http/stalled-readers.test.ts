/** T29: readers who take their time, and readers who have ceased to read. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createServiceServer, LIMITS } from "../../src/http/service-server.ts";
import { portOf } from "../support/raw-http.ts";

const IDLE_MS = 300;
/** More than all buffers between two sockets hold. */
const SIZE = 16 * 1024 * 1024;

/** A reader at the beginning of a large answer. */
async function startReading(): Promise<Socket> {
  const { server } = createServiceServer((_req, res) => void res.end(Buffer.alloc(SIZE)), {
    ...LIMITS,
    idleMs: IDLE_MS,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await once(socket, "readable");
  return socket;
}

it("T29 who has ceased to read is cut", async () => {
  const socket = await startReading();
  const closed = once(socket, "close");
  await sleep(5 * IDLE_MS);
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeLessThan(SIZE);
});

// Elsewhere nobody tells how much the system holds.
it.runIf(process.platform === "linux")(
  "T29 who reads slowly isn't, however much the system holds for it",
  async () => {
    const socket = await startReading();
    const closed = once(socket, "close");
    const until = performance.now() + 10 * IDLE_MS;
    while (performance.now() < until && !socket.closed) {
      socket.read();
      await sleep(IDLE_MS / 6);
    }
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeGreaterThan(SIZE);
  },
);
