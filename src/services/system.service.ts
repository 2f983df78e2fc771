/** Whether the service works, and by which picture it is known. */
import type { Favicon } from "../adapters/images/favicon.ts";
import type { Clock } from "../adapters/system.ts";
import { unavailable } from "../errors.ts";
import { isoTime } from "../lib/time.ts";
import type { PublicationRepository } from "../repositories/publication.repository.ts";
import { entityTag } from "./catalogue/catalogue-cache.ts";
import type { ImageBytes } from "./results.ts";

export interface ServiceFacts {
  version: string;
  /** Where the service is reached; "/" when that isn't configured. */
  serverUrl: string;
}

interface SystemServiceDeps {
  facts: ServiceFacts;
  publication: PublicationRepository;
  favicon: Favicon;
  clock: Clock;
}

export class SystemService {
  /** What the service says of itself in its own description. */
  readonly facts: ServiceFacts;
  readonly #deps: SystemServiceDeps;

  constructor(deps: SystemServiceDeps) {
    this.#deps = deps;
    this.facts = deps.facts;
  }

  /** The operator's own, or the one that ships. */
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
   * Whether writes get through isn't asked: with a full disk readers are served as ever, and must not be sent away.
   * @throws AppError 503 `database_unavailable`
   */
  async readiness(): Promise<{ status: "ready"; timestamp: string }> {
    const { isHealthy, timestamp } = await this.health();
    if (!isHealthy) throw unavailable("database_unavailable", "The database can't be read at the moment.");
    return { status: "ready", timestamp };
  }
}
