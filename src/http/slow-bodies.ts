/** Cuts requests whose body comes too slowly to be honest: a byte now and then would hold a connection for ever. */
import type { IncomingMessage, Server } from "node:http";
import { hasBody } from "./body.ts";
import { type Refuse, requestTimeout } from "./broken-requests.ts";

export interface LeastRate {
  /** This much of a body has to come ... */
  bytes: number;
  /** ... in each span of so many milliseconds, the last one excepted. */
  windowMs: number;
}

export function cutSlowBodies(server: Server, { bytes, windowMs }: LeastRate, refuse: Refuse): void {
  server.prependListener("request", (request: IncomingMessage, answer) => {
    const { socket } = request;
    if (!hasBody(request) || socket.destroyed) return;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete) return clearInterval(timer);
      // What is here and not taken waits for us, for example for the disk.
      const waitsForUs = request.readableLength > 0;
      if (!waitsForUs && socket.bytesRead - before < bytes) refuse(socket, requestTimeout());
      before = socket.bytesRead;
    }, windowMs).unref();
    answer.once("close", () => clearInterval(timer));
  });
}
