/** Fetches files from other hosts as a stream, guarded against internal addresses, endless bodies and delays. */
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, type Readable, Transform } from "node:stream";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { checkCloudUrl, isAllowedHost } from "../lib/cloud-links.ts";
import { isPublicAddress } from "../lib/ip-address.ts";
import { codeOf } from "../lib/node-errors.ts";

type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

const DEFAULTS = {
  /** Name, connection and TLS. */
  connectTimeoutMs: 10_000,
  /** Time limit for the headers, and between two chunks of the body while the reader wants more. */
  idleTimeoutMs: 30_000,
  /** Time limit from the first request to the last byte, including redirects. */
  totalTimeoutMs: 15 * 60_000,
  /** Minimum rate, averaged over each window, except while the reader is slow. */
  minRate: { bytesPerSecond: 10_000, windowMs: 60_000 },
  /** Returns all addresses of a host. */
  resolve: resolveBySystem,
};

interface RequiredOptions {
  /** `host:port` of the organisation's own storage: accepted over http, too, and at any address. */
  allowHosts: readonly string[];
  /** Maximum size of one file. */
  maxBytes: number;
}

export type CloudFetchOptions = RequiredOptions & Partial<typeof DEFAULTS>;

type ConnectOptions = Pick<CloudFetchOptions, "allowHosts" | "connectTimeoutMs" | "resolve">;

interface AskOptions {
  /** Aborts the fetch; the promise or the stream then fails with the signal's reason, which is an Error. */
  signal?: AbortSignal;
  /** A credential for the host of the URL only: it isn't sent to redirect targets. */
  authorization?: string;
}

interface OpenOptions extends AskOptions {
  /** Lowers the adapter's limit; can't raise it. */
  maxBytes?: number;
  /** Whether an HTML page is expected. Otherwise HTML counts as a log-in page or a warning instead of the file. */
  acceptHtml?: boolean;
}

type Response = Dispatcher.ResponseData;
type Method = "GET" | "HEAD";

interface RequestOptions {
  method: Method;
  headers: Record<string, string>;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 5;
/** Signed URLs of storage services are longer than the links that people save; headers end at 16 KiB. */
const MAX_REDIRECT_LENGTH = 16_384;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export class CloudFetch {
  readonly #options: Required<CloudFetchOptions>;
  /** Created by the first fetch, which loads undici. */
  #agent: Promise<Agent> | undefined;
  #isClosed = false;

  constructor(options: CloudFetchOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Opens the file as a stream. Errors before the first byte reject the promise, later ones end the stream, both with a
   * CloudFetchError (or the signal's reason). Destroying the stream closes the connection.
   */
  async open(url: string, options: OpenOptions = {}): Promise<Readable> {
    const { minRate } = this.#options;
    const { acceptHtml = false, signal } = options;
    const maxBytes = Math.min(options.maxBytes ?? Infinity, this.#options.maxBytes);
    const response = await this.#ask("GET", url, options);
    const failure = findResponseError(response, { maxBytes, acceptHtml });
    if (failure === undefined) return boundBody(response.body, { maxBytes, minRate, signal });
    discard(response.body);
    throw failure;
  }

  /**
   * The modification time of the file in epoch milliseconds; undefined if the host doesn't send one. Transfers no
   * content. Fails like `open`, but ignores error statuses, which a later `open` reports.
   */
  async fetchLastModified(url: string, options: AskOptions = {}): Promise<number | undefined> {
    const { body, headers, statusCode } = await this.#ask("HEAD", url, options);
    discard(body);
    const said = Date.parse(String(headers["last-modified"]));
    return statusCode === 200 && !Number.isNaN(said) ? said : undefined;
  }

  /** Aborts all fetches; later ones are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#agent)?.destroy();
  }

  async #ask(method: Method, url: string, { signal, authorization }: AskOptions): Promise<Response> {
    const timeout = AbortSignal.timeout(this.#options.totalTimeoutMs);
    const deadline = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const headers = authorization === undefined ? REQUEST_HEADERS : { ...REQUEST_HEADERS, authorization };
      return await this.#follow(url, { method, headers, signal: deadline });
    } catch (error) {
      throw explainError(error, signal);
    }
  }

  /**
   * Checks each redirect like the first URL, because a public host can redirect to an internal one; undici's own
   * redirects don't apply these rules.
   */
  async #follow(asked: string, options: RequestOptions): Promise<Response> {
    let url = this.#checkUrl(asked);
    if (this.#isClosed) throw new CloudFetchError("connection_failed", "The server is shutting down.");
    const { request } = await loadUndici();
    this.#agent ??= createAgent(this.#options);
    const dispatcher = await this.#agent;
    const { signal } = options;
    const aborted = rejectOnAbort(signal);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      signal.throwIfAborted();
      const headers = redirects === 0 ? options.headers : REQUEST_HEADERS;
      const response = await Promise.race([aborted, request(url, { ...options, headers, dispatcher })]);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode) || typeof location !== "string") return response;
      discard(response.body);
      url = this.#checkUrl(URL.parse(location, url)?.href ?? "");
    }
    throw new CloudFetchError("too_many_redirects", `The host redirected more than ${MAX_REDIRECTS} times.`);
  }

  #checkUrl(url: string): string {
    const { allowHosts } = this.#options;
    const check = checkCloudUrl(url, "url", { allowHosts, maxLength: MAX_REDIRECT_LENGTH });
    if (!check.ok) throw new CloudFetchError("refused_address", check.message);
    return check.url;
  }
}

