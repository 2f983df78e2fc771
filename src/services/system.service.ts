/** Whether the service works. */
import type { Clock } from "../adapters/clock.ts";
import { isoTime } from "../lib/time.ts";
import type { PublicationRepository } from "../repositories/publication.repository.ts";

export interface ServiceFacts {
  version: string;
  /** Where the service is reached; "/" when that isn't configured. */
  serverUrl: string;
}

export class SystemService {
  /** What the service says of itself in its own description. */
  readonly facts: ServiceFacts;
  readonly #publication: PublicationRepository;
  readonly #clock: Clock;

  constructor(uses: { facts: ServiceFacts; publication: PublicationRepository; clock: Clock }) {
    this.facts = uses.facts;
    this.#publication = uses.publication;
    this.#clock = uses.clock;
  }

  async health(): Promise<{ isHealthy: boolean; timestamp: string }> {
    const timestamp = isoTime(this.#clock.now());
    return this.#publication.catalogueVersion().then(
      () => ({ isHealthy: true, timestamp }),
      () => ({ isHealthy: false, timestamp }),
    );
  }
}
