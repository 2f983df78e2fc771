/** Downloads as cheaply as Node can: a bare socket that counts bytes into one buffer it overwrites. */
import { connect, type Socket } from "node:net";

const buffer = Buffer.allocUnsafeSlow(1024 * 1024);

function request(port: number, path: string, bytes?: number): { socket: Socket; body: Promise<number> } {
  const { promise: body, resolve, reject } = Promise.withResolvers<number>();
  let received = 0;
  let headerBytes = 0;
  const count = (bytesRead: number, into: Uint8Array): boolean => {
    if (headerBytes === 0) {
      const header = Buffer.from(into.buffer, into.byteOffset, bytesRead);
      headerBytes = header.indexOf("\r\n\r\n") + 4;
      if (!/^HTTP\/1\.1 20[06] /.test(header.toString("latin1", 0, 13))) reject(new Error("Not a download."));
    }
    received += bytesRead;
    return true;
  };
  const socket = connect({ port, host: "127.0.0.1", onread: { buffer, callback: count } });
  socket.once("error", reject);
  socket.once("close", () => resolve(received - headerBytes));
  const range = bytes === undefined ? "" : `Range: bytes=0-${bytes - 1}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${range}\r\n`);
  return { socket, body };
}

/** What to download, in how many connections at once. */
export interface Load {
  port: number;
  path: string;
  connections: number;
  /** Bytes of each response. */
  bytes: number;
  /** Whether `bytes` are only the beginning of the file. */
  isPart: boolean;
}

/** Millions of bytes a second over all connections together. Throws when any byte is missing. */
export async function downloadSpeed({ port, path, connections, bytes, isPart }: Load): Promise<number> {
  const start = performance.now();
  const downloads = Array.from({ length: connections }, () =>
    request(port, path, isPart ? bytes : undefined),
  );
  for (const received of await Promise.all(downloads.map(({ body }) => body))) {
    if (received !== bytes) throw new Error(`${received} bytes arrived instead of ${bytes}.`);
  }
  return (connections * bytes) / 1e3 / (performance.now() - start);
}
