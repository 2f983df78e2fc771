/** The open connections: how many there may be, and which wait for a response, since a stop waits for these alone. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { systemLater } from "../adapters/system.ts";
import { addressKey } from "./requests/rate-limit.ts";

/** Browsers wait for one response after the other. Whoever doesn't makes us hold all responses until they are taken. */
const MOST_UNANSWERED = 20;

/** How long an address gets no new connections after it has sent more: Node has read a thousand requests by then. */
const BLOCK_MS = 10_000;

export interface ConnectionBounds {
  /** All together; 0 for any number. */
  max: number;
  /** Of one address; 0 for any number. */
  maxPerAddress: number;
  /** Whether a peer is a proxy, which speaks for many callers. */
  isProxy(address: string): boolean;
}

export const UNBOUNDED: ConnectionBounds = { max: 0, maxPerAddress: 0, isProxy: () => false };

/**
 * Node by itself goes by the bytes on a connection: a stop then waits for headers that are still coming and, after each
 * running answer, for the end of its keep-alive.
 */
export class OpenConnections {
  /** Each connection with its answers that aren't finished. */
  readonly #answers = new Map<Socket, Set<ServerResponse>>();
  readonly #byAddress = new Map<string, number>();
  readonly #bounds: ConnectionBounds;
  #isEnding = false;
  #refused = 0;

  /** To be made before the first connection comes. */
  constructor(server: Server, bounds: ConnectionBounds) {
    this.#bounds = bounds;
    if (bounds.max > 0) server.maxConnections = bounds.max;
    server.on("drop", () => {
      this.#refused += 1;
    });
    server.on("connection", (socket) => this.#open(socket));
    server.prependListener("request", (_request, answer) => this.#begin(answer));
  }

  get count(): number {
    return this.#answers.size;
  }

  /** How many connections were closed at once because there were too many. */
  get refused(): number {
    return this.#refused;
  }

  /** Those that aren't finished, in the order in which they are due. */
  answersOn(socket: Socket): readonly ServerResponse[] {
    return [...(this.#answers.get(socket) ?? [])];
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

  #open(socket: Socket): void {
    const key = this.#boundedKeyOf(socket);
    if (key !== undefined) {
      if ((this.#byAddress.get(key) ?? 0) >= this.#bounds.maxPerAddress) {
        this.#refused += 1;
        socket.destroy();
        return;
      }
      this.#count(key, 1);
      socket.once("close", () => this.#count(key, -1));
    }
    this.#answers.set(socket, new Set());
    socket.once("close", () => this.#answers.delete(socket));
  }

  /** @returns undefined for a peer that may have any number of connections */
  #boundedKeyOf({ remoteAddress }: Socket): string | undefined {
    const { maxPerAddress, isProxy } = this.#bounds;
    if (maxPerAddress === 0 || remoteAddress === undefined || isProxy(remoteAddress)) return undefined;
    return addressKey(remoteAddress);
  }

  #count(key: string, change: number): void {
    const count = (this.#byAddress.get(key) ?? 0) + change;
    if (count > 0) this.#byAddress.set(key, count);
    else this.#byAddress.delete(key);
  }

  #block(socket: Socket): void {
    const { maxPerAddress } = this.#bounds;
    const key = this.#boundedKeyOf(socket);
    if (key === undefined) return;
    this.#count(key, maxPerAddress);
    systemLater(BLOCK_MS, () => this.#count(key, -maxPerAddress));
  }

  #begin(answer: ServerResponse): void {
    const { socket } = answer.req;
    // Node reads all requests of 64 KiB at once, also when the first has cost the connection.
    if (socket.destroyed) return;
    const answers = this.#answers.get(socket);
    if (answers?.size === MOST_UNANSWERED) {
      this.#block(socket);
      closeWithoutTraces(socket);
      return;
    }
    answers?.add(answer);
    if (this.#isEnding) answer.setHeader("Connection", "close");
    answer.once("close", () => {
      answers?.delete(answer);
      if (this.#isEnding && answers?.size === 0) socket.destroySoon();
    });
  }
}

/**
 * Destroys a connection with many requests. When it closes, Node makes an error for each of them: with stack traces, a
 * thousand of these take 30 ms.
 */
function closeWithoutTraces(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener("close", () => {
    Error.stackTraceLimit = 0;
  });
  socket.once("close", () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.destroy();
}
