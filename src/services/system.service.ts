/** Readiness, service information and the favicon. */
import type { Favicon } from "../adapters/images/favicon.ts";
import type { Clock } from "../adapters/system.ts";
import { unavailable } from "../errors.ts";
import { isoTime } from "../lib/time.ts";
import type { PublicationRepository } from "../repositories/publication.repository.ts";
import { entityTag } from "./catalogue/catalogue-cache.ts";
import type { ImageBytes } from "./results.ts";

export interface ServiceFacts {
  /** The public base URL; "/" if it isn't configured. */
  serverUrl: string;
}

interface SystemServiceDeps {
  facts: ServiceFacts;
  publication: PublicationRepository;
  favicon: Favicon;
  clock: Clock;
}

export class SystemService {
  /** Facts about the service for its OpenAPI description. */
  readonly facts: ServiceFacts;
  readonly #deps: SystemServiceDeps;

  constructor(deps: SystemServiceDeps) {
    this.#deps = deps;
    this.facts = deps.facts;
  }

  /** The operator's favicon, or the built-in one. */
  async favicon(): Promise<ImageBytes> {
    const { bytes, contentType } = await this.#deps.favicon.picture();
    return { bytes, contentType, etag: entityTag(bytes) };
  }

  async health(): Promise<{ isHealthy: boolean; timestamp: string }> {
    const timestamp = isoTime(this.#deps.clock.now());
    return this.#deps.publication.catalogueVersion().then(
      () => ({ isHealthy: true, timestamp }),
      () => ({ isHealthy: false, timestamp }),
    );
  }

  /**
   * Doesn't check whether writes succeed: with a full disk the service still serves readers and must keep receiving
   * traffic.
   * @throws AppError 503 `database_unavailable`
   */
  async readiness(): Promise<{ status: "ready"; timestamp: string }> {
    const { isHealthy, timestamp } = await this.health();
    if (!isHealthy) throw unavailable("database_unavailable", "The database can't be read at the moment.");
    return { status: "ready", timestamp };
  }
}
