/** The server below the application: what it takes from a connection, and for how long. */
import { createServer, type RequestListener, type Server } from "node:http";
import { answerBrokenRequests } from "./broken-requests.ts";
import { cutIdle } from "./idle-connections.ts";
import { type ConnectionBounds, OpenConnections, UNBOUNDED } from "./open-connections.ts";
import { cutSlowBodies, type LeastRate } from "./slow-bodies.ts";

export interface ServerLimits {
  /** Headers that take longer come from a client that means to hold the connection. */
  headersMs: number;
  /** How often Node looks for such; its default is half a minute. */
  checkMs: number;
  /** Without a byte, a request is cut, and a connection on which nothing is to be answered. */
  idleMs: number;
  /** Without anything taken of it, a response is cut. What lies in the buffers of systems and proxies doesn't show. */
  readerMs: number;
  /** The slowest mobile network brings ten times as much. */
  leastRate: LeastRate;
}

export const LIMITS: ServerLimits = {
  headersMs: 10_000,
  checkMs: 1000,
  idleMs: 30_000,
  readerMs: 10 * 60_000,
  leastRate: { bytes: 15_000, windowMs: 30_000 },
};

export function createServiceServer(
  answer: RequestListener,
  { headersMs, checkMs, idleMs, readerMs, leastRate }: ServerLimits = LIMITS,
  bounds: ConnectionBounds = UNBOUNDED,
): { server: Server; connections: OpenConnections } {
  // Whether there is a host is looked at where it can be answered with a problem.
  const server = createServer(
    { connectionsCheckingInterval: checkMs, requireHostHeader: false },
    // Node reads all requests of 64 KiB at one go, also when the first has cost the connection.
    (req, res) => void (req.socket.destroyed || answer(req, res)),
  );
  server.headersTimeout = headersMs;
  server.requestTimeout = 0;
  server.timeout = idleMs;
  const connections = new OpenConnections(server, bounds);
  const refuse = answerBrokenRequests(server, connections);
  cutIdle(server, { connections, readerMs, refuse });
  cutSlowBodies(server, leastRate, refuse);
  return { server, connections };
}
