// A small HTTP client of the service: what it reads is checked by a schema, what it doesn't expect is an error.
import { z } from "zod";

/** A browser's: a download by a bot would not count as one. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const TIME_LIMIT_MS = 30_000;

export type Response = { status: number; headers: Headers; bytes: Buffer };

const problem = z.object({ code: z.string(), detail: z.string().optional() });

export class ServiceClient {
  readonly baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.baseUrl = baseUrl;
    this.#headers = { "user-agent": USER_AGENT, "accept-encoding": "identity", ...headers };
  }

  /** The same client with a further header: a cookie or a bearer. */
  with(headers: Readonly<Record<string, string>>): ServiceClient {
    return new ServiceClient(this.baseUrl, { ...this.#headers, ...headers });
  }

  /** Any answer, whatever its status. `path` may be an absolute address. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(new URL(path, this.baseUrl), {
      ...init,
      headers: { ...this.#headers, ...Object.fromEntries(new Headers(init.headers)) },
      redirect: "manual",
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  }

  get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return this.#read("GET", path, {}, 200, schema);
  }

  /** Sends JSON. */
  post<Schema extends z.ZodType>(
    path: string,
    body: unknown,
    status: 200 | 201,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    return this.#read("POST", path, jsonBody(body), status, schema);
  }

  /** Sends a multipart form; the resource that it makes comes back. */
  upload<Schema extends z.ZodType>(path: string, form: FormData, schema: Schema): Promise<z.output<Schema>> {
    return this.#read("POST", path, { body: form }, 201, schema);
  }

  async #read<Schema extends z.ZodType>(
    method: string,
    path: string,
    init: RequestInit,
    status: number,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const answer = await this.send(path, { ...init, method });
    expectStatus(answer, status, `${method} ${path}`);
    return readJson(answer, schema, `${method} ${path}`);
  }
}

export function jsonBody(body: unknown): RequestInit {
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** @throws Error that names the request, the status and the server's own words */
export function expectStatus(answer: Response, status: number, request: string): void {
  if (answer.status === status) return;
  throw new Error(`${request} answered ${answer.status}, not ${status}: ${ownWords(answer)}`);
}

/** @throws Error that names the request and every field that isn't as expected */
export function readJson<Schema extends z.ZodType>(
  answer: Response,
  schema: Schema,
  request: string,
): z.output<Schema> {
  const parsed = schema.safeParse(jsonOf(answer));
  if (parsed.success) return parsed.data;
  throw new Error(`${request} answered something unexpected:\n${z.prettifyError(parsed.error)}`);
}

function ownWords(answer: Response): string {
  const parsed = problem.safeParse(jsonOf(answer));
  if (parsed.success) return `${parsed.data.code} ${parsed.data.detail ?? ""}`.trimEnd();
  return answer.bytes.toString("utf8").slice(0, 200);
}

function jsonOf(answer: Response): unknown {
  try {
    return JSON.parse(answer.bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
