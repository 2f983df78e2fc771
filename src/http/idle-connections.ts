/** Cuts connections on which nothing moves, unless it is we who are waited for. */
import type { Server } from "node:http";
import { type Refuse, requestTimeout } from "./broken-requests.ts";
import type { OpenConnections } from "./open-connections.ts";

interface IdleDeps {
  connections: OpenConnections;
  /** How long a reader may take nothing of a response. */
  readerMs: number;
  refuse: Refuse;
}

/**
 * Node by itself goes by the bytes alone: whoever waits for a large archive to be built, or for the next page of an export,
 * would be cut as idle, and so would a slow reader, of whom nothing shows while the system's buffers empty. A connection
 * with a response under way is looked at again when nothing has moved for `readerMs`.
 */
export function cutIdle(server: Server, { connections, readerMs, refuse }: IdleDeps): void {
  server.on("timeout", (socket) => {
    const [first] = connections.answersOn(socket);
    if (!first) socket.destroy();
    else if (!first.req.complete) refuse(socket, requestTimeout());
    else if (socket.timeout === readerMs && first.writableLength > 0) socket.destroy();
    else socket.setTimeout(readerMs);
  });
}
