/** A client of the application under test. Validates every response against the OpenAPI document. */
import assert from "node:assert/strict";
import { Agent, type Server } from "node:http";
import request, { type Response, type Test } from "supertest";
import { checkAgainstDocument } from "./document-check.ts";

export interface CallOptions {
  headers?: Readonly<Record<string, string>>;
  /** JSON, or bytes as they are. */
  body?: unknown;
  /** Multipart text fields and files. */
  form?: {
    fields?: Readonly<Record<string, string>>;
    file?: { bytes: Buffer; name: string; field?: string };
  };
}

export type Method = "get" | "head" | "post" | "put" | "patch" | "delete" | "options";

/** Keeps connections open between requests, as browsers do; a server closes them when its test ends. */
const agent = new Agent({ keepAlive: true });

export class Client {
  readonly #server: Server | string;
  /** What each request has, such as a credential. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param server the application's, or the base address of one that runs elsewhere */
  constructor(server: Server | string, headers: Readonly<Record<string, string>> = {}) {
    this.#server = server;
    this.headers = headers;
  }

  /** The same client with further headers, such as a credential. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.#server, { ...this.headers, ...headers });
  }

  get = (path: string, headers: Readonly<Record<string, string>> = {}) => this.call("get", path, { headers });
  head = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    this.call("head", path, { headers });
  post = (path: string, body?: unknown) => this.call("post", path, { body });
  put = (path: string, body?: unknown) => this.call("put", path, { body });
  patch = (path: string, body?: unknown) => this.call("patch", path, { body });
  delete = (path: string, body?: unknown) => this.call("delete", path, { body });

  upload(method: "post" | "put", path: string, form: NonNullable<CallOptions["form"]>): Promise<Response> {
    return this.call(method, path, { form });
  }

  async call(
    method: Method,
    path: string,
    { headers = {}, body, form }: CallOptions = {},
  ): Promise<Response> {
    const test = request(this.#server)
      [method](path)
      .agent(agent)
      .redirects(0)
      // Otherwise supertest accepts gzip, and entity tags depend on what was compressed before.
      .set("Accept-Encoding", "identity")
      .set(this.headers)
      .set(headers);
    if (form) attach(test, form);
    else if (body !== undefined && body !== null) test.send(typeof body === "object" ? body : String(body));
    const response = await test.buffer(true).parse(collectBody);
    checkAgainstDocument(method, path, response);
    return response;
  }
}

function attach(test: Test, { fields = {}, file }: NonNullable<CallOptions["form"]>): void {
  for (const [name, value] of Object.entries(fields)) test.field(name, value);
  if (file) test.attach(file.field ?? "file", file.bytes, file.name);
}

/** JSON is parsed, everything else stays bytes, of any type. */
function collectBody(response: request.Response, done: (error: Error | null, body: unknown) => void): void {
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  response.on("error", (error: Error) => done(error, undefined));
  response.on("end", () => {
    const bytes = Buffer.concat(chunks);
    const isJson = /json/.test(response.headers["content-type"] ?? "");
    done(null, isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes);
  });
}

/** The body of a response, which must have the status. */
export async function bodyOf(sent: Promise<Response>, status = 200) {
  const { status: got, body } = await sent;
  assert.equal(got, status, JSON.stringify(body));
  return body;
}
