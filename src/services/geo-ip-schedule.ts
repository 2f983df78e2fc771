/** Refreshes the City database by itself when it is a week old: its licence wants that, and addresses move. */
import type { Clock } from "../adapters/clock.ts";
import type { GeoIp } from "../adapters/geo-ip.ts";
import type { GeoIpFile } from "../adapters/geo-ip-file.ts";
import type { Logger } from "../adapters/logger.ts";
import { randomBelow } from "../adapters/random.ts";
import type { Cancel, Later } from "../adapters/timer.ts";
import type { GeoIpRefresh } from "./geo-ip-refresh.ts";

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
/** A start has better things to do at first. */
const AFTER_START_MS = 5 * MINUTE_MS;
/** When there was nothing newer, or when it failed. */
const AGAIN_MS = 6 * 60 * MINUTE_MS;
/** Not everybody at the same minute. */
const JITTER_MS = 10 * MINUTE_MS;

export class GeoIpSchedule {
  readonly #refresh: GeoIpRefresh;
  readonly #file: GeoIpFile;
  readonly #geoIp: GeoIp;
  readonly #clock: Clock;
  readonly #later: Later;
  readonly #log: Logger;
  #cancel: Cancel = () => {};
  #isStopped = false;

  constructor(uses: {
    refresh: GeoIpRefresh;
    file: GeoIpFile;
    geoIp: GeoIp;
    clock: Clock;
    later: Later;
    log: Logger;
  }) {
    this.#refresh = uses.refresh;
    this.#file = uses.file;
    this.#geoIp = uses.geoIp;
    this.#clock = uses.clock;
    this.#later = uses.later;
    this.#log = uses.log;
  }

  start(): void {
    void this.#plan(AFTER_START_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Goes by the file's age, so that a restart alone leads to nothing. One that can't be opened is as good as none. */
  async #plan(soonestMs: number): Promise<void> {
    const facts = await this.#file.facts().catch(() => undefined);
    const isMissing = facts === undefined || !this.#geoIp.hasCities;
    const dueMs = isMissing ? 0 : facts.modifiedAt + WEEK_MS - this.#clock.now();
    // A file from the future, by a clock that was wrong, doesn't wait longer than any other.
    const waitMs = Math.min(Math.max(dueMs, soonestMs), WEEK_MS) + randomBelow(JITTER_MS);
    if (!this.#isStopped) this.#cancel = this.#later(waitMs, () => void this.#check());
  }

  async #check(): Promise<void> {
    try {
      await this.#refresh.run();
    } catch (error) {
      this.#log.warn({ err: error }, "the City database could not be refreshed");
    }
    await this.#plan(AGAIN_MS);
  }
}
