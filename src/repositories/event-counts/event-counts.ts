/** Exact and current counts of downloads by dimension, computed by a worker thread from its in-memory model. */
import { type Scheduler, systemScheduler } from "../../adapters/system.ts";
import type { DatabaseSource } from "../../db/database.ts";
import { WorkerThread } from "../../db/workers/worker-thread.ts";
import { unavailable } from "../../errors.ts";
import { mapInTurns } from "../../lib/event-loop.ts";
import type { EventFilter } from "../exports/download-log.ts";
import type { CountKey, CountQuestion, CountResponse, GroupedKind, OtherGroups } from "./count-query.ts";
import { type Campaign, campaignOf } from "./origins.ts";
import { ReadingProgress } from "./reading-progress.ts";
import type { CountsData, CountsTask } from "./worker.ts";

export interface Counts {
  /** Events. By book: events that delivered only this book. */
  downloads: number;
  /** The redeemed ones among `downloads`. */
  redeemed: number;
  /** Delivered books. By book: events that delivered it, alone or within a whole language. */
  books: number;
  /** Distinct contacts. By book: of both kinds of events. */
  contacts: number;
}

export const NO_COUNTS: Counts = { downloads: 0, redeemed: 0, books: 0, contacts: 0 };
const NO_OTHERS: OtherGroups = { groups: 0, downloads: 0, books: 0, contacts: 0 };

/**
 * Fewer events are read within half a second, and the thread isn't started before the first report, which saves memory.
 */
const MANY_EVENTS = 100_000;

/** How long a report waits until all events are read, and how long its client should wait before it tries again. */
const MAX_WAIT_MS = 10_000;

/**
 * Groups without downloads are omitted. Periods are in chronological order; other groups are unordered. Every method
 * throws 503 `reports_in_preparation` if reading all events takes longer than ten seconds (the reading continues).
 */
export class EventCounts {
  readonly #thread: WorkerThread<CountsTask, CountResponse[] | undefined>;
  readonly #progress = new ReadingProgress();
  readonly #schedule: Scheduler;
  #asked: Asked[] = [];
  #reading: Promise<unknown> | undefined;

