/** Which connections are in the middle of an answer, so that a stop needn't wait for the others. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * `Server.close` alone waits for a connection whose headers are still coming, and after each running answer until its
 * keep-alive ends.
 */
export class OpenConnections {
  /** Each connection with the number of its requests that aren't answered. */
  readonly #requests = new Map<Socket, number>();
  #isEnding = false;

  /** To be made before the first connection comes. */
  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#requests.set(socket, 0);
      socket.once("close", () => this.#requests.delete(socket));
    });
    server.prependListener("request", ({ socket }, response) => {
      if (this.#isEnding) response.setHeader("Connection", "close");
      this.#count(socket, 1);
      response.once("close", () => this.#count(socket, -1));
    });
  }

  /** Ends each connection as soon as it has nothing to answer; most of them now. */
  endWhenIdle(): void {
    this.#isEnding = true;
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroy();
  }

  #count(socket: Socket, change: 1 | -1): void {
    const requests = this.#requests.get(socket);
    if (requests === undefined) return;
    this.#requests.set(socket, requests + change);
    if (this.#isEnding && requests + change === 0) socket.destroySoon();
  }
}
