/** Whether the database and the file store respond, for probes and metrics. */
import type { FileStore } from "../adapters/files/file-store.ts";
import type { Clock, Scheduler } from "../adapters/system.ts";
import type { PublicationRepository } from "../repositories/publication.repository.ts";

interface AvailabilityDeps {
  publication: Pick<PublicationRepository, "catalogueVersion">;
  store: Pick<FileStore, "has">;
  clock: Clock;
  schedule: Scheduler;
}

/** Load balancers wait for about two seconds. */
const DEADLINE_MS = 1000;
/** Probes within this time get the same result: anyone can send them. */
const KEPT_MS = 1000;
/** No file has it. */
const NO_SHA256 = "0".repeat(64);

export interface Responding {
  database: boolean;
  files: boolean;
}

export class Availability {
  readonly #deps: AvailabilityDeps;
  #asked: { at: number; result: Promise<Responding> } | undefined;

  constructor(deps: AvailabilityDeps) {
    this.#deps = deps;
  }

  /** Never fails. */
  async database(): Promise<boolean> {
    return this.#responds(() => this.#deps.publication.catalogueVersion());
  }

  /** Never fails. */
  responding(): Promise<Responding> {
    const now = this.#deps.clock.now();
    if (this.#asked === undefined || Math.abs(now - this.#asked.at) >= KEPT_MS) {
      this.#asked = { at: now, result: this.#ask() };
    }
    return this.#asked.result;
  }

  async #ask(): Promise<Responding> {
    const [database, files] = await Promise.all([
      this.database(),
      this.#responds(() => this.#deps.store.has(NO_SHA256)),
    ]);
    return { database, files };
  }

  async #responds(question: () => Promise<unknown>): Promise<boolean> {
    const deadline = Promise.withResolvers<boolean>();
    const cancel = this.#deps.schedule(DEADLINE_MS, () => deadline.resolve(false));
    const response = question().then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([response, deadline.promise]);
    } finally {
      cancel();
    }
  }
}
