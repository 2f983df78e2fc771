/** The server below the application: what it takes from a connection, and for how long. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { codeOf } from "../lib/node-errors.ts";
import { type ConnectionBounds, OpenConnections, UNBOUNDED } from "./open-connections.ts";
import { hasBody } from "./requests/body.ts";

export interface ServerLimits {
  /** Headers that take longer come from a client that means to hold the connection. */
  headersMs: number;
  /** How often Node looks for such; its default is half a minute. */
  checkMs: number;
  /** Without a byte, a request is cut, and a connection without an unfinished response. */
  idleMs: number;
  /** Without anything taken of it, a response is cut. What lies in the buffers of systems and proxies doesn't show. */
  readerMs: number;
  /** The slowest mobile network brings ten times as much. */
  minRate: MinRate;
}

export const LIMITS: ServerLimits = {
  headersMs: 10_000,
  checkMs: 1000,
  idleMs: 30_000,
  readerMs: 10 * 60_000,
  minRate: { bytes: 15_000, windowMs: 30_000 },
};

export function createServiceServer(
  response: RequestListener,
  { headersMs, checkMs, idleMs, readerMs, minRate }: ServerLimits = LIMITS,
  bounds: ConnectionBounds = UNBOUNDED,
): { server: Server; connections: OpenConnections } {
  // A missing host is rejected with a problem document, as any other error of a request.
  const server = createServer(
    { connectionsCheckingInterval: checkMs, requireHostHeader: false },
    // Node reads all requests of 64 KiB at one go, also when the first has cost the connection.
    (req, res) => void (req.socket.destroyed || response(req, res)),
  );
  server.headersTimeout = headersMs;
  server.requestTimeout = 0;
  server.timeout = idleMs;
  const connections = new OpenConnections(server, bounds);
  server.on("clientError", (error, socket) => {
    if (socket.writable) endConnection(socket, connections, STATUSES[codeOf(error) ?? ""]);
  });
  cutIdle(server, connections, readerMs);
  cutSlowBodies(server, connections, minRate);
  return { server, connections };
}

/** The statuses for what Node's parser rejects, by the code of its error; 400 for any other. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Ends a connection from which no further request can be read, with a bare status where none has been sent. A response
 * to an earlier request that is still under way is cut: nothing of another one may get into it.
 */
function endConnection(socket: Duplex, connections: OpenConnections, status = 400): void {
  const [first] = connections.responsesOn(socket);
  const isDue = first === undefined || (!first.headersSent && !first.req.complete);
  if (!socket.writable || !isDue) return void socket.destroy();
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "Connection: close", "Content-Length: 0"];
  socket.end(`${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/**
 * Cuts connections on which nothing moves, unless it is we who are waited for. Node by itself goes by the bytes alone: whoever waits for a large archive to be built, or for the next page of an export,
 * would be cut as idle, and so would a slow reader, of whom nothing shows while the system's buffers empty. A connection
 * with a response under way is looked at again when nothing has moved for `readerMs`.
 * @param readerMs how long a reader may take nothing of a response
 */
function cutIdle(server: Server, connections: OpenConnections, readerMs: number): void {
  server.on("timeout", (socket) => {
    const [first] = connections.responsesOn(socket);
    if (!first) socket.destroy();
    else if (!first.req.complete) endConnection(socket, connections, 408);
    else if (socket.timeout === readerMs && first.writableLength > 0) socket.destroy();
    else socket.setTimeout(readerMs);
  });
}

interface MinRate {
  /** This much of a body has to come ... */
  bytes: number;
  /** ... in each span of so many milliseconds, the last one excepted. */
  windowMs: number;
}

/** Cuts requests whose body comes too slowly to be honest: a byte now and then would hold a connection for ever. */
function cutSlowBodies(server: Server, connections: OpenConnections, { bytes, windowMs }: MinRate): void {
  server.prependListener("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    if (!hasBody(request) || socket.destroyed) return;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete) return clearInterval(timer);
      // What is here and not taken waits for us, for example for the disk.
      const waitsForUs = request.readableLength > 0;
      if (!waitsForUs && socket.bytesRead - before < bytes) endConnection(socket, connections, 408);
      before = socket.bytesRead;
    }, windowMs).unref();
    response.once("close", () => clearInterval(timer));
  });
}
