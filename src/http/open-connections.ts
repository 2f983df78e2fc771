/** Which connections wait for an answer, or for their reader: a stop waits for these alone. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Node by itself goes by the bytes on a connection: a stop then waits for headers that are still coming and, after each
 * running answer, for the end of its keep-alive.
 */
export class OpenConnections {
  /** Each connection with its answers that aren't finished. */
  readonly #answers = new Map<Socket, Set<ServerResponse>>();
  #isEnding = false;

  /** To be made before the first connection comes. */
  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#answers.set(socket, new Set());
      socket.once("close", () => this.#answers.delete(socket));
    });
    server.prependListener("request", (_request, answer) => this.#begin(answer));
  }

  get count(): number {
    return this.#answers.size;
  }

  /** Those that aren't finished, in the order in which they are due. */
  answersOn(socket: Socket): readonly ServerResponse[] {
    return [...(this.#answers.get(socket) ?? [])];
  }

  /** Those whose client hasn't taken all that there is of its answer. */
  awaitingReaders(): readonly Socket[] {
    return [...this.#answers].flatMap(([socket, [first]]) =>
      first && first.writableLength > 0 ? [socket] : [],
    );
  }

  /**
   * Ends each connection as soon as nothing is to be answered on it; most of them now.
   * @returns when the answers that are under way now have ended
   */
  async drain(): Promise<void> {
    this.#isEnding = true;
    const underWay = [...this.#answers.values()].flatMap((answers) => [...answers]);
    for (const [socket, answers] of this.#answers) if (answers.size === 0) socket.destroy();
    await Promise.all(underWay.map((answer) => new Promise((resolve) => answer.once("close", resolve))));
  }

  #begin(answer: ServerResponse): void {
    const { socket } = answer.req;
    const answers = this.#answers.get(socket);
    answers?.add(answer);
    if (this.#isEnding) answer.setHeader("Connection", "close");
    answer.once("close", () => {
      answers?.delete(answer);
      if (this.#isEnding && answers?.size === 0) socket.destroySoon();
    });
  }
}
