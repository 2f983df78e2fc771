/** Requests byte by byte, for what no HTTP client would send. */
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { portOf } from "../../tools/lib/listening.ts";

interface RawResponse {
  status: number;
  /** By lower-cased name. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** How many answers came, interim ones left out. */
  responses: number;
}

/**
 * Sends bytes and reads until the server ends the connection: ask it to with `Connection: close`, unless it does so by
 * itself.
 */
export async function sendRaw(
  server: Server,
  request: string | Buffer,
  encoding: BufferEncoding = "utf8",
): Promise<RawResponse> {
  const socket = connectTo(server);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await new Promise<void>((resolve, reject) => {
    // A server that refuses a body cuts the connection while the body is still under way: what it said counts.
    socket.on("error", (error) => (chunks.length > 0 ? resolve() : reject(error)));
    socket.on("close", () => resolve());
  });
  return parseResponse(Buffer.concat(chunks).toString(encoding));
}

export const connectTo = (server: Server): Socket => connect({ port: portOf(server), host: "127.0.0.1" });

/** A request without a body, from its target to the empty line. */
export const formatGet = (target: string, headers: readonly string[] = [], method = "GET"): string =>
  [`${method} ${target} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", ""].join("\r\n");

function parseResponse(text: string): RawResponse {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: rest.join("\r\n\r\n"),
    responses: text.match(/HTTP\/1\.1 [2-5]\d\d /g)?.length ?? 0,
  };
}
