/** Decides whether the clock is trusted before data is deleted because of its age. */
import type { Cancel } from "../../adapters/system.ts";
import type { Database } from "../../db/database.ts";
import { DAY, HOUR, isoTime, MINUTE } from "../../lib/time.ts";
import type { InstallationRepository } from "../../repositories/installation.repository.ts";
import { type CommonDeps, Service } from "../shared/service.ts";

const MAX_DAYS_AHEAD = 30;

/** Number of days by which the clock is ahead of the last recorded hour, if that is more than is plausible. */
export function countDaysAhead(now: number, recordedAt: number | null): number | undefined {
  if (recordedAt === null || now - recordedAt <= MAX_DAYS_AHEAD * DAY) return undefined;
  return Math.floor((now - recordedAt) / DAY);
}

interface Deps extends Pick<CommonDeps, "write" | "clock" | "schedule" | "log"> {
  /** Reads committed data. */
  installation: Pick<InstallationRepository, "read">;
  database: Pick<Database, "runAtOneInstance">;
}

/**
 * Data that is deleted because a machine's battery or time server failed can't be recovered. So nothing is deleted by
 * age in the first hour after a start, or while the clock is more than 30 days ahead of the hour that was recorded
 * last. The service records the time each hour unless it is implausible; `doctor --trust-clock` records it in any case.
 */
export class ClockTrust extends Service<Deps> {
  #recordedAt: number | null = null;
  #hasRunAnHour = false;
  #isStopped = false;
  #cancelHour: Cancel = () => {};
  #cancelRetry: Cancel = () => {};
  #running: Promise<void> = Promise.resolve();

  isTrusted(): boolean {
    if (!this.#hasRunAnHour || this.#recordedAt === null) return false;
    return countDaysAhead(this.deps.clock.now(), this.#recordedAt) === undefined;
  }

  start(): void {
    this.#recordNow();
    this.#cancelHour = this.deps.schedule(HOUR, () => {
      this.#hasRunAnHour = true;
      this.start();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelHour();
    this.#cancelRetry();
    await this.#running;
  }

  /** After a failure it tries again in a minute: until then, nothing is deleted by age. */
  #recordNow(): void {
    const { schedule, log } = this.deps;
    this.#cancelRetry();
    this.#running = this.#recordAlone().catch((error) => {
      log.error({ err: error }, "could not record the current hour; it is tried again in a minute");
      if (!this.#isStopped) this.#cancelRetry = schedule(MINUTE, () => this.#recordNow());
    });
  }

  async #recordAlone(): Promise<void> {
    const { installation, database } = this.deps;
    const ran = await database.runAtOneInstance("recorded-hour", () => this.#record());
    if (!ran) this.#recordedAt = (await installation.read()).lastHour;
  }

  async #record(): Promise<void> {
    const { installation, write, clock, log } = this.deps;
    const { lastHour: last } = await installation.read();
    const now = clock.now();
    const days = countDaysAhead(now, last);
    this.#recordedAt = last;
    if (days !== undefined) {
      const since = last === null ? undefined : isoTime(last);
      log.warn(
        { days, since },
        "the clock is far ahead of the last recorded hour: nothing is deleted by age",
      );
      return;
    }
    if (this.#isStopped) return;
    await write((repositories) => repositories.installation.update({ lastHour: now }));
    this.#recordedAt = now;
  }
}
