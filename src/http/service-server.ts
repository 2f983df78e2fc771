/** The server below the application: what it takes from a connection, and for how long. */
import { createServer, type RequestListener, type Server } from "node:http";
import { answerBrokenRequests } from "./broken-requests.ts";
import { cutIdle } from "./idle-connections.ts";
import { OpenConnections } from "./open-connections.ts";
import { cutSlowBodies, type LeastRate } from "./slow-bodies.ts";
import { cutStalledReaders } from "./stalled-readers.ts";

export interface ServerLimits {
  /** Headers that take longer come from a client that means to hold the connection. */
  headersMs: number;
  /** How often Node looks for such; its default is half a minute. */
  checkMs: number;
  /** A transfer may take hours, but not stand still. */
  idleMs: number;
  /** The slowest mobile network brings ten times as much. */
  leastRate: LeastRate;
}

export const LIMITS: ServerLimits = {
  headersMs: 10_000,
  checkMs: 1000,
  idleMs: 30_000,
  leastRate: { bytes: 15_000, windowMs: 30_000 },
};

export function createServiceServer(
  answer: RequestListener,
  { headersMs, checkMs, idleMs, leastRate }: ServerLimits = LIMITS,
): { server: Server; connections: OpenConnections } {
  // Whether there is a host is looked at where it can be answered with a problem.
  const server = createServer({ connectionsCheckingInterval: checkMs, requireHostHeader: false }, answer);
  server.headersTimeout = headersMs;
  server.requestTimeout = 0;
  server.timeout = idleMs;
  const connections = new OpenConnections(server);
  const refuse = answerBrokenRequests(server, connections);
  cutIdle(server, connections, refuse);
  cutSlowBodies(server, leastRate, refuse);
  cutStalledReaders(server, connections, idleMs);
  return { server, connections };
}
