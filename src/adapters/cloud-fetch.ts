/** Fetches files from other hosts as a stream: guarded against addresses inside, endless bodies and endless waits. */
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, type Readable, Transform } from "node:stream";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { checkCloudUrl, isAllowedHost } from "../lib/cloud-links.ts";
import { isPublicAddress } from "../lib/ip-address.ts";
import { codeOf } from "../lib/node-errors.ts";

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
  minRate?: MinRate;
  /** Every address of a host. Default: the system's resolver. */
  resolve?: Resolve;
}

type ConnectOptions = Pick<CloudFetchOptions, "allowHosts" | "connectTimeoutMs" | "resolve">;

/** The least that a host must send, averaged over each window while the reader isn't the slow one. */
interface MinRate {
  bytesPerSecond: number;
  windowMs: number;
}

type Resolve = (hostname: string) => Promise<readonly string[]>;

interface AskOptions {
  /** Ends the fetch; promise or stream then fail with the signal's reason, which is an Error. */
  signal?: AbortSignal;
  /** A credential for the host of the address alone: no redirect carries it along. */
  authorization?: string;
}

interface OpenOptions extends AskOptions {
  /** Tightens the limit of the adapter, never widens it. */
  maxBytes?: number;
  /** A page is what is wanted. Otherwise HTML is taken for what it is: a log-in or a warning in place of the file. */
  acceptHtml?: boolean;
}

type Response = Dispatcher.ResponseData;
type Method = "GET" | "HEAD";

interface RequestOptions {
  method: Method;
  headers: Record<string, string>;
  signal: AbortSignal;
}

const MIN_RATE: MinRate = { bytesPerSecond: 10_000, windowMs: 60_000 };
const MAX_REDIRECTS = 5;
/** Signed addresses of storage services are longer than the links that people save; headers end at 16 KiB. */
const MAX_REDIRECT_LENGTH = 16_384;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export class CloudFetch {
  readonly #options: CloudFetchOptions;
  /** Made by the first fetch, which loads undici. */
  #agent: Promise<Agent> | undefined;
  #isClosed = false;

  constructor(options: CloudFetchOptions) {
    this.#options = options;
  }

  /**
   * The bytes of the file. Failures before the first byte reject, later ones end the stream, both with a
   * CloudFetchError (or the signal's reason). Destroying the stream closes the connection.
   */
  async open(url: string, options: OpenOptions = {}): Promise<Readable> {
    const { minRate = MIN_RATE } = this.#options;
    const { acceptHtml = false, signal } = options;
    const maxBytes = Math.min(options.maxBytes ?? Infinity, this.#options.maxBytes);
    const response = await this.#ask("GET", url, options);
    const failure = errorOfResponse(response, { maxBytes, acceptHtml });
    if (failure === undefined) return boundedBody(response.body, { maxBytes, minRate, signal });
    discard(response.body);
    throw failure;
  }

  /**
   * When the file was last modified, in epoch milliseconds; undefined when the host doesn't say. Nothing of the file
   * is transferred. Fails as `open` does, but for a status: what it means, a later `open` tells.
   */
  async lastModified(url: string, options: AskOptions = {}): Promise<number | undefined> {
    const { body, headers, statusCode } = await this.#ask("HEAD", url, options);
    discard(body);
    const said = Date.parse(String(headers["last-modified"]));
    return statusCode === 200 && !Number.isNaN(said) ? said : undefined;
  }

  /** Ends what is under way; nothing begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#agent)?.destroy();
  }

  async #ask(method: Method, url: string, { signal, authorization }: AskOptions): Promise<Response> {
    const timeout = AbortSignal.timeout(this.#options.totalTimeoutMs ?? 15 * 60_000);
    const deadline = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const headers = authorization === undefined ? REQUEST_HEADERS : { ...REQUEST_HEADERS, authorization };
      return await this.#follow(url, { method, headers, signal: deadline });
    } catch (error) {
      throw explained(error, signal);
    }
  }

  /**
   * Each step is checked like the first, since a public host may redirect to one inside: undici's own redirects don't
   * know the rules for addresses.
   */
  async #follow(asked: string, options: RequestOptions): Promise<Response> {
    let url = this.#checked(asked);
    if (this.#isClosed) throw new CloudFetchError("connection_failed", "The server is shutting down.");
    const { request } = await loadUndici();
    this.#agent ??= agentOf(this.#options);
    const dispatcher = await this.#agent;
    const { signal } = options;
    const aborted = rejectionOf(signal);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      signal.throwIfAborted();
      const headers = redirects === 0 ? options.headers : REQUEST_HEADERS;
      const response = await Promise.race([aborted, request(url, { ...options, headers, dispatcher })]);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode) || typeof location !== "string") return response;
      discard(response.body);
      url = this.#checked(URL.parse(location, url)?.href ?? "");
    }
    throw new CloudFetchError("too_many_redirects", `The host redirected more than ${MAX_REDIRECTS} times.`);
  }

  #checked(url: string): string {
    const { allowHosts } = this.#options;
    const check = checkCloudUrl(url, "url", { allowHosts, maxLength: MAX_REDIRECT_LENGTH });
    if (!check.ok) throw new CloudFetchError("refused_address", check.message);
    return check.url;
  }
}

/** Fails as soon as the signal is aborted: undici looks at a signal only once it is connected. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  rejection.catch(() => {}); // most often nobody is waiting any more
  return rejection;
}

/** Holds the event loop for some 100 ms the first time. */
export const loadUndici = () => import("undici");

async function agentOf(options: CloudFetchOptions): Promise<Agent> {
  const { idleTimeoutMs = 30_000 } = options;
  const undici = await loadUndici();
  return new undici.Agent({
    connect: guardedConnector(undici.buildConnector, options),
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    pipelining: 0, // no idle connections: fetches are rare and nothing is left open behind them
  });
}

