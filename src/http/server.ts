/** The HTTP server: the limits of its connections. */
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import { codeOf } from "../lib/node-errors.ts";
import { type ConnectionBounds, OpenConnections, UNBOUNDED } from "./open-connections.ts";
import { hasBody } from "./requests/body.ts";

/** An import of node:http would read all its exports, and so load Node's WebSocket: twice the time of an empty start. */
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

export const LIMITS = {
  /** Slower headers indicate a client that wants to occupy the connection. */
  headersMs: 10_000,
  /** How often Node checks this; its default is half a minute. */
  checkMs: 1000,
  /** A request without a byte in this time is aborted, and a connection that sends none is closed. */
  idleMs: 30_000,
  /**
   * A connection is closed this long after its last response: later than proxies close theirs, which lose a request that
   * they send at the same moment.
   */
  keepAliveMs: 130_000,
  /**
   * A response of which nothing is received in this time is aborted. Buffers of operating systems and proxies hide
   * progress.
   */
  readerMs: 10 * 60_000,
  /**
   * The number of bytes of a body that must arrive in each window, except the last. The slowest mobile network is ten
   * times as fast.
   */
  minRate: { bytes: 15_000, windowMs: 30_000 },
};

type ServerLimits = typeof LIMITS;

export function createServiceServer(
  response: RequestListener,
  { headersMs, checkMs, idleMs, keepAliveMs, readerMs, minRate }: ServerLimits = LIMITS,
  bounds: ConnectionBounds = UNBOUNDED,
): { server: Server; connections: OpenConnections } {
  // A missing host is rejected with a problem document, like other errors of a request.
  const server = createServer(
    { connectionsCheckingInterval: checkMs, requireHostHeader: false },
    // Node parses all requests in 64 KiB at once, even if the first one has closed the connection.
    (req, res) => void (req.socket.destroyed || response(req, res)),
  );
  server.headersTimeout = headersMs;
  server.requestTimeout = 0;
  server.timeout = idleMs;
  server.keepAliveTimeout = keepAliveMs;
  const connections = new OpenConnections(server, bounds);
  server.on("clientError", (error, socket) => {
    if (socket.writable) endConnection(socket, connections, STATUSES[codeOf(error) ?? ""]);
  });
  cutIdle(server, connections, readerMs);
  cutSlowBodies(server, connections, minRate);
  return { server, connections };
}

/** The statuses for errors of Node's parser, by code; 400 for any other. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Ends a connection from which no further request can be parsed, with a bare status if nothing has been sent. A pending
 * response to an earlier request is aborted, so that no other response is mixed into it.
 */
function endConnection(socket: Duplex, connections: OpenConnections, status = 400): void {
  const first = connections.findPending(socket);
  const isDue = first === undefined || (!first.headersSent && !first.req.complete);
  if (!socket.writable || !isDue) return void socket.destroy();
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "Connection: close", "Content-Length: 0"];
  socket.end(`${lines.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/**
 * Closes connections without progress, unless the server is the one that is slow. Node itself only considers bytes: a
 * client that waits for a large archive or for the next page of an export would count as idle, and so would a slow
 * reader while the operating system's buffers are sent. A connection with a pending response is checked again after
 * `readerMs` without progress.
 * @param readerMs how long a client may receive nothing of a response
 */
function cutIdle(server: Server, connections: OpenConnections, readerMs: number): void {
  server.on("timeout", (socket) => {
    const first = connections.findPending(socket);
    if (!first) socket.destroy();
    else if (!first.req.complete) endConnection(socket, connections, 408);
    else if (socket.timeout === readerMs && first.writableLength > 0) socket.destroy();
    else socket.setTimeout(readerMs);
  });
}

/** Aborts requests whose body arrives too slowly: single bytes could hold a connection forever. */
function cutSlowBodies(
  server: Server,
  connections: OpenConnections,
  { bytes, windowMs }: ServerLimits["minRate"],
): void {
  server.prependListener("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    if (!hasBody(request) || socket.destroyed) return;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete) return clearInterval(timer);
      // Data that has arrived but wasn't read waits for the server, for example for the disk.
      const waitsForUs = request.readableLength > 0;
      if (!waitsForUs && socket.bytesRead - before < bytes) endConnection(socket, connections, 408);
      before = socket.bytesRead;
    }, windowMs).unref();
    response.once("close", () => clearInterval(timer));
  });
}
