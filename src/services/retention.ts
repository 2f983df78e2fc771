/** Anonymises old events, deletes outdated change records, jobs, former addresses, links and files that were set aside: after an hour, then once a day. */
import type { Cancel } from "../adapters/system.ts";
import type { Database } from "../db/database.ts";
import { DAY, MINUTE } from "../lib/time.ts";
import type { EventsRepository } from "../repositories/events.repository.ts";
import type { EventCursor } from "../repositories/exports/download-log.ts";
import { OLD_READER } from "./contacts/consent-ledger.ts";
import { reportErasures } from "./contacts/erase-contacts.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import { JOBS_KEPT_MS } from "./jobs.service.ts";
import { type CommonDeps, Service } from "./shared/service.ts";

/** Events or contacts per transaction. Each of them can need a disk access. */
const ROWS_AT_ONCE = 25;
/** How long imports are kept. */
export const IMPORTS_KEPT_MS = 30 * DAY;
/** How long ended deliveries of webhooks are kept. */
const DELIVERIES_KEPT_MS = 30 * DAY;
/** How long the former address of a page leads to the new one. */
export const FORMER_ADDRESSES_KEPT_MS = 365 * DAY;
/** How long expired links for passwords are kept. */
const PASSWORD_LINKS_KEPT_MS = 30 * DAY;
/** Event changes per transaction. They are stored next to each other. */
const CHANGES_AT_ONCE = 1000;
/** Number of event changes to keep, enough for weeks. A consumer that is further behind reads all events again. */
const CHANGES_KEPT = 100_000;

interface RetentionDeps extends Pick<CommonDeps, "write" | "clock" | "schedule" | "log"> {
  /** On a worker thread. */
  events: EventsRepository;
  database: Pick<Database, "runAtOneInstance">;
  /** After so many days an event is anonymised; undefined: never. */
  days: number | undefined;
  stored: Pick<StoredFiles, "deleteSetAside" | "measureSetAside">;
  removedFilesDays: number;
  isClockTrusted: () => boolean;
}

export class Retention extends Service<RetentionDeps> {
  /** Events before this position are already anonymised. */
  #done: EventCursor = { downloadedAt: 0, id: 0 };
  #cancel: Cancel = () => {};
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  /** Runs now and then once a day. While the clock isn't trusted, it does nothing and checks again each minute. */
  start(): void {
    if (!this.deps.isClockTrusted()) {
      this.#cancel = this.deps.schedule(MINUTE, () => this.start());
      return;
    }
    this.run().catch((error) => this.deps.log.error({ err: error }, "could not delete what is old"));
    this.#cancel = this.deps.schedule(DAY, () => this.start());
  }

  /** Resolves after the current transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running.catch(() => undefined);
  }

  /** Runs don't overlap. It does nothing while it runs at another instance. */
  run(): Promise<void> {
    const { database, stored } = this.deps;
    this.#running = this.#running
      .catch(() => undefined)
      .then(async () => {
        await database.runAtOneInstance("retention", () => this.#forget());
        await stored.measureSetAside();
      });
    return this.#running;
  }

  async #forget(): Promise<void> {
    if (this.deps.days !== undefined) await this.#forgetReaders(this.deps.clock.now() - this.deps.days * DAY);
    await this.#repeatUntilDone(CHANGES_AT_ONCE, (limit) =>
      this.deps.write(({ events }) => events.pruneChanges(CHANGES_KEPT, limit)),
    );
    const { write, clock } = this.deps;
    await write(({ jobs }) => jobs.deleteEnded(clock.now() - JOBS_KEPT_MS));
    await write(({ imports }) => imports.deleteOld(clock.now() - IMPORTS_KEPT_MS));
    const ended = clock.now() - DELIVERIES_KEPT_MS;
    await this.#repeatUntilDone(CHANGES_AT_ONCE, (limit) =>
      write(({ outbox }) => outbox.deleteEnded(ended, limit)),
    );
    await write(({ formerAddresses }) => formerAddresses.deleteOld(clock.now() - FORMER_ADDRESSES_KEPT_MS));
    await write(({ passwordLinks }) => passwordLinks.deleteExpired(clock.now() - PASSWORD_LINKS_KEPT_MS));
    await this.#deleteSetAside();
  }

  async #deleteSetAside(): Promise<void> {
    const { stored, clock, removedFilesDays, log } = this.deps;
    const before = clock.now() - removedFilesDays * DAY;
    const files = await stored.deleteSetAside(before, () => this.#isStopped);
    if (files > 0) log.info({ files }, "deleted old files that had been set aside");
  }

  async #forgetReaders(before: number): Promise<void> {
    const events = await this.#repeatUntilDone(ROWS_AT_ONCE, (limit) => this.#detachSome(before, limit));
    if (!this.#isStopped) this.#done = { downloadedAt: before, id: 0 };
    const contacts = await this.#repeatUntilDone(ROWS_AT_ONCE, (limit) =>
      this.deps.write(async ({ contacts: known, outbox }) => {
        const erased = await known.deleteIdle(before, limit);
        await outbox.add(...reportErasures(erased, this.deps.clock.now()));
        return erased.length;
      }),
    );
    if (events + contacts > 0) this.deps.log.info({ events, contacts }, "removed readers from old events");
  }

  async #detachSome(before: number, limit: number): Promise<number> {
    const found = await this.deps.events.listWithReader(before, this.#done, limit);
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) {
      await this.deps.write(async ({ events, consents }) => {
        await events.update(ids, OLD_READER);
        // Otherwise the consent ledger would still connect the event and its address with the reader.
        await consents.detachFrom(ids);
      });
    }
    this.#done = found.at(-1) ?? this.#done;
    return ids.length;
  }

  /** Repeats until a step changes fewer rows than its limit. @returns the number of changed rows */
  async #repeatUntilDone(limit: number, step: (limit: number) => Promise<number>): Promise<number> {
    let total = 0;
    while (!this.#isStopped) {
      const count = await step(limit);
      total += count;
      if (count < limit) break;
    }
    return total;
  }
}