  constructor(source: DatabaseSource, schedule = systemScheduler) {
    const data: CountsData = { source, progress: this.#progress.shared };
    const script = new URL("./worker.ts", import.meta.url);
    this.#thread = new WorkerThread({ script, data, isLowPriority: false });
    this.#schedule = schedule;
  }

  /** Whether all events are being read, so that a report would wait. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /**
   * If there are many events, reads them after a start, before the first report. Never rejects: if it fails, the first
   * report tries again and reports the error.
   */
  async warmUp(events: { findNewestId(): Promise<number> }): Promise<void> {
    try {
      const newest = await events.findNewestId();
      if (newest < MANY_EVENTS) return;
      this.#progress.begin(newest);
      await this.#readOnce();
    } catch {
      // The service may have stopped since.
    }
  }

  async countTotals(filter: EventFilter): Promise<Counts> {
    const [row] = await this.#ask({ by: "everything", filter });
    return row?.counts ?? NO_COUNTS;
  }

  async countByLanguage(filter: EventFilter) {
    const rows = await this.#ask({ by: "language", filter });
    return rows.map(({ key, counts }) => ({ languageId: Number(key), ...counts }));
  }

  async countByCountry(filter: EventFilter) {
    const rows = await this.#ask({ by: "country", filter });
    return rows.map(({ key, counts }) => ({ countryCode: key === null ? null : String(key), ...counts }));
  }

  async countByDevice(filter: EventFilter) {
    const rows = await this.#ask({ by: "device", filter });
    return rows.map(({ key, counts }) => ({ deviceType: String(key), ...counts }));
  }

  /** The campaigns with the most downloads, most first, and the others together. */
  async byCampaign(
    filter: EventFilter,
    limit: number,
  ): Promise<{ campaigns: (Campaign & Counts)[]; others: OtherGroups }> {
    const response = await this.#send({ by: "campaign", limit, filter });
    const rows = await rowsOf(response);
    return {
      campaigns: rows.map(({ key, counts }) => ({ ...campaignOf(String(key)), ...counts })),
      others: response.others ?? NO_OTHERS,
    };
  }

  /** Distinct contacts of all groups except those with the given keys. */
  async contactsOfRest(of: GroupedKind, without: readonly CountKey[], filter: EventFilter): Promise<number> {
    const rows = await this.#ask({ by: "rest", of, without, filter });
    return rows.find(({ key }) => key !== null)?.counts.contacts ?? 0;
  }

  /**
   * @param starts of the periods in ascending epoch milliseconds, followed by the end of the last one
   * @returns the counts by start
   */
  async countByPeriod(filter: EventFilter, starts: readonly number[]) {
    const rows = await this.#ask({ by: "period", filter, starts: Float64Array.from(starts) });
    return rows.map(({ key, counts }) => ({ start: Number(key), ...counts }));
  }

  async countByBook(filter: EventFilter) {
    const rows = await this.#ask({ by: "book", filter });
    return rows.map(({ key, counts }) => ({ bookId: String(key), ...counts }));
  }

  /** Rejects pending and later queries. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask(question: CountQuestion): Promise<CountedRow[]> {
    return rowsOf(await this.#send(question));
  }

  /** Queries of the same event-loop turn are sent together and see the same state. */
  #send(question: CountQuestion): Promise<CountResponse> {
    if (this.#asked.length === 0) queueMicrotask(() => this.#sendAll());
    return new Promise<CountResponse>((resolve, reject) => {
      this.#asked.push({ question, resolve, reject });
    });
  }

  async #sendAll(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const responses = await this.#responsesTo(asked.map(({ question }) => question));
      for (const [index, { resolve }] of asked.entries()) {
        const own = responses[index];
        if (own) resolve(own);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /** Questions wait here during a reading: those in the queue of the thread couldn't be withdrawn. */
  async #responsesTo(questions: readonly CountQuestion[]): Promise<CountResponse[]> {
    for (;;) {
      const responses = this.#reading ? undefined : await this.#thread.ask(questions);
      if (responses) return responses;
      await this.#waitForReading();
    }
  }

  /** Lets the reading hurry, and waits for it. */
  async #waitForReading(): Promise<void> {
    this.#progress.hurry();
    const waiting = Promise.withResolvers<never>();
    const cancel = this.#schedule(MAX_WAIT_MS, () => waiting.reject(inPreparation(this.#progress.state)));
    try {
      await Promise.race([this.#readOnce(), waiting.promise]);
    } finally {
      cancel();
    }
  }

  #readOnce(): Promise<unknown> {
    this.#reading ??= this.#thread.ask("read").finally(() => {
      this.#reading = undefined;
      this.#progress.end();
    });
    return this.#reading;
  }
}

const inPreparation = (progress: { done: number; of: number }) =>
  unavailable("reports_in_preparation", "The downloads are still being read. Try again in a few seconds.", {
    headers: { "Retry-After": String(MAX_WAIT_MS / 1000) },
    progress,
  });

interface Asked {
  question: CountQuestion;
  resolve(response: CountResponse): void;
  reject(failure: unknown): void;
}

interface CountedRow {
  key: CountKey;
  counts: Counts;
}

const rowsOf = ({ keys, ...columns }: CountResponse): Promise<CountedRow[]> =>
  mapInTurns(keys.entries(), ([row, key]) => ({ key, counts: countsAt(columns, row) }));

const countsAt = (columns: Omit<CountResponse, "keys">, row: number): Counts => ({
  downloads: columns.downloads[row] ?? 0,
  redeemed: columns.redeemed[row] ?? 0,
  books: columns.books[row] ?? 0,
  contacts: columns.contacts[row] ?? 0,
});
