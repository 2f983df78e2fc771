/** Fetches files from other hosts as a stream: guarded against addresses inside, endless bodies and endless waits. */
import type { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { checkCloudUrl, isAllowedHost } from "../lib/cloud-links.ts";
import { boundedBody, discard, faultOfAnswer, type LeastRate } from "./cloud-fetch-answer.ts";
import type { Resolve } from "./cloud-fetch-connect.ts";
import { CloudFetchError } from "./cloud-fetch-error.ts";
import { type Patience, startPatience } from "./cloud-fetch-patience.ts";

export interface CloudFetchOptions {
  /** `host:port` of the organisation's own storage: reached over http too and at any address. */
  allowHosts: readonly string[];
  /** Most bytes of one file. */
  maxBytes: number;
  /** Name, connection and TLS. Default 10 s. */
  connectTimeoutMs?: number;
  /** Waiting for headers, and between two pieces of the body while the reader wants more. Default 30 s. */
  idleTimeoutMs?: number;
  /** From the first request to the last byte read, redirects included. Default 15 minutes. */
  totalTimeoutMs?: number;
  /** The least that a host must send while the reader wants more. Default 10,000 bytes a second over a minute. */
  leastRate?: LeastRate;
  /** Default: the system's resolver. */
  resolve?: Resolve;
}

export interface AskOptions {
  /** Ends the fetch; promise or stream then fail with the signal's reason. */
  signal?: AbortSignal;
  /** A credential for the host of the address alone: no redirect carries it along. */
  authorization?: string;
}

export interface OpenOptions extends AskOptions {
  /** Tightens the limit of the adapter, never widens it. */
  maxBytes?: number;
  /** A page is what is wanted. Otherwise HTML is taken for what it is: a log-in or a warning in place of the file. */
  acceptHtml?: boolean;
}

interface Question {
  url: string;
  method: "GET" | "HEAD";
  authorization: string | undefined;
}

const LEAST_RATE: LeastRate = { bytesPerSecond: 10_000, windowMs: 60_000 };
const maxRedirects = 5;
/** Signed addresses of storage services are longer than the links that people save; headers end at 16 KiB. */
const maxRedirectLength = 16_384;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export class CloudFetch {
  readonly #options: CloudFetchOptions;
  readonly #totalTimeoutMs: number;
  /** Made by the first fetch, which loads undici. */
  #agent: Promise<Agent> | undefined;
  #isClosed = false;

  constructor(options: CloudFetchOptions) {
    this.#options = options;
    this.#totalTimeoutMs = options.totalTimeoutMs ?? 15 * 60_000;
  }

  /**
   * The bytes of the file. Failures before the first byte reject, later ones end the stream, both with a
   * CloudFetchError (or the signal's reason). Destroying the stream closes the connection.
   */
  async open(
    url: string,
    { maxBytes = Infinity, acceptHtml = false, signal, authorization }: OpenOptions = {},
  ): Promise<Readable> {
    const wanted = { maxBytes: Math.min(maxBytes, this.#options.maxBytes), acceptHtml };
    const { leastRate = LEAST_RATE } = this.#options;
    const patience = startPatience(this.#totalTimeoutMs, signal);
    try {
      const answer = await this.#follow({ url, method: "GET", authorization }, patience);
      const fault = faultOfAnswer(answer, wanted);
      if (fault === undefined) return boundedBody(answer.body, { ...wanted, leastRate }, patience);
      discard(answer.body);
      throw fault;
    } catch (error) {
      patience.end();
      throw patience.explain(error);
    }
  }

  /**
   * When the file was last modified, in epoch milliseconds; undefined when the host doesn't say. Nothing of the file
   * is transferred. Fails as `open` does, but for a status: what it means, a later `open` tells.
   */
  async lastModified(url: string, { signal, authorization }: AskOptions = {}): Promise<number | undefined> {
    const patience = startPatience(this.#totalTimeoutMs, signal);
    try {
      const answer = await this.#follow({ url, method: "HEAD", authorization }, patience);
      discard(answer.body);
      const said = Date.parse(String(answer.headers["last-modified"]));
      return answer.statusCode === 200 && !Number.isNaN(said) ? said : undefined;
    } catch (error) {
      throw patience.explain(error);
    } finally {
      patience.end();
    }
  }

  /** Ends what is under way; nothing begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#agent)?.destroy();
  }

  /** Each step is checked like the first: a public host may redirect to one inside. */
  async #follow(asked: Question, { signal, limit }: Patience): Promise<Dispatcher.ResponseData> {
    const { method, authorization } = asked;
    let url = this.#checked(asked.url);
    if (this.#isClosed) throw new CloudFetchError("connection_failed", "The service is being stopped.");
    const { request } = await loadUndici();
    this.#agent ??= agentOf(this.#options);
    const dispatcher = await this.#agent;
    let headers = authorization === undefined ? requestHeaders : { ...requestHeaders, authorization };
    for (let redirects = 0; ; redirects++) {
      // undici looks at the signal only once it is connected: hence the check before and the limit around.
      signal.throwIfAborted();
      const answer = await limit(request(url, { method, headers, dispatcher, signal }));
      const { location } = answer.headers;
      if (!redirectStatuses.has(answer.statusCode) || typeof location !== "string") return answer;
      discard(answer.body);
      if (redirects === maxRedirects) {
        throw new CloudFetchError(
          "too_many_redirects",
          `The host redirected more than ${maxRedirects} times.`,
        );
      }
      url = this.#checked(URL.parse(location, url)?.href ?? "");
      headers = requestHeaders;
    }
  }

  #checked(url: string): string {
    const { allowHosts } = this.#options;
    const check = checkCloudUrl(url, "url", { allowHosts, maxLength: maxRedirectLength });
    if (!check.ok) throw new CloudFetchError("refused_address", check.message);
    return check.url;
  }
}

/** Holds the event loop for some 100 ms the first time. */
export const loadUndici = () => import("undici");

async function agentOf(options: CloudFetchOptions): Promise<Agent> {
  const { allowHosts, connectTimeoutMs = 10_000, idleTimeoutMs = 30_000, resolve } = options;
  const { Agent } = await loadUndici();
  const { guardedConnector } = await import("./cloud-fetch-connect.ts");
  return new Agent({
    connect: guardedConnector({
      isTrusted: (origin) => isAllowedHost(origin, allowHosts),
      timeoutMs: connectTimeoutMs,
      ...(resolve && { resolve }),
    }),
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    pipelining: 0, // no idle connections: fetches are rare and nothing is left open behind them
  });
}

/** Without `identity` a host may compress, and the bytes would not be the file. Some refuse a missing agent. */
const requestHeaders = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "Mozilla/5.0 (compatible; BookDistributionService)",
};
