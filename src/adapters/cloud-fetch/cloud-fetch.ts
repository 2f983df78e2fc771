/** Fetches files from other hosts as a stream: guarded against addresses inside, endless bodies and endless waits. */
import { pipeline, type Readable, Transform } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { checkCloudUrl, isAllowedHost } from "../../lib/cloud-links.ts";
import type { Resolve } from "./connect.ts";
import { asCloudFetchError, CloudFetchError } from "./error.ts";

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
    const deadline = startDeadline(this.#totalTimeoutMs, signal);
    try {
      const response = await this.#follow({ url, method: "GET", authorization }, deadline);
      const failure = errorOfResponse(response, wanted);
      if (failure === undefined) return boundedBody(response.body, { ...wanted, leastRate }, deadline);
      discard(response.body);
      throw failure;
    } catch (error) {
      deadline.end();
      throw deadline.explain(error);
    }
  }

  /**
   * When the file was last modified, in epoch milliseconds; undefined when the host doesn't say. Nothing of the file
   * is transferred. Fails as `open` does, but for a status: what it means, a later `open` tells.
   */
  async lastModified(url: string, { signal, authorization }: AskOptions = {}): Promise<number | undefined> {
    const deadline = startDeadline(this.#totalTimeoutMs, signal);
    try {
      const response = await this.#follow({ url, method: "HEAD", authorization }, deadline);
      discard(response.body);
      const said = Date.parse(String(response.headers["last-modified"]));
      return response.statusCode === 200 && !Number.isNaN(said) ? said : undefined;
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      deadline.end();
    }
  }

  /** Ends what is under way; nothing begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#agent)?.destroy();
  }

  /** Each step is checked like the first: a public host may redirect to one inside. */
  async #follow(asked: Question, { signal, limit }: Deadline): Promise<Dispatcher.ResponseData> {
    const { method, authorization } = asked;
    let url = this.#checked(asked.url);
    if (this.#isClosed) throw new CloudFetchError("connection_failed", "The server is shutting down.");
    const { request } = await loadUndici();
    this.#agent ??= agentOf(this.#options);
    const dispatcher = await this.#agent;
    let headers = authorization === undefined ? requestHeaders : { ...requestHeaders, authorization };
    for (let redirects = 0; ; redirects++) {
      // undici looks at the signal only once it is connected: hence the check before and the limit around.
      signal.throwIfAborted();
      const response = await limit(request(url, { method, headers, dispatcher, signal }));
      const { location } = response.headers;
      if (!redirectStatuses.has(response.statusCode) || typeof location !== "string") return response;
      discard(response.body);
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
  const { guardedConnector } = await import("./connect.ts");
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

/** Tells a file from the other things that hosts answer with, and reads no more of it than is allowed. */
export interface WantedFile {
  maxBytes: number;
  acceptHtml: boolean;
}

/** Why this answer isn't the wanted file, as far as its head tells. */
function errorOfResponse({ statusCode, headers }: Dispatcher.ResponseData, wanted: WantedFile) {
  const header = (name: string) => [headers[name] ?? ""].flat().join().trim().toLowerCase();
  if (statusCode !== 200) {
    return new CloudFetchError("bad_status", `The host responded with status ${statusCode}.`);
  }
  // A log-in page, or Google's warning that a file was too large to be scanned.
  if (!wanted.acceptHtml && /^(text\/html|application\/xhtml\+xml)\b/.test(header("content-type"))) {
    return new CloudFetchError("not_a_file", "The host responded with a web page instead of the file.");
  }
  if (!["", "identity"].includes(header("content-encoding"))) {
    return new CloudFetchError("not_a_file", "The host responded with a compressed file.");
  }
  return Number(header("content-length")) > wanted.maxBytes ? tooLarge(wanted.maxBytes) : undefined;
}

/** The least that a host must send, averaged over each window while the reader isn't the slow one. */
interface LeastRate {
  bytesPerSecond: number;
  windowMs: number;
}

export interface BodyBounds {
  maxBytes: number;
  leastRate: LeastRate;
}

/** The body, ended by an error beyond `maxBytes` or below the least rate. Destroying it closes the connection. */
function boundedBody(body: Readable, { maxBytes, leastRate }: BodyBounds, deadline: Deadline): Readable {
  let received = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // Comes before pipeline's own listener, which would hand the error of undici on.
  body.once("error", (error) => stream.destroy(deadline.explain(error)));
  const stopWatching = watchRate(stream, () => received, leastRate);
  return pipeline(body, stream, () => {
    stopWatching();
    deadline.end();
  });
}

const LOOKS_PER_WINDOW = 10;

/** @returns what ends the watch */
function watchRate(stream: Transform, received: () => number, { bytesPerSecond, windowMs }: LeastRate) {
  const lookMs = windowMs / LOOKS_PER_WINDOW;
  let looks = 0;
  let before = 0;
  const timer = setInterval(() => {
    // The reader is the slow one.
    if (stream.writableNeedDrain) return;
    looks += 1;
    if (looks < LOOKS_PER_WINDOW) return;
    if (received() - before < (bytesPerSecond * windowMs) / 1000) stream.destroy(tooSlow(bytesPerSecond));
    looks = 0;
    before = received();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Gives a body up unread, with its connection: how much would follow isn't known. */
function discard(body: Readable): void {
  body.on("error", () => {}).destroy();
}

const tooSlow = (bytesPerSecond: number) =>
  new CloudFetchError("timed_out", `The host sent less than ${bytesPerSecond} bytes a second.`);

const tooLarge = (maxBytes: number) =>
  new CloudFetchError("too_large", `The file has more than ${maxBytes} bytes.`);

/** How long a fetch may take: the caller's signal and a total limit as one. */
interface Deadline {
  readonly signal: AbortSignal;
  /** The work, or the end of patience while it waits. */
  limit<Result>(work: Promise<Result>): Promise<Result>;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
  /** What to tell of a failure: if patience ran out, the reason for that; its effects on sockets say less. */
  explain(error: unknown): Error;
}

function startDeadline(totalMs: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const ranOut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  ranOut.catch(() => {}); // most often nobody is waiting any more
  const timer = setTimeout(() => {
    controller.abort(
      new CloudFetchError("timed_out", `The file took longer than ${totalMs / 1000} seconds.`),
    );
  }, totalMs);
  const leave = () => controller.abort(caller?.reason);
  caller?.addEventListener("abort", leave, { once: true });
  if (caller?.aborted) leave();
  return {
    signal,
    limit: (work) => Promise.race([work, ranOut]),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", leave);
    },
    explain: (error) => {
      if (!signal.aborted) return asCloudFetchError(error);
      const { reason } = signal;
      return reason instanceof Error ? reason : new Error("The fetch was given up.", { cause: reason });
    },
  };
}
