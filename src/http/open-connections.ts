/** Open connections: their limits, and their pending responses, for which a shutdown waits. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemScheduler } from "../adapters/system.ts";
import { addressKey } from "./requests/rate-limit.ts";

/** Browsers wait for each response before the next request. Other clients make the server hold all responses. */
const MAX_PENDING = 20;

/**
 * How long an address gets no new connections after it exceeded the limit, because Node has parsed a thousand requests
 * by then.
 */
const BLOCK_MS = 10_000;

export interface ConnectionBounds {
  /** In total; 0: unlimited. */
  max: number;
  /** Per address; 0: unlimited. */
  maxPerAddress: number;
  /** Whether a peer is a trusted proxy, which forwards requests of many clients. */
  isProxy(address: string): boolean;
}

export const UNBOUNDED: ConnectionBounds = { max: 0, maxPerAddress: 0, isProxy: () => false };

/**
 * Node itself considers bytes only: a shutdown then waits for incomplete headers and, after each response, for the end
 * of keep-alive.
 */
export class OpenConnections {
  /** Each connection with its pending responses. */
  readonly #responses = new Map<Duplex, Set<ServerResponse>>();
  readonly #byAddress = new Map<string, number>();
  readonly #bounds: ConnectionBounds;
  #isEnding = false;
  #rejected = 0;

  /** Create it before the first connection. */
  constructor(server: Server, bounds: ConnectionBounds) {
    this.#bounds = bounds;
    if (bounds.max > 0) server.maxConnections = bounds.max;
    server.on("drop", () => {
      this.#rejected += 1;
    });
    server.on("connection", (socket) => this.#open(socket));
    server.prependListener("request", (_request, response) => this.#begin(response));
  }

  get count(): number {
    return this.#responses.size;
  }

  /** Number of connections that were rejected because of a limit. */
  get rejected(): number {
    return this.#rejected;
  }

  /** The pending response to the earliest request of a connection. */
  findPending(socket: Duplex): ServerResponse | undefined {
    return this.#responses.get(socket)?.values().next().value;
  }

  /**
   * Ends each connection as soon as it has no pending response; most of them immediately.
   * @returns a promise that resolves when all pending responses have ended
   */
  async drain(): Promise<void> {
    this.#isEnding = true;
    const underWay = [...this.#responses.values()].flatMap((responses) => [...responses]);
    for (const [socket, responses] of this.#responses) if (responses.size === 0) socket.destroy();
    await Promise.all(underWay.map((response) => new Promise((resolve) => response.once("close", resolve))));
  }

  #open(socket: Socket): void {
    const key = this.#findBoundedKey(socket);
    if (key !== undefined) {
      if ((this.#byAddress.get(key) ?? 0) >= this.#bounds.maxPerAddress) {
        this.#rejected += 1;
        socket.destroy();
        return;
      }
      this.#count(key, 1);
      socket.once("close", () => this.#count(key, -1));
    }
    this.#responses.set(socket, new Set());
    socket.once("close", () => this.#responses.delete(socket));
  }

  /** @returns undefined for a peer without a limit */
  #findBoundedKey({ remoteAddress }: Socket): string | undefined {
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
    const key = this.#findBoundedKey(socket);
    if (key === undefined) return;
    this.#count(key, maxPerAddress);
    systemScheduler(BLOCK_MS, () => this.#count(key, -maxPerAddress));
  }

  #begin(response: ServerResponse): void {
    const { socket } = response.req;
    // Node parses all requests in 64 KiB at once, even if the first one has closed the connection.
    if (socket.destroyed) return;
    const responses = this.#responses.get(socket);
    if (responses?.size === MAX_PENDING) {
      this.#block(socket);
      socket.destroy();
      return;
    }
    responses?.add(response);
    if (this.#isEnding) response.setHeader("Connection", "close");
    response.once("close", () => {
      responses?.delete(response);
      if (this.#isEnding && responses?.size === 0) socket.destroySoon();
    });
  }
}
