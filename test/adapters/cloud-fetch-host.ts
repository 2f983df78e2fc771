/** A host of files on 127.0.0.1 that answers as a test tells it to, and says afterwards what it saw. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { inspect } from "node:util";
import { expect, onTestFinished } from "vitest";
import { CloudFetch, CloudFetchError, type CloudFetchOptions } from "../../src/adapters/cloud-fetch.ts";
import { listen } from "../../tools/lib/listening.ts";

/** In the query of every address that tests fetch: no error may hold it. */
export const secret = "rlkey=s3cr3t";

export interface Host {
  port: number;
  /** As an allow list spells it. */
  hostAndPort: string;
  /** `http://127.0.0.1:port/path?secret`. */
  url(path?: string): string;
  requests: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[];
  connections: number;
  openSockets(): number;
}

/** Speaks HTTP; stops when the test ends. */
export async function startHost(answer: RequestListener): Promise<Host> {
  const requests: Host["requests"] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers });
    answer(request, response);
  });
  return watch(server, requests);
}

/** Its responses are written to the socket. */
export const startRawHost = (talk: (socket: Socket) => void): Promise<Host> =>
  watch(createTcpServer(talk), []);

export async function watch(server: Server, requests: Host["requests"]): Promise<Host> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    host.connections++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  const host: Host = {
    port,
    hostAndPort: `127.0.0.1:${port}`,
    url: (path = "/book.pdf") => `http://127.0.0.1:${port}${path}?${secret}`,
    requests,
    connections: 0,
    openSockets: () => sockets.size,
  };
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return host;
}

/** Trusts the hosts given; closed when the test ends. */
export function fetchFrom(hosts: readonly Host[], options: Partial<CloudFetchOptions> = {}): CloudFetch {
  const fetcher = new CloudFetch({
    allowHosts: hosts.map((host) => host.hostAndPort),
    maxBytes: 1_000_000,
    ...options,
  });
  onTestFinished(() => fetcher.close());
  return fetcher;
}

export async function bytesOf(fetcher: CloudFetch, ...open: Parameters<CloudFetch["open"]>): Promise<Buffer> {
  return Buffer.concat(await (await fetcher.open(...open)).toArray());
}

/** The reason for which a fetch failed, at once or in its body. */
export async function reasonOf(fetched: Promise<unknown>): Promise<string> {
  const error = await fetched.then(
    () => expect.fail("the fetch succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CloudFetchError)) throw error;
  expect(inspect(error, { depth: 10 })).not.toContain("s3cr3t");
  return error.reason;
}
