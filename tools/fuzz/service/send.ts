// Sends a request over a real connection, also one that no ordinary client would send, and takes the whole answer.
import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { RawRequest } from "../requests/request.ts";

const TIME_LIMIT_MS = 60_000;
/** Few: what a broken request leaves behind on a connection is then seen by those that follow. */
const SOCKETS = 3;

export interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  /** The number of bytes that came. */
  length: number;
  /** Without the coding in which it came. */
  body: Buffer;
}

/** A few connections that are kept, as those of a browser. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Once more when the server had ended a kept connection at that very moment (RFC 9110, 9.2.2). */
  async send(raw: RawRequest): Promise<Response> {
    try {
      return await this.#sendOnce(raw);
    } catch (error) {
      if (error instanceof ReusedConnectionEnded) return this.#sendOnce(raw);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #sendOnce({ method, target, headers, body, claimedLength }: RawRequest): Promise<Response> {
    const length = claimedLength ?? body?.length;
    const sent = request({
      host: "127.0.0.1",
      port: this.port,
      agent: this.#agent,
      method,
      path: target,
      headers: [
        "Host",
        `127.0.0.1:${this.port}`,
        ...headers.flat(),
        ...(length === undefined ? [] : ["Content-Length", String(length)]),
      ],
      timeout: TIME_LIMIT_MS,
    });
    const answer = receiveResponse(sent);
    if (claimedLength === undefined) sent.end(body);
    else sent.write(body ?? "");
    return answer;
  }
}

/** The response to a HEAD has a coding and no bytes. */
function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === undefined || bytes.length === 0) return bytes;
  return coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}

class ReusedConnectionEnded extends Error {}

function receiveResponse(sent: ClientRequest): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  sent.once("timeout", () => sent.destroy(new Error(`no answer within ${TIME_LIMIT_MS / 1000} seconds`)));
  sent.on("error", (error) =>
    reject(sent.reusedSocket && "code" in error ? new ReusedConnectionEnded() : error),
  );
  sent.once("response", async (response) => {
    try {
      const bytes = await buffer(response);
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, length: bytes.length, body: decode(bytes, headers["content-encoding"]) });
    } catch (error) {
      reject(error);
    }
    // What was claimed and didn't come never comes.
    if (!sent.writableEnded) sent.destroy();
  });
  return promise;
}