/** Rejects as soon as the signal is aborted: undici checks a signal only after it has connected. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  rejection.catch(() => {}); // usually nothing awaits it any more
  return rejection;
}

/** Blocks the event loop for about 100 ms the first time. */
export const loadUndici = () => import("undici");

type AgentOptions = Pick<
  Required<CloudFetchOptions>,
  "allowHosts" | "connectTimeoutMs" | "idleTimeoutMs" | "resolve"
>;

/** Connects to public addresses only, see `createGuardedConnector`. */
export async function createAgent({ idleTimeoutMs, ...options }: AgentOptions): Promise<Agent> {
  const undici = await loadUndici();
  return new undici.Agent({
    connect: createGuardedConnector(undici.buildConnector, options),
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    pipelining: 0, // no idle connections: fetches are rare
  });
}

/**
 * Connects to public addresses only, also if a name resolves to others. The lookup happens once per connection, inside
 * it, so the address that was checked is the one connected to; TLS verifies the certificate for the name.
 */
export function createGuardedConnector(
  build: typeof buildConnector,
  given: ConnectOptions,
): buildConnector.connector {
  const { allowHosts, connectTimeoutMs: timeout, resolve } = { ...DEFAULTS, ...given };
  const options = { timeout, allowH2: false, autoSelectFamily: true };
  const connectAnywhere = build({ ...options, lookup: createLookup(resolve) });
  const connectPublicly = build({ ...options, lookup: createLookup(requirePublicAddresses(resolve)) });
  return (target, callback) => {
    const origin = new URL(`${target.protocol}//${target.host}`);
    if (isAllowedHost(origin, allowHosts)) return connectAnywhere(target, callback);
    // No lookup takes place if the host is an IP address.
    const isInside = isIP(target.hostname) !== 0 && !isPublicAddress(target.hostname);
    return isInside ? callback(notPublic(), null) : connectPublicly(target, callback);
  };
}

/** Rejects a host with any internal address, because the connector chooses among the addresses. */
function requirePublicAddresses(resolve: Resolve): Resolve {
  return async (hostname) => {
    const addresses = [...(await resolve(hostname))];
    if (!addresses.every(isPublicAddress)) throw notPublic();
    return addresses;
  };
}

/** Returns all addresses at once, as `autoSelectFamily` requires. */
function createLookup(resolve: Resolve): LookupFunction {
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

/** Without `identity` a host may compress the file. Some hosts reject requests without a user agent. */
const REQUEST_HEADERS = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "Mozilla/5.0 (compatible; BookDistributionService)",
};

/** Why this response isn't the requested file, judged by its headers. */
function findResponseError(
  { statusCode, headers }: Response,
  { maxBytes, acceptHtml }: { maxBytes: number; acceptHtml: boolean },
): CloudFetchError | undefined {
  const header = (name: string) => [headers[name] ?? ""].flat().join().trim().toLowerCase();
  if (statusCode !== 200) {
    return new CloudFetchError("bad_status", `The host responded with status ${statusCode}.`);
  }
  // A log-in page, or Google's warning that a file was too large for a virus scan.
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
  minRate: typeof DEFAULTS.minRate;
  signal: AbortSignal | undefined;
}

/** The body, which fails beyond `maxBytes` or below the minimum rate. Destroying it closes the connection. */
function boundBody(body: Readable, { maxBytes, minRate, signal }: BodyBounds): Readable {
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
  // Registered before pipeline's own listener, which would pass on undici's error.
  body.once("error", (error) => stream.destroy(explainError(error, signal)));
  const timer = setInterval(() => {
    const isReaderSlow = stream.writableNeedDrain;
    if (!isReaderSlow && received - before < (bytesPerSecond * windowMs) / 1000) {
      stream.destroy(tooSlow(bytesPerSecond));
    }
    before = received;
  }, windowMs).unref();
  return pipeline(body, stream, () => clearInterval(timer));
}

/** Discards an unread body with its connection, because its remaining size is unknown. */
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
 * Why a cloud file couldn't be fetched. The message is for an administrator, the cause for the log. Neither contains
 * the URL: the query of a share link grants access.
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

/** The timeout codes of undici and of the operating system. */
const TIMED_OUT = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

/** Maps an error of a connection or a body; returns the reason of the caller's signal if that aborted it. */
function explainError(error: unknown, caller: AbortSignal | undefined): Error {
  if (caller?.aborted) return caller.reason;
  if (error instanceof CloudFetchError) return error;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new CloudFetchError("timed_out", "The transfer took too long.", error);
  }
  return TIMED_OUT.has(codeOf(error) ?? "")
    ? new CloudFetchError("timed_out", "The remote host did not respond in time.", error)
    : new CloudFetchError("connection_failed", "The connection to the remote host failed.", error);
}
