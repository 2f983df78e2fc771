/** A TCP proxy in front of a server, which breaks connections as networks and machines do. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { listen } from "./listening.ts";

/** A connection of a client, and the one to the server that belongs to it. */
interface Link {
  client: Socket;
  server: Socket;
  /** Nothing passes any more, in either direction. */
  isSilent: boolean;
}

type Mode = "forward" | "hold" | "swallow";

export class TcpProxy {
  /** On which it listens, on 127.0.0.1. */
  readonly port: number;
  readonly #listener: Server;
  readonly #links = new Set<Link>();
  #target: URL;
  #mode: Mode = "forward";
  #passedBytes = 0;

  private constructor(listener: Server, port: number, target: URL) {
    this.port = port;
    this.#listener = listener;
    this.#target = target;
    listener.on("connection", (client) => this.#link(client, this.#target));
  }

  /** @param url of the server, with its port, such as `postgres://127.0.0.1:5432/books` */
  static async start(url: string): Promise<TcpProxy> {
    const listener = createServer();
    return new TcpProxy(listener, await listen(listener), new URL(url));
  }

  /** The URL of the same thing through this proxy. */
  createUrl(url: string): string {
    const through = new URL(url);
    through.hostname = "127.0.0.1";
    through.port = String(this.port);
    return through.href;
  }

  /** Open connections of clients, including silent ones. */
  get connections(): number {
    return [...this.#links].filter(({ client }) => !client.destroyed).length;
  }

  /** Bytes of clients that are on their way to the server, which gets them also after the clients have left. */
  get passedBytes(): number {
    return this.#passedBytes;
  }

  /** New connections go to another server; the present ones stay. */
  redirect(url: string): void {
    this.#target = new URL(url);
  }

  /** Ends all connections with a reset. New ones work. */
  reset(): void {
    for (const { client, server } of this.#links) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /**
   * The server's side of all connections is gone and the clients aren't notified, as after a restart of its machine or of
   * a firewall: what they send gets no response. New connections work.
   */
  halfOpen(): void {
    for (const link of this.#links) {
      link.isSilent = true;
      link.server.destroy();
    }
  }

  /**
   * Loses all that arrives on the present connections and on new ones, in both directions, while both sides stay open.
   * These connections stay silent for ever; new ones work after `forward`.
   */
  swallow(): void {
    this.#mode = "swallow";
    for (const link of this.#links) link.isSilent = true;
  }

  /** Stops the transfer on the present connections and on new ones. After `forward` it continues without loss. */
  hold(): void {
    this.#mode = "hold";
    for (const { client, server } of this.#links) {
      client.pause();
      server.pause();
    }
  }

  /** Ends `hold` and `swallow`. */
  forward(): void {
    this.#mode = "forward";
    for (const { client, server } of this.#links) {
      client.resume();
      server.resume();
    }
  }

  async close(): Promise<void> {
    this.#listener.close();
    this.reset();
    await once(this.#listener, "close");
  }

  #link(client: Socket, { hostname, port }: URL): void {
    const server = connect(Number(port), hostname);
    const link: Link = { client, server, isSilent: this.#mode === "swallow" };
    this.#links.add(link);
    this.#pass(link, client, server);
    this.#pass(link, server, client);
    if (this.#mode === "hold") {
      client.pause();
      server.pause();
    }
  }

  /** One direction of a connection. */
  #pass(link: Link, from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on("data", (chunk) => {
      const count = (error?: Error | null) => {
        if (!error && to === link.server) this.#passedBytes += chunk.length;
      };
      if (link.isSilent || to.write(chunk, count)) return;
      from.pause();
      to.once("drain", () => void (this.#mode !== "hold" && from.resume()));
    });
    from.on("error", () => {});
    from.on("close", () => {
      // Neither side of a silent connection is notified of the end of the other.
      if (!link.isSilent) to.destroy();
      if (link.client.destroyed && link.server.destroyed) this.#links.delete(link);
    });
  }
}
