/** Cuts connections on which nothing moves, unless it is we who are waited for. */
import type { Server } from "node:http";
import { type Refuse, requestTimeout } from "./broken-requests.ts";
import type { OpenConnections } from "./open-connections.ts";

/**
 * Node by itself goes by the bytes alone: whoever waits for a large archive to be built, or for the next page of an export,
 * would be cut as idle. Whoever doesn't take its answer is no matter of this file.
 */
export function cutIdle(server: Server, connections: OpenConnections, refuse: Refuse): void {
  server.on("timeout", (socket) => {
    const [first] = connections.answersOn(socket);
    if (!first) socket.destroy();
    else if (!first.req.complete) refuse(socket, requestTimeout());
  });
}
