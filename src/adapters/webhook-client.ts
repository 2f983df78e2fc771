/** Posts events to the addresses of webhooks: public hosts only, whole deadlines, no redirects, and little of the response. */
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import type { Agent } from "undici";
import { checkCloudUrl, isAllowedHost } from "../lib/cloud-links.ts";
import { isPublicAddress } from "../lib/ip-address.ts";
import { codeOf } from "../lib/node-errors.ts";
import { createAgent, loadUndici, rejectOnAbort, resolveBySystem } from "./cloud-fetch.ts";

const DEFAULTS = {
  /** From the first lookup to the end of the response. */
  totalTimeoutMs: 15_000,
  /** For the name of a new webhook. */
  resolveTimeoutMs: 3000,
  /** Returns all addresses of a host. */
  resolve: resolveBySystem,
};

/** More of a response isn't read. */
const MAX_RESPONSE_BYTES = 64 * 1024;

export type WebhookClientOptions = {
  /** `host:port` of systems of the organisation: accepted over http, too, and at any address. */
  allowHosts: readonly string[];
} & Partial<typeof DEFAULTS>;

interface Message {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the request. */
  signal: AbortSignal;
}

/** What came of a request: a response, or why there was none, in a few words. */
export type PostResult =
  | { status: number; retryAfter: string | undefined; error?: undefined }
  | { status: null; error: string };

export class WebhookClient {
  readonly #options: Required<WebhookClientOptions>;
  /** Created by the first request, which loads undici. */
  #agent: Promise<Agent> | undefined;

  constructor(options: WebhookClientOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** What is wrong with an address as a text; undefined if nothing is. */
  findTextError(url: string): AddressError | undefined {
    const check = checkCloudUrl(url, "url", { allowHosts: this.#options.allowHosts });
    return check.ok ? undefined : check;
  }

  /** Why events can't be posted there; undefined if they can, or if the name isn't known at the moment. */
  async findAddressError(url: string): Promise<AddressError | undefined> {
    const { allowHosts } = this.#options;
    const error = this.findTextError(url);
    if (error) return error;
    const parsed = new URL(url);
    if (isAllowedHost(parsed, allowHosts) || isIP(parsed.hostname) !== 0) return undefined;
    return (await this.#isPublicName(parsed.hostname)) ? undefined : NOT_PUBLIC;
  }

  async #isPublicName(hostname: string): Promise<boolean> {
    const { resolve, resolveTimeoutMs } = this.#options;
    const late = new Promise<readonly string[]>((done) => setTimeout(done, resolveTimeoutMs, []).unref());
    const addresses = await Promise.race([resolve(hostname), late]).catch(() => []);
    return addresses.every(isPublicAddress);
  }

  /** Never rejects, and ends within its time. */
  async post({ url, headers, body, signal }: Message): Promise<PostResult> {
    const { allowHosts, totalTimeoutMs } = this.#options;
    const check = checkCloudUrl(url, "url", { allowHosts });
    if (!check.ok) return { status: null, error: check.message };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    try {
      const { request } = await loadUndici();
      const timeouts = { connectTimeoutMs: totalTimeoutMs, idleTimeoutMs: totalTimeoutMs };
      this.#agent ??= createAgent({ ...timeouts, allowHosts, resolve: this.#options.resolve });
      const dispatcher = await this.#agent;
      const sent = request(check.url, { method: "POST", headers, body, dispatcher, signal: deadline });
      const response = await Promise.race([sent, rejectOnAbort(deadline)]);
      await readSome(response.body, deadline);
      const retryAfter = [response.headers["retry-after"] ?? []].flat()[0];
      return { status: response.statusCode, retryAfter };
    } catch (error) {
      return { status: null, error: explain(error) };
    }
  }

  /** Ends all requests. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

/** A sentence, and the code of the field. */
interface AddressError {
  message: string;
  code: Extract<ReturnType<typeof checkCloudUrl>, { ok: false }>["code"];
}

const NOT_PUBLIC: AddressError = {
  code: "url_host_not_public",
  message: "The host of the link must be on the public internet.",
};

/** Reads a response to its end, so that its sender sees no error, but not longer than it may be. Never rejects. */
async function readSome(body: Readable, deadline: AbortSignal): Promise<void> {
  const stop = () => body.destroy();
  deadline.addEventListener("abort", stop, { once: true });
  let received = 0;
  try {
    for await (const chunk of body) {
      received += Buffer.from(chunk).length;
      if (received > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status has arrived, and is all that counts.
  } finally {
    deadline.removeEventListener("abort", stop);
    body.on("error", () => {}).destroy();
  }
}

/** For administrators: without addresses, which a library's message may have. */
function explain(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "No response within 15 seconds.";
  if (error instanceof Error && error.name === "CloudFetchError") return error.message;
  const code = codeOf(error);
  return code === undefined ? "The connection failed." : `The connection failed (${code}).`;
}

export interface EventMessage {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  body: string;
}

/** The headers of an event, with a signature by each secret (Standard Webhooks). */
export async function signEvent(
  secrets: readonly string[],
  { id, at, body }: EventMessage,
): Promise<Record<string, string>> {
  const { Webhook } = await import("standardwebhooks");
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return {
    "content-type": "application/json",
    "user-agent": "BookDistributionService",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
