/** Cuts answers that their reader has ceased to take, and leaves those alone whose reader is slow. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { socketQueues } from "../adapters/socket-queues.ts";
import type { OpenConnections } from "./open-connections.ts";

/** How far a reader had come, and since when it hasn't come further. */
interface Stand {
  written: number;
  /** What the system held for it; undefined until that was asked. */
  queue: string | undefined;
  since: number;
}

const LOOKS_WITHIN_LIMIT = 10;

/**
 * Node goes by its own buffers, behind which the system keeps up to 4 MB for a connection: it takes who reads 20 kB a second,
 * through a proxy on this machine for example, for one who stands still.
 */
export function cutStalledReaders(server: Server, connections: OpenConnections, idleMs: number): void {
  let stands = new Map<Socket, Stand>();
  const look = async () => {
    const before = stands;
    const readers = connections.awaitingReaders();
    const isSuspect = (socket: Socket) => before.get(socket)?.written === socket.bytesWritten;
    const suspect = readers.find(isSuspect);
    const queues = suspect && (await socketQueues(suspect.localPort ?? 0));
    const now = performance.now();
    stands = new Map(readers.map((socket) => [socket, standOf(socket, before.get(socket), queues, now)]));
    for (const [socket, { since }] of stands) if (now - since >= idleMs) socket.destroy();
  };
  const timer = setInterval(look, idleMs / LOOKS_WITHIN_LIMIT).unref();
  server.once("close", () => clearInterval(timer));
}

function standOf(
  { bytesWritten: written, remotePort = 0 }: Socket,
  before: Stand | undefined,
  queues: ReadonlyMap<number, string> | undefined,
  now: number,
): Stand {
  if (before?.written !== written) return { written, queue: undefined, since: now };
  const queue = queues?.get(remotePort) ?? "";
  const hasMoved = before.queue !== undefined && before.queue !== queue;
  return { written, queue, since: hasMoved ? now : before.since };
}
