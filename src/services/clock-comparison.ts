/** Compares the clock of this machine with the database's, whose dates all instances share. */
import type { Logger } from "../adapters/logger.ts";
import type { Cancel, Clock, Scheduler } from "../adapters/system.ts";
import { assertInstallation } from "../db/assert-installation.ts";
import type { Database } from "../db/database.ts";
import { MINUTE } from "../lib/time.ts";
import { Service } from "./shared/service.ts";

/** A smaller difference is that of any two machines. */
const NOTED_MS = 2000;

/**
 * By how many milliseconds this clock is ahead of the database's (negative: behind), as far as that is certain: the response
 * may have taken all of its time in one direction. Undefined if the database has no clock of its own.
 */
export async function measureClockOffset(
  { readClock }: Pick<Database, "readClock">,
  clock: Clock,
): Promise<number | undefined> {
  const before = clock.now();
  const there = await readClock();
  if (there === undefined) return undefined;
  const now = clock.now();
  const offsetMs = (before + now) / 2 - there;
  const certainMs = Math.max(0, Math.abs(offsetMs) - Math.abs(now - before) / 2);
  return certainMs === 0 ? 0 : Math.sign(offsetMs) * certainMs;
}

export const isNoted = (offsetMs: number): boolean => Math.abs(offsetMs) > NOTED_MS;

/** For messages. */
export function describeOffset(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  return `The clock of this machine is ${seconds} s ${offsetMs > 0 ? "ahead of" : "behind"} the database's.`;
}

interface ClockComparisonDeps {
  database: Pick<Database, "readClock">;
  clock: Clock;
  schedule: Scheduler;
  log: Pick<Logger, "info" | "warn">;
  /** The life of a link: with a larger difference, links of other instances have expired, or will not. */
  maxMs: number;
}

export class ClockComparison extends Service<ClockComparisonDeps> {
  /** The last one that was measured. */
  #offsetMs = 0;
  #loggedMs = 0;
  #cancel: Cancel = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** Undefined while the difference is small, and before the first comparison. */
  get notedOffsetMs(): number | undefined {
    return isNoted(this.#offsetMs) ? this.#offsetMs : undefined;
  }

  /** Whether the instance can't work beside others. */
  get isTooFar(): boolean {
    return Math.abs(this.#offsetMs) > this.deps.maxMs;
  }

  /** @throws InstallationError if the instance can't work beside others */
  async assertUsable(): Promise<void> {
    await this.#compare();
    assertInstallation({ clock_wrong: this.isTooFar && { offset: describeOffset(this.#offsetMs) } });
  }

  /** Compares each minute until `stop`. */
  start(): void {
    this.#cancel = this.deps.schedule(MINUTE, () => {
      // A database that doesn't respond is reported elsewhere; its clock is compared in the next minute.
      this.#running = this.#compare().catch(() => {});
      if (!this.#isStopped) this.start();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }

  async #compare(): Promise<void> {
    const { database, clock } = this.deps;
    this.#offsetMs = (await measureClockOffset(database, clock)) ?? 0;
    this.#logChange();
  }

  /** When a difference begins or ends, or has become another one. */
  #logChange(): void {
    const { log } = this.deps;
    const [now, before] = [this.notedOffsetMs ?? 0, this.#loggedMs];
    if (now === 0 ? before === 0 : Math.abs(now - before) <= NOTED_MS) return;
    this.#loggedMs = now;
    const offsetSeconds = Math.round(now / 1000);
    if (now === 0) {
      log.info("the clock of this machine is that of the database again");
      return;
    }
    const effect = this.isTooFar ? ": the instance isn't ready until it is corrected" : "";
    log.warn({ offsetSeconds }, `the clock of this machine differs from the database's${effect}`);
  }
}