/**
 * Connects to public addresses only, whatever a name resolves to and however often it changes. The look-up happens once
 * for each connection, inside it, so the address that was checked is the one connected to; the name stays what TLS asks
 * for and compares the certificate with.
 */
export function guardedConnector(
  build: typeof buildConnector,
  { allowHosts, connectTimeoutMs: timeout = 10_000, resolve = resolveBySystem }: ConnectOptions,
): buildConnector.connector {
  const options = { timeout, allowH2: false, autoSelectFamily: true };
  const connectAnywhere = build({ ...options, lookup: lookupBy(resolve) });
  const connectPublicly = build({ ...options, lookup: lookupBy(publicly(resolve)) });
  return (target, callback) => {
    const origin = new URL(`${target.protocol}//${target.host}`);
    if (isAllowedHost(origin, allowHosts)) return connectAnywhere(target, callback);
    // No look-up takes place for a host that is an address.
    const isInside = isIP(target.hostname) !== 0 && !isPublicAddress(target.hostname);
    return isInside ? callback(notPublic(), null) : connectPublicly(target, callback);
  };
}

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** One inner address among several is enough to refuse: which of them is used isn't ours to choose. */
function publicly(resolve: Resolve): Resolve {
  return async (hostname) => {
    const addresses = [...(await resolve(hostname))];
    if (!addresses.every(isPublicAddress)) throw notPublic();
    return addresses;
  };
}

/** All addresses at once, as `autoSelectFamily` asks for them. */
function lookupBy(resolve: Resolve): LookupFunction {
  return (hostname, _options, callback) => {
    const found = (addresses: readonly string[]) => {
      if (addresses.length === 0) callback(new Error("The host has no address."), []);
      else
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
    };
    resolve(hostname).then(found, (error) => callback(error, []));
  };
}

/** Without `identity` a host may compress, and the bytes would not be the file. Some refuse a missing agent. */
const REQUEST_HEADERS = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "Mozilla/5.0 (compatible; BookDistributionService)",
};

/** Why this response isn't the wanted file, as far as its head tells. */
function errorOfResponse(
  { statusCode, headers }: Response,
  { maxBytes, acceptHtml }: { maxBytes: number; acceptHtml: boolean },
): CloudFetchError | undefined {
  const header = (name: string) => [headers[name] ?? ""].flat().join().trim().toLowerCase();
  if (statusCode !== 200) {
    return new CloudFetchError("bad_status", `The host responded with status ${statusCode}.`);
  }
  // A log-in page, or Google's warning that a file was too large to be scanned.
  if (!acceptHtml && /^(text\/html|application\/xhtml\+xml)\b/.test(header("content-type"))) {
    return new CloudFetchError("not_a_file", "The host responded with a web page instead of the file.");
  }
  if (!["", "identity"].includes(header("content-encoding"))) {
    return new CloudFetchError("not_a_file", "The host responded with a compressed file.");
  }
  return Number(header("content-length")) > maxBytes ? tooLarge(maxBytes) : undefined;
}

interface BodyBounds {
  maxBytes: number;
  minRate: MinRate;
  signal: AbortSignal | undefined;
}

/** The body, ended by an error beyond `maxBytes` or below the least rate. Destroying it closes the connection. */
function boundedBody(body: Readable, { maxBytes, minRate, signal }: BodyBounds): Readable {
  const { bytesPerSecond, windowMs } = minRate;
  let received = 0;
  let before = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // Comes before pipeline's own listener, which would hand the error of undici on.
  body.once("error", (error) => stream.destroy(explained(error, signal)));
  const timer = setInterval(() => {
    const isReaderSlow = stream.writableNeedDrain;
    if (!isReaderSlow && received - before < (bytesPerSecond * windowMs) / 1000) {
      stream.destroy(tooSlow(bytesPerSecond));
    }
    before = received;
  }, windowMs).unref();
  return pipeline(body, stream, () => clearInterval(timer));
}

/** Gives a body up unread, with its connection: how much would follow isn't known. */
function discard(body: Readable): void {
  body.on("error", () => {}).destroy();
}

type CloudFetchReason =
  | "refused_address"
  | "too_many_redirects"
  | "bad_status"
  | "not_a_file"
  | "too_large"
  | "timed_out"
  | "connection_failed";

/**
 * Why a file that lives elsewhere could not be fetched. The message is fit for an administrator, the cause for the log.
 * Neither holds the address: the query of a share link is what grants access.
 */
export class CloudFetchError extends Error {
  readonly reason: CloudFetchReason;

  constructor(reason: CloudFetchReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CloudFetchError";
    this.reason = reason;
  }
}

const notPublic = () => new CloudFetchError("refused_address", "The host has an address that isn't public.");

const tooSlow = (bytesPerSecond: number) =>
  new CloudFetchError("timed_out", `The host sent less than ${bytesPerSecond} bytes a second.`);

const tooLarge = (maxBytes: number) =>
  new CloudFetchError("too_large", `The file has more than ${maxBytes} bytes.`);

/** The codes of undici, and that of the system. */
const TIMED_OUT = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

/** What a connection or a body failed with, in our terms; the reason of the caller's signal if that ended it. */
function explained(error: unknown, caller: AbortSignal | undefined): Error {
  if (caller?.aborted) return caller.reason;
  if (error instanceof CloudFetchError) return error;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new CloudFetchError("timed_out", "The transfer took too long.", error);
  }
  return TIMED_OUT.has(codeOf(error) ?? "")
    ? new CloudFetchError("timed_out", "The remote host did not respond in time.", error)
    : new CloudFetchError("connection_failed", "The connection to the remote host failed.", error);
}
