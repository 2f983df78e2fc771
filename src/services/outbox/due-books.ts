/** Tells others of books that have become due: an event for each of their dates, soon after it. */
import type { Logger } from "../../adapters/logger.ts";
import type { Cancel, Clock, Scheduler } from "../../adapters/system.ts";
import { HOUR, SECOND } from "../../lib/time.ts";
import type { DueBooksRepository } from "../../repositories/due-books.repository.ts";
import type { WriteRecords } from "../../repositories/index.ts";
import { Service } from "../shared/service.ts";

const LOOK_EVERY_MS = 10 * SECOND;

interface DueBooksDeps {
  reads: { dueBooks: Pick<DueBooksRepository, "readAnnouncedUntil" | "list"> };
  write: WriteRecords;
  clock: Clock;
  schedule: Scheduler;
  log: Pick<Logger, "warn">;
}

/** Readers don't wait for it: whether they get a book is decided when they ask. */
export class DueBooks extends Service<DueBooksDeps> {
  #cancel: Cancel = () => {};
  #running: Promise<void> | undefined;
  #isStopped = false;

  /** Looks now, and then again and again. */
  start(): void {
    this.#cancel();
    if (this.#isStopped) return;
    void this.look();
    this.#cancel = this.deps.schedule(LOOK_EVERY_MS, () => this.start());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }

  /** Adds the events of all dates that have passed since the last look of any instance. */
  look(): Promise<void> {
    this.#running ??= this.#announce()
      .catch((error) => this.deps.log.warn({ err: error }, "could not look for books that have become due"))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #announce(): Promise<void> {
    const { reads, write, clock } = this.deps;
    const now = clock.now();
    const known = await reads.dueBooks.readAnnouncedUntil();
    // A clock that was far ahead must not silence the right one for long.
    const wasAhead = known > now + HOUR;
    if (!wasAhead && (await reads.dueBooks.list(known, now)).length === 0) return;
    await write(async ({ dueBooks, outbox }) => {
      // Another instance may have told of them since.
      if ((await dueBooks.readAnnouncedUntil()) !== known) return;
      const due = await dueBooks.list(known, now);
      await outbox.add(...due.map((bookId) => ({ event: "book.changed", at: now, bookId }) as const));
      await dueBooks.setAnnouncedUntil(now);
    });
  }
}
