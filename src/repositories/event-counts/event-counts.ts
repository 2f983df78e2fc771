/** Exact and current counts of downloads by dimension, computed by a worker thread from its in-memory model. */
import type { DatabaseSource } from "../../db/database.ts";
import { WorkerThread } from "../../db/workers/worker-thread.ts";
import type { EventFilter } from "../exports/download-log.ts";
import type { CountKey, CountQuestion, CountResponse } from "./count-query.ts";

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

/**
 * Fewer events are read within half a second, and the thread isn't started before the first report, which saves memory.
 */
const MANY_EVENTS = 100_000;

/** Groups without downloads are omitted. Periods are in chronological order; other groups are unordered. */
export class EventCounts {
  readonly #thread: WorkerThread<readonly CountQuestion[], CountResponse[]>;
  #asked: Asked[] = [];

  constructor(source: DatabaseSource) {
    this.#thread = new WorkerThread({ script: new URL("./worker.ts", import.meta.url), data: source });
  }

  /**
   * If there are many events, reads them after a start, before the first report. Never rejects: if it fails, the first
   * report tries again and reports the error.
   */
  async warmUp(events: { newestId(): Promise<number> }): Promise<void> {
    try {
      if ((await events.newestId()) >= MANY_EVENTS) await this.#thread.ask([]);
    } catch {
      // The service may have stopped since.
    }
  }

  async totals(filter: EventFilter): Promise<Counts> {
    const [row] = await this.#ask({ by: "everything", filter });
    return row?.counts ?? NO_COUNTS;
  }

  async byLanguage(filter: EventFilter) {
    const rows = await this.#ask({ by: "language", filter });
    return rows.map(({ key, counts }) => ({ languageId: Number(key), ...counts }));
  }

  async byCountry(filter: EventFilter) {
    const rows = await this.#ask({ by: "country", filter });
    return rows.map(({ key, counts }) => ({ countryCode: key === null ? null : String(key), ...counts }));
  }

  async byDevice(filter: EventFilter) {
    const rows = await this.#ask({ by: "device", filter });
    return rows.map(({ key, counts }) => ({ deviceType: String(key), ...counts }));
  }

  /**
   * @param starts of the periods in ascending epoch milliseconds, followed by the end of the last one
   * @returns the counts by start
   */
  async byPeriod(filter: EventFilter, starts: readonly number[]) {
    const rows = await this.#ask({ by: "period", filter, starts: Float64Array.from(starts) });
    return rows.map(({ key, counts }) => ({ start: Number(key), ...counts }));
  }

  async byBook(filter: EventFilter) {
    const rows = await this.#ask({ by: "book", filter });
    return rows.map(({ key, counts }) => ({ bookId: String(key), ...counts }));
  }

  /** Rejects pending and later queries. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Queries of the same event-loop turn are sent together and see the same state. */
  async #ask(question: CountQuestion): Promise<{ key: CountKey; counts: Counts }[]> {
    if (this.#asked.length === 0) queueMicrotask(() => this.#send());
    const { keys, ...columns } = await new Promise<CountResponse>((resolve, reject) => {
      this.#asked.push({ question, resolve, reject });
    });
    return keys.map((key, row) => ({ key, counts: countsAt(columns, row) }));
  }

  async #send(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const responses = await this.#thread.ask(asked.map(({ question }) => question));
      for (const [index, { resolve }] of asked.entries()) {
        const own = responses[index];
        if (own) resolve(own);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}

interface Asked {
  question: CountQuestion;
  resolve(response: CountResponse): void;
  reject(failure: unknown): void;
}

const countsAt = (columns: Omit<CountResponse, "keys">, row: number): Counts => ({
  downloads: columns.downloads[row] ?? 0,
  redeemed: columns.redeemed[row] ?? 0,
  books: columns.books[row] ?? 0,
  contacts: columns.contacts[row] ?? 0,
});
