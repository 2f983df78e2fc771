/** Responses that are sent again without the router: the head of an earlier one, and the bytes from the service. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { CompressedBytes } from "../adapters/compression.ts";
import type { Clock } from "../adapters/system.ts";
import { RequestScope, runRequest } from "../db/request-scope.ts";
import type { Services } from "../services/index.ts";
import { hasBody } from "./requests/body.ts";
import { findBadHeaders, listAcceptedLanguages, readHost } from "./requests/headers.ts";
import { countByAddress, type OpenResponses } from "./requests/rate-limit.ts";
import { addressOf, contextOf } from "./requests/request-context.ts";
import { shareFor, surrogateKey } from "./responses/caching.ts";
import { chooseRepresentation, findUnmodifiedTag, type Version } from "./responses/representation.ts";
import { dependsOnLanguages, findVersion } from "./responses/send-reply.ts";
import type { DATABASE_LIMITS_MS, KeptCaller, Limits, Repeat, Route } from "./route.ts";

/** A head with the operation that returns the bytes. */
interface Kept {
  path: string;
  limitMs: number;
  repeat: Repeat;
  /** Names and values in turn, as Node takes them, without those that depend on the client or the version. */
  head: readonly string[];
  contentType: string;
  /** Unless it is shared: then it depends on how long the response is valid. */
  cacheControl: string;
  /** Whether the response has keys for CDNs. */
  isShared: boolean;
}

interface KeptResponsesDeps {
  services: Services;
  compressed: CompressedBytes;
  openResponses: OpenResponses;
  databaseLimitsMs: typeof DATABASE_LIMITS_MS;
  limits: Limits;
  publicCacheSeconds: number;
  clock: Clock;
  /** Responds to errors. */
  app: RequestListener;
}

const MAX_BYTES = 8 * 1024 * 1024;
/** Upper bound of an entry's size besides its address. */
const ENTRY_BYTES = 2048;

/** The response depends on these; only the router reads them. */
const READ_BY_ROUTER = ["origin", "authorization", "range", "if-match"];

/** Set for each response. */
const OWN_HEADERS = new Set([
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "etag",
  "surrogate-key",
  "x-request-id",
]);

/** The service compares the version of the catalogue for each request, so the bytes are never older than the last write. */
export class KeptResponses {
  readonly #deps: KeptResponsesDeps;
  /** By address. */
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_, address) => 2 * address.length + ENTRY_BYTES,
  });

  constructor(deps: KeptResponsesDeps) {
    this.#deps = deps;
  }

  /** Keeps the head of a response that the router has sent. */
  keep(req: Request, res: Response, route: Route): void {
    if (!route.prepareRepeat || res.statusCode !== 200 || !mayBeKept(req)) return;
    if (!res.hasHeader("ETag") || dependsOnLanguages(res)) return;
    const repeat = route.prepareRepeat(req);
    if (!repeat) return;
    const names = res.getHeaderNames().filter((name) => !OWN_HEADERS.has(name));
    this.#kept.set(req.url, {
      path: route.path,
      limitMs: this.#deps.databaseLimitsMs[route.databaseLimit ?? "other"],
      repeat,
      head: names.flatMap((name) => [name, String(res.getHeader(name))]),
      contentType: String(res.getHeader("Content-Type")),
      cacheControl: String(res.getHeader("Cache-Control")),
      isShared: res.hasHeader("Surrogate-Key"),
    });
  }

  /** @returns whether it responds; otherwise the router must */
  respond(req: IncomingMessage, res: ServerResponse): boolean {
    const kept = mayBeKept(req) ? this.#kept.get(req.url ?? "") : undefined;
    if (!kept || findBadHeaders(req) || !this.#deps.openResponses.admit(req, res)) return false;
    void this.#send(req, res, kept);
    return true;
  }

  async #send(req: IncomingMessage, res: ServerResponse, kept: Kept): Promise<void> {
    const context = contextOf(req);
    context.route = kept.path;
    const scope = new RequestScope(kept.limitMs, () => req.socket.destroyed);
    try {
      const { services, limits } = this.#deps;
      const caller: KeptCaller = {
        host: () => readHost(req),
        count: (limit) => countByAddress(limits[limit], addressOf(req)),
        acceptedLanguages: () => listAcceptedLanguages(req),
      };
      const reply = await runRequest(scope, () => kept.repeat(caller, services));
      const version = findVersion(reply);
      if (version) return this.#sendVersion(req, res, kept, { version, validUntil: scope.validUntil });
      this.#kept.delete(req.url ?? "");
      this.#deps.app(req, res);
    } catch (error) {
      context.failure = error;
      this.#deps.app(req, res);
    }
  }

  #sendVersion(
    req: IncomingMessage,
    res: ServerResponse,
    kept: Kept,
    sent: { version: Version; validUntil: number },
  ): void {
    const { version, validUntil } = sent;
    const context = contextOf(req);
    context.isKept = true;
    const representation = chooseRepresentation(
      version,
      req.headers["accept-encoding"],
      this.#deps.compressed,
    );
    const unmodified = findUnmodifiedTag(req, version, representation);
    const { bytes, etag, coding } = representation;
    const head = [...kept.head, "X-Request-Id", context.id, "ETag", unmodified ?? etag];
    if (kept.isShared) head.push(...surrogateKey(version.languageCode), ...this.#share(validUntil));
    else head.push("Cache-Control", kept.cacheControl);
    if (unmodified !== undefined) return void res.writeHead(304, head).end();
    if (coding) head.push("Content-Encoding", coding);
    head.push("Content-Type", kept.contentType, "Content-Length", String(bytes.length));
    res.writeHead(200, head).end(req.method === "HEAD" ? undefined : bytes);
  }

  #share(validUntil: number): [name: string, value: string] {
    const { publicCacheSeconds: seconds, clock } = this.#deps;
    return ["Cache-Control", shareFor({ seconds, validMs: validUntil - clock.now() })];
  }
}

const mayBeKept = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  READ_BY_ROUTER.every((name) => headers[name] === undefined) &&
  !hasBody({ headers });
