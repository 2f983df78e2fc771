/** Whether the service works, and by which picture it is known. */
import type { Clock } from "../adapters/clock.ts";
import type { Favicon } from "../adapters/favicon.ts";
import type { WriteProbe } from "../adapters/write-probe.ts";
import { unavailable } from "../errors.ts";
import { isoTime } from "../lib/time.ts";
import type { PublicationRepository } from "../repositories/publication.repository.ts";
import { entityTag } from "./cached-json.ts";
import type { ImageBytes } from "./image.ts";

export interface ServiceFacts {
  version: string;
  /** Where the service is reached; "/" when that isn't configured. */
  serverUrl: string;
}

const LOOK_EVERY_MS = 1000;

export class SystemService {
  /** What the service says of itself in its own description. */
  readonly facts: ServiceFacts;
  readonly #publication: PublicationRepository;
  readonly #favicon: Favicon;
  readonly #disk: WriteProbe;
  readonly #clock: Clock;
  /** The last look at everything; nobody can make it happen more often than once a second. */
  #looked: { at: number; outcome: Promise<void> } | undefined;

  constructor(uses: {
    facts: ServiceFacts;
    publication: PublicationRepository;
    favicon: Favicon;
    disk: WriteProbe;
    clock: Clock;
  }) {
    this.facts = uses.facts;
    this.#publication = uses.publication;
    this.#favicon = uses.favicon;
    this.#disk = uses.disk;
    this.#clock = uses.clock;
  }

  /** The operator's own, or the one that ships. */
  async favicon(): Promise<ImageBytes> {
    const { bytes, contentType } = await this.#favicon.picture();
    return { bytes, contentType, etag: entityTag(bytes) };
  }

  async health(): Promise<{ isHealthy: boolean; timestamp: string }> {
    const timestamp = isoTime(this.#clock.now());
    return this.#publication.catalogueVersion().then(
      () => ({ isHealthy: true, timestamp }),
      () => ({ isHealthy: false, timestamp }),
    );
  }

  /** Throws 503 when the database can't be read or the data folder can't be written. */
  async readiness(): Promise<{ status: "ready"; timestamp: string }> {
    const now = this.#clock.now();
    if (!this.#looked || Math.abs(now - this.#looked.at) >= LOOK_EVERY_MS) {
      this.#looked = { at: now, outcome: this.#look() };
    }
    await this.#looked.outcome;
    return { status: "ready", timestamp: isoTime(now) };
  }

  async #look(): Promise<void> {
    try {
      await this.#publication.catalogueVersion();
    } catch (cause) {
      throw unavailable("database_unavailable", "The database can't be read just now.", { cause });
    }
    await this.#disk.write();
  }
}
