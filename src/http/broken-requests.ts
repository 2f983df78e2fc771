/** What isn't a request, or ceases to be one in its body: it gets a problem like any other fault, and the connection ends. */
import { IncomingMessage, type Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RequestHandler } from "express";
import { AppError, badRequest, payloadTooLarge } from "../errors.ts";
import { codeOf } from "../lib/node-errors.ts";
import type { OpenConnections } from "./open-connections.ts";

/** Browsers send about twenty, and each proxy a few more. Node would silently drop those above 2000. */
const MOST_HEADERS = 200;

/** Of a list in a header, or of cookies. Those of browsers have a tenth of it; work grows with each. */
const MOST_PARTS = 200;
const MOST_QUOTES = 2 * MOST_PARTS;
const LISTS = [
  "accept",
  "accept-language",
  "accept-encoding",
  "cookie",
  "forwarded",
  "if-match",
  "if-none-match",
  "range",
  "x-forwarded-for",
];

/** What is wrong with the stand-in for a request that couldn't be read. */
const refusals = new WeakMap<IncomingMessage, AppError>();
/** An answer hears it, with the fault, while its handler still waits for the body. */
const BROKEN = Symbol("the request ceased to be one");

/** Comes before everything that works at an answer. */
export const rejectBroken: RequestHandler = (req, res, next) => {
  const refusal = refusals.get(req) ?? misframed(req);
  if (refusal) throw refusal;
  // Kept in a WeakMap by request, each would outlive the minor garbage collections: a fifth of a small request.
  res.once(BROKEN, next);
  next();
};

/** What Node would answer with nothing in the body, or let through. */
function misframed({ httpVersion, rawHeaders, headers }: IncomingMessage) {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && isHost(name)).length;
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return badRequest("host_missing", "The request must have exactly one Host header.");
  if (rawHeaders.length / 2 > MOST_HEADERS)
    return new AppError(
      431,
      "headers_too_large",
      `A request must not have more than ${MOST_HEADERS} headers.`,
    );
  const tooLong = LISTS.find((name) => hasTooManyParts(headers[name]));
  if (tooLong !== undefined)
    return new AppError(431, "headers_too_large", `${tooLong} must not list more than ${MOST_PARTS} values.`);
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
    return new AppError(417, "expectation_failed", "Only 100-continue is supported.");
  return undefined;
}

/** A part has two quotes at most: entity tags are also read where no comma separates them. */
const hasTooManyParts = (value: string | string[] | undefined): boolean =>
  typeof value === "string" &&
  value.length > MOST_PARTS &&
  (value.split(/[,;]/, MOST_PARTS + 1).length > MOST_PARTS ||
    value.split('"', MOST_QUOTES + 2).length > MOST_QUOTES + 1);

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";

/**
 * Ends a connection from which no further request can be read, with an answer where one is due: none is to a client that
 * has gone away amid its request, which is no fault.
 */
export type Reject = (socket: Socket, failure: AppError | undefined) => void;

/** Takes over the answers that Node gives by itself: bare status lines, also amid the answers to earlier requests. */
export function respondToBrokenRequests(server: Server, connections: OpenConnections): Reject {
  const rejected = new WeakSet<Socket>();
  /** Answers come in the order of the requests, and each request gets one. */
  const response: Reject = (socket, failure) => {
    const [first] = connections.responsesOn(socket);
    if (socket.writable && first?.req.complete)
      return void first.once("close", () => response(socket, failure));
    if (!socket.writable || !failure) return void socket.destroy();
    if (!first) return respondAlone(server, socket, failure);
    first.once("close", () => socket.destroySoon());
    // Node tells this only to requests without an answer: whoever reads the body would wait, and hold a file, for ever.
    socket.once("close", () => first.req.destroy(reset()));
    if (!first.headersSent && !first.emit(BROKEN, failure)) socket.destroy();
  };
  const reject: Reject = (socket, failure) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    response(socket, failure);
  };
  server.on("clientError", (error, socket) => {
    if (socket instanceof Socket) reject(socket, errorOf(error));
  });
  // Node leaves the connection to whoever listens, with its faults.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {});
    if (socket instanceof Socket)
      reject(socket, badRequest("malformed_request", "CONNECT is not supported."));
  });
  // As any other request: the middleware above refuses it.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return reject;
}

/** As Node tells that a client has left. */
const reset = () => Object.assign(new Error("aborted"), { code: "ECONNRESET" });

/** Sends a stand-in for the request through the application, which knows log and headers. */
function respondAlone(server: Server, socket: Socket, failure: AppError): void {
  const request = new IncomingMessage(socket);
  Object.assign(request, { method: methodOf(failure.cause), url: "/", complete: true });
  refusals.set(request, failure);
  const response = new ServerResponse(request);
  response.setHeader("Connection", "close");
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
  server.emit("request", request, response);
}

/** What was meant for a HEAD has no content either (RFC 9110, 9.3.2): it would pass for what comes after the answer. */
function methodOf(cause: unknown): string {
  if (!(cause instanceof Error && "rawPacket" in cause && cause.rawPacket instanceof Uint8Array)) return "-";
  const parsed = "bytesParsed" in cause ? Number(cause.bytesParsed) : 0;
  const before = Buffer.from(cause.rawPacket.subarray(0, parsed)).toString("latin1");
  const begins = before.lastIndexOf("\r\n\r\n");
  return before.slice(begins < 0 ? 0 : begins + 4).startsWith("HEAD ") ? "HEAD" : "-";
}

/** 408: what is due hasn't come in time. */
export const requestTimeout = () =>
  new AppError(408, "request_timeout", "The request arrived too slowly or was interrupted.");

function errorOf(cause: Error): AppError | undefined {
  const code = codeOf(cause);
  if (code === "HPE_INVALID_EOF_STATE") return undefined;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimeout();
  if (code === "HPE_HEADER_OVERFLOW")
    return new AppError(431, "headers_too_large", "The headers must not exceed 16 KiB.", { cause });
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW")
    return payloadTooLarge("body_too_large", "The extensions of a chunk are too large.", { cause });
  return badRequest("malformed_request", "Malformed HTTP/1.1 request.", { cause });
}
