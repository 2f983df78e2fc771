/** A client of the service that knows an answer from none: what was cut off may have been done or not. */
import { randomUUID } from "node:crypto";
import type { z } from "zod";

/** A browser's: a download by a bot would not count as one. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const TIME_LIMIT_MS = 60_000;

export interface Request {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  json?: unknown;
  body?: FormData | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  requestId?: string;
}

export interface Response {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** There was no answer, or not a whole one. */
export class CutOff extends Error {}

export const newRequestId = (): string => randomUUID();

export class Client {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers a cookie or a bearer */
  constructor(base: string, headers: Readonly<Record<string, string>> = {}) {
    this.#base = base;
    this.#headers = { "user-agent": USER_AGENT, ...headers };
  }

  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.#base, { ...this.#headers, ...headers });
  }

  /** @throws CutOff when the connection ends before the whole answer */
  async send(path: string, request: Request = {}): Promise<Response> {
    const { method = "GET", json, body, headers = {}, requestId } = request;
    try {
      const response = await fetch(this.#base + path, {
        method,
        headers: {
          ...this.#headers,
          ...(json !== undefined && { "content-type": "application/json" }),
          ...(requestId !== undefined && { "x-request-id": requestId }),
          ...headers,
        },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, bytes };
    } catch (cause) {
      throw new CutOff(`${method} ${path} has no answer`, { cause });
    }
  }

  /** @throws Error unless the answer is a good one of this shape */
  async read<S extends z.ZodType>(path: string, schema: S, request: Request = {}): Promise<z.output<S>> {
    const answer = await this.send(path, request);
    if (answer.status >= 300) throw new Error(`${path} answers ${answer.status}: ${answer.bytes}`);
    return schema.parse(JSON.parse(answer.bytes.toString()));
  }
}
