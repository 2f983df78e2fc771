/** A small HTTP client of the service: a schema checks what it reads, and every unexpected response is an error. */
import { z } from "zod";

/** A browser's: a download by a bot would not count as one. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const TIME_LIMIT_MS = 60_000;

export interface Request {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  json?: unknown;
  body?: FormData | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
}

export interface Response {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** There was no response, or not a whole one: the request may have been carried out or not. */
export class CutOff extends Error {}

const problem = z.object({ code: z.string(), detail: z.string().optional() });

export class ServiceClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers a cookie or a bearer */
  constructor(base: string, headers: Readonly<Record<string, string>> = {}) {
    this.#base = base;
    this.#headers = { "user-agent": USER_AGENT, "accept-encoding": "identity", ...headers };
  }

  /** The same client with further headers. */
  with(headers: Readonly<Record<string, string>>): ServiceClient {
    return new ServiceClient(this.#base, { ...this.#headers, ...headers });
  }

  /**
   * A response of any status. `path` may be an absolute address.
   * @throws CutOff when the connection ends before the whole response
   */
  async send(path: string, request: Request = {}): Promise<Response> {
    const { method = "GET", json, body, headers = {} } = request;
    const type = json === undefined ? {} : { "content-type": "application/json" };
    try {
      const response = await fetch(new URL(path, this.#base), {
        method,
        headers: { ...this.#headers, ...type, ...headers },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
        redirect: "manual",
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      // Every response of the service has an id: this one is a proxy's, about an instance that was lost.
      if (response.status >= 502 && !response.headers.has("x-request-id"))
        throw new Error(`a proxy answered ${response.status}`);
      return { status: response.status, headers: response.headers, bytes };
    } catch (cause) {
      throw new CutOff(`${method} ${path} has no response`, { cause });
    }
  }

  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
    return this.read(path, schema, {}, 200);
  }

  /** Sends JSON. */
  post<S extends z.ZodType>(path: string, json: unknown, status: 200 | 201, schema: S): Promise<z.output<S>> {
    return this.read(path, schema, { method: "POST", json }, status);
  }

  /** Sends a multipart form and returns the resource that it creates. */
  upload<S extends z.ZodType>(path: string, body: FormData, schema: S): Promise<z.output<S>> {
    return this.read(path, schema, { method: "POST", body }, 201);
  }

  /** @throws Error unless the response has the status (any of success when none is given) and this shape */
  async read<S extends z.ZodType>(
    path: string,
    schema: S,
    request: Request = {},
    status?: number,
  ): Promise<z.output<S>> {
    const name = `${request.method ?? "GET"} ${path}`;
    const response = await this.send(path, request);
    expectStatus(response, status ?? (response.status < 300 ? response.status : 200), name);
    return readJson(response, schema, name);
  }
}

/** @throws Error that names the request, the status and the server's own words */
export function expectStatus(response: Response, status: number, request: string): void {
  if (response.status === status) return;
  throw new Error(`${request} answered ${response.status}, not ${status}: ${extractDetail(response)}`);
}

/** @throws Error that names the request and every field that isn't as expected */
export function readJson<S extends z.ZodType>(response: Response, schema: S, request: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(response));
  if (parsed.success) return parsed.data;
  throw new Error(`${request} answered something unexpected:\n${z.prettifyError(parsed.error)}`);
}

/** @returns the `Cookie` header of the session that a log-in began */
export function readSessionCookie(response: Response): string {
  expectStatus(response, 200, "POST /api/auth/login");
  const [pair] = response.headers.getSetCookie()[0]?.split(";", 1) ?? [];
  if (pair === undefined) throw new Error("the log-in set no session cookie");
  return pair;
}

function extractDetail(response: Response): string {
  const parsed = problem.safeParse(parseJson(response));
  if (parsed.success) return `${parsed.data.code} ${parsed.data.detail ?? ""}`.trimEnd();
  return response.bytes.toString("utf8").slice(0, 200);
}

/** Undefined for what is no JSON. */
export function parseJson({ bytes }: Response): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
