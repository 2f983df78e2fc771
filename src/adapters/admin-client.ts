/** A client of another service's administration API, with an API key or a session. */
import { Readable } from "node:stream";
import { z } from "zod";
import { OperatorError } from "../errors.ts";
import { isForbidden, messageOf } from "../lib/node-errors.ts";
import type { ByteHandle, Inspectable } from "./files/file-store.ts";

/** The service rejected a request; the message is a sentence. */
export class RequestRejectedError extends OperatorError {
  /** Of the problem, where it is known. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** The service does too much of this for the user at the moment. */
export class TooManyRequestsError extends OperatorError {}

/** The service can't be reached at the moment, or ever. */
export class UnreachableError extends OperatorError {}

/** Statuses of other web servers for paths and methods that they don't have. */
const UNKNOWN_PATH = [404, 405, 501];

/** Long enough for the plan of a large folder; uploads may take as long as they need. */
const TIMEOUT_MS = 600_000;

type Headers = Readonly<Record<string, string>>;

interface AdminClientDeps {
  /** An origin, or an address with the path below which the service is. */
  server: URL;
  /** What authenticates each request. */
  credential: Headers;
}

export class AdminClient {
  readonly #deps: AdminClientDeps;

  private constructor(deps: AdminClientDeps) {
    this.#deps = deps;
  }

  static withKey(server: URL, apiKey: string): AdminClient {
    return new AdminClient({ server, credential: { Authorization: `Bearer ${apiKey}` } });
  }

  /** @throws OperatorError if the service can't be reached or rejects the password */
  static async logIn(server: URL, email: string, password: string): Promise<AdminClient> {
    const response = await send(server, "POST", "/api/auth/login", {}, encodeJsonBody({ email, password }));
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
    await response.body?.cancel();
    return new AdminClient({ server, credential: { Cookie: cookies.join("; ") } });
  }

  /**
   * @returns the response, checked by the schema
   * @throws RequestRejectedError
   * @throws OperatorError if the service can't be reached, rejects the credential, or isn't one of this kind
   */
  async request<S extends z.ZodType>(
    schema: S,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<z.output<S>> {
    const { server, credential } = this.#deps;
    const given = json === undefined ? {} : encodeJsonBody(json);
    const response = await send(server, method, path, credential, given);
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    throw new OperatorError(`${server.href} is not a Book Distribution Service of this version.`);
  }

  /** Like `upload`. The file is read while it is sent. */
  async uploadFile(
    method: string,
    path: string,
    { name, sizeBytes, open }: Inspectable & { name: string },
  ): Promise<void> {
    await using handle = await open();
    await this.upload(method, path, new OpenedFile(handle, sizeBytes, name));
  }

  /** Sends a file as multipart. Errors are as for `request`. */
  async upload(method: string, path: string, file: File): Promise<void> {
    const { server, credential } = this.#deps;
    const form = new FormData();
    form.set("file", file);
    const response = await send(server, method, path, credential, { body: form });
    await response.body?.cancel();
  }
}

/** A file that is read from its handle: `openAsBlob` would open its path, which can be another file by then. */
class OpenedFile extends File {
  readonly #handle: ByteHandle;
  readonly #sizeBytes: number;

  constructor(handle: ByteHandle, sizeBytes: number, name: string) {
    super([], name);
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
  }

  override get size(): number {
    return this.#sizeBytes;
  }

  override stream() {
    const end = this.#sizeBytes - 1;
    return Readable.toWeb(this.#handle.createReadStream({ start: 0, end, autoClose: false }));
  }
}

const encodeJsonBody = (value: unknown): RequestInit => ({
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
  signal: AbortSignal.timeout(TIMEOUT_MS),
});

async function send(
  server: URL,
  method: string,
  path: string,
  credential: Headers,
  { headers, ...given }: RequestInit,
): Promise<Response> {
  const url = new URL(`${server.pathname.replace(/\/$/, "")}${path}`, server);
  const sent = { ...Object.fromEntries(new Headers(headers)), ...credential };
  let response: Response;
  try {
    // A redirect would carry the credential to another host.
    response = await fetch(url, { ...given, method, headers: sent, redirect: "error" });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (isForbidden(cause)) throw cause;
    throw new UnreachableError(`${server.href} can't be reached: ${messageOf(cause)}.`);
  }
  if (response.ok) return response;
  throw await explainRejection(response, { server, method, path: url.pathname });
}

async function explainRejection(
  response: Response,
  { server, method, path }: { server: URL; method: string; path: string },
): Promise<OperatorError> {
  const { status, statusText } = response;
  const found = problem.safeParse(await response.json().catch(() => undefined)).data;
  if (found === undefined ? UNKNOWN_PATH.includes(status) : found.code === "route_not_found") {
    return new OperatorError(
      `${server.href} isn't the address of a Book Distribution Service: it responds to ${method} ${path} with ${status}. Use the address below which /api/docs opens.`,
    );
  }
  const detail = found === undefined ? statusText || "no explanation" : describe(found);
  const message = `${server.href} responds with ${status}: ${detail}`;
  if (status === 429) return new TooManyRequestsError(message);
  return [401, 403].includes(status) || status >= 500
    ? new OperatorError(message)
    : new RequestRejectedError(detail);
}

/** A problem document (RFC 9457). */
const problem = z.object({
  title: z.string(),
  code: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** In one line. */
function describe({ title, detail = title, errors = [] }: z.output<typeof problem>): string {
  return [detail, ...errors.map(({ path, message }) => `${path}: ${message}`)].join("; ");
}
