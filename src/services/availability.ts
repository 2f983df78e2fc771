/** Whether the database and the file store respond, for probes and metrics: a state that is refreshed in the background. */
import type { FileStore } from "../adapters/files/file-store.ts";
import { type Cancel, type Clock, systemScheduler } from "../adapters/system.ts";
import type { Database } from "../db/database.ts";
import { RequestScope, runRequest } from "../db/request-scope.ts";
import type { CatalogueVersions } from "./shared/catalogue-versions.ts";

interface AvailabilityDeps {
  database: Pick<Database, "isCutOff">;
  /** Asked each second, they notice in time that the database is another one, or has lost changes. */
  versions: Pick<CatalogueVersions, "readCurrent">;
  store: Pick<FileStore, "has">;
  clock: Clock;
}

const REFRESH_MS = 1000;
/** After this time, the database or the store counts as silent. */
const DEADLINE_MS = 1000;
/** After this time, a connection counts as silent, and is replaced. */
const STATEMENT_MS = 5000;
/** How long a probe waits for the result of a refresh; balancers wait for a second or two. */
const PROBE_MS = 50;
/** No file has it. */
const NO_SHA256 = "0".repeat(64);

interface AvailabilityState {
  /** Whether it responds. */
  database: boolean;
  files: boolean;
  /** See `Database.isCutOff`. */
  isCutOff: boolean;
}

export class Availability {
  readonly #database: Check;
  readonly #files: Check;
  readonly #cutOff: Check;
  readonly #clock: Clock;
  #refreshing: Promise<unknown> | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #cancel: Cancel = () => {};

  constructor({ database, versions, store, clock }: AvailabilityDeps) {
    this.#clock = clock;
    this.#database = new Check(true, async () => {
      await runRequest(new RequestScope(STATEMENT_MS), () => versions.readCurrent());
      return true;
    });
    this.#files = new Check(true, async () => {
      await store.has(NO_SHA256);
      return true;
    });
    this.#cutOff = new Check(false, () => database.isCutOff());
  }

  /** Refreshes the state each second until `stop`. */
  start(): void {
    void this.#refresh();
    this.#cancel = systemScheduler(REFRESH_MS, () => this.start());
  }

  stop(): void {
    this.#cancel();
  }

  /** Never fails, and takes a twentieth of a second at most. */
  async readState(): Promise<AvailabilityState> {
    const age = this.#clock.now() - this.#refreshedAt;
    if (age < 0 || age >= REFRESH_MS) void this.#refresh();
    await waitWithin(PROBE_MS, this.#refreshing);
    return { database: this.#database.result, files: this.#files.result, isCutOff: this.#cutOff.result };
  }

  async #refresh(): Promise<void> {
    if (this.#refreshing) return;
    this.#refreshedAt = this.#clock.now();
    this.#refreshing = Promise.all([this.#database, this.#files, this.#cutOff].map((one) => one.refresh()));
    await this.#refreshing;
    this.#refreshing = undefined;
  }
}

class Check {
  /** False also while there is no response. */
  result: boolean;
  readonly #ask: () => Promise<boolean>;
  #asking: Promise<void> | undefined;

  /** @param result at the beginning */
  constructor(result: boolean, ask: () => Promise<boolean>) {
    this.result = result;
    this.#ask = ask;
  }

  /** Asks again unless it still waits for a result, and waits until the deadline. */
  async refresh(): Promise<void> {
    this.#asking ??= this.#run();
    const isInTime = await waitWithin(DEADLINE_MS, this.#asking);
    if (!isInTime) this.result = false;
  }

  async #run(): Promise<void> {
    try {
      this.result = await this.#ask();
    } catch {
      this.result = false;
    } finally {
      this.#asking = undefined;
    }
  }
}

/** @returns whether the work has ended by then */
async function waitWithin(ms: number, work: Promise<unknown> | undefined): Promise<boolean> {
  const deadline = Promise.withResolvers<boolean>();
  const cancel = systemScheduler(ms, () => deadline.resolve(false));
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), deadline.promise]);
  } finally {
    cancel();
  }
}
