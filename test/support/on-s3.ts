/** The S3 store of the run, for one test: under a prefix of its own, and through a connection that can be cut. */
import { randomUUID } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { inject, it, onTestFinished } from "vitest";
import { portOf } from "../../tools/lib/listening.ts";

/** The settings of a service whose files are stored there, under a prefix of its own. */
export function onS3({ endpoint, prefix = randomUUID() }: { endpoint?: string; prefix?: string } = {}) {
  const server = inject("s3");
  if (server === undefined) throw new Error("There is no S3 store: run these tests with npm run test:s3");
  const url = new URL(server.url);
  url.pathname = `${url.pathname}/${prefix}`.replace("//", "/");
  if (endpoint !== undefined) url.searchParams.set("endpoint", endpoint);
  return {
    STORAGE_URL: url.href,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
}

/** A test that looks into the folders of files and cache, or whose clock doesn't wait for a network. */
export const itInFolder = it.skipIf(inject("s3") !== undefined);

/** Settings with which an application stores its files; every start on a data folder uses the same prefix. */
export const storageSettings = (dataDir: string): Record<string, string> =>
  inject("s3") === undefined ? {} : onS3({ prefix: `${basename(dirname(dataDir))}-${basename(dataDir)}` });

/** A relay to the store, which behaves as a network and a store can. */
interface Relay {
  endpoint: string;
  /** Number of bytes that have been sent to the store. */
  sentBytes(): number;
  /** Breaks all connections and accepts none. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Accepts connections and requests, and lets no response through. */
  silence(): void;
  /** Breaks each connection after so many bytes of responses. */
  breakAfter(bytes: number): void;
}

export async function relayToS3(): Promise<Relay> {
  const target = new URL(new URL(inject("s3")?.url ?? "").searchParams.get("endpoint") ?? "");
  const sockets = new Set<Socket>();
  let isSilent = false;
  let sentBytes = 0;
  let limit = Number.POSITIVE_INFINITY;
  const relay = createServer((client) => {
    const store = connect(Number(target.port), target.hostname);
    let sent = 0;
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
    client.on("data", (chunk) => {
      sentBytes += chunk.length;
    });
    client.pipe(store);
    store.on("data", (chunk) => {
      if (isSilent) return;
      sent += chunk.length;
      if (sent > limit) return void client.destroy();
      if (!client.write(chunk)) store.pause();
    });
    client.on("drain", () => store.resume());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => relay.listen(port, "127.0.0.1", () => resolve()));
  await listen(0);
  const port = portOf(relay);
  const stop = () =>
    new Promise<void>((resolve) => {
      relay.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(() => (relay.listening ? stop() : undefined));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    sentBytes: () => sentBytes,
    stop,
    start: () => listen(port),
    silence() {
      isSilent = true;
    },
    breakAfter(bytes) {
      limit = bytes;
    },
  };
}
