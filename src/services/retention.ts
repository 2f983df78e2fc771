/** Removes readers from old events and deletes outdated change records: an hour after the start, then once a day. */
import type { Logger } from "../adapters/logger.ts";
import type { Cancel, Clock, Scheduler } from "../adapters/system.ts";
import { DAY } from "../lib/time.ts";
import type { EventPlace } from "../repositories/exports/download-log.ts";
import type { WriteRecords } from "../repositories/index.ts";
import type { OldEventsQuery } from "../repositories/old-events.ts";
import { OLD_READER } from "./contacts/consent-ledger.ts";

const HOUR = DAY / 24;
/** Events or contacts that are changed in one transaction: a disk may have to be asked for each. */
const ROWS_AT_ONCE = 25;
/** Changes of events lie side by side. */
const CHANGES_AT_ONCE = 1000;
/** Number of kept event changes: weeks of them. A reader that is further behind reads all events again. */
const CHANGES_KEPT = 100_000;

interface RetentionDeps {
  oldEvents: OldEventsQuery;
  write: WriteRecords;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
  days: number | undefined;
  isClockTrusted: () => boolean;
}

export class Retention {
  readonly #deps: RetentionDeps;
  /** Events before this time have no reader any more. */
  #done: EventPlace = { downloadedAt: 0, id: 0 };
  #cancel: Cancel = () => {};
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  /**
   * @param deps.days after which an event loses its reader; undefined: never
   * @param uses.isClockTrusted whether something may be deleted because of its age
   */
  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** At once, then once a day; while the clock isn't believed, nothing, and the question is asked again in an hour. */
  start(): void {
    if (!this.#deps.isClockTrusted()) {
      this.#cancel = this.#deps.schedule(HOUR, () => this.start());
      return;
    }
    this.run().catch((error) =>
      this.#deps.log.error({ err: error }, "could not remove readers from old events"),
    );
    this.#cancel = this.#deps.schedule(DAY, () => this.start());
  }

  /** Ends after the transaction that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running.catch(() => undefined);
  }

  /** One run after the other. */
  run(): Promise<void> {
    this.#running = this.#running.catch(() => undefined).then(() => this.#forget());
    return this.#running;
  }

  async #forget(): Promise<void> {
    if (this.#deps.days !== undefined)
      await this.#forgetReaders(this.#deps.clock.now() - this.#deps.days * DAY);
    await this.#untilFew(CHANGES_AT_ONCE, (limit) =>
      this.#deps.write(({ eventChanges }) => eventChanges.prune(CHANGES_KEPT, limit)),
    );
  }

  async #forgetReaders(before: number): Promise<void> {
    const events = await this.#untilFew(ROWS_AT_ONCE, (limit) => this.#detachSome(before, limit));
    if (!this.#isStopped) this.#done = { downloadedAt: before, id: 0 };
    const contacts = await this.#untilFew(ROWS_AT_ONCE, (limit) =>
      this.#deps.write((repositories) => repositories.contacts.deleteIdle(before, limit)),
    );
    if (events + contacts > 0) this.#deps.log.info({ events, contacts }, "removed readers from old events");
  }

  async #detachSome(before: number, limit: number): Promise<number> {
    const places = await this.#deps.oldEvents.list(before, this.#done, limit);
    const ids = places.map(({ id }) => id);
    if (ids.length > 0) {
      await this.#deps.write(async ({ events, consents }) => {
        await events.update(ids, OLD_READER);
        // Or the ledger of consents would still name the reader of the event, and the address.
        await consents.detachFrom(ids);
      });
    }
    this.#done = places.at(-1) ?? this.#done;
    return ids.length;
  }

  /** Goes on until a step finds fewer rows than it may change. @returns how many it were */
  async #untilFew(limit: number, step: (limit: number) => Promise<number>): Promise<number> {
    let total = 0;
    while (!this.#isStopped) {
      const count = await step(limit);
      total += count;
      if (count < limit) break;
    }
    return total;
  }
}
