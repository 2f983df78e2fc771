/** Counts of downloads by what they have in common, exact and fresh: asked of the model that a worker thread keeps. */
import { WorkerThread } from "../../db/workers/worker-thread.ts";
import type { EventFilter } from "../exports/download-log.ts";
import type { CountKey, CountQuestion, CountResponse } from "./answers.ts";

export interface Counts {
  /** Events. By book: those that delivered the book alone. */
  downloads: number;
  /** Books that they delivered. By book: events that delivered it, alone or within a whole language. */
  books: number;
  /** Those of `downloads` that were redeemed. */
  redeemed: number;
  /** Distinct contacts. By book: over both kinds of events. */
  contacts: number;
}

export type LanguageCounts = Counts & { languageId: number };
export type CountryCounts = Counts & { countryCode: string | null };
export type DeviceCounts = Counts & { deviceType: string };
/** `start` is that of the period, in epoch milliseconds. */
export type PeriodCounts = Counts & { start: number };
export type BookCounts = Counts & { bookId: string };

/** Fewer are read within half a second, and the memory of a thread is saved until the first report. */
const MANY_EVENTS = 100_000;

/** Rows are those that have any download, periods in their order, others in none. */
export class EventCounts {
  readonly #thread: WorkerThread<readonly CountQuestion[], CountResponse[]>;
  #asked: Asked[] = [];

  /** @param file of the database */
  constructor(file: string) {
    this.#thread = new WorkerThread({ script: new URL("./worker.ts", import.meta.url), data: file });
  }

  /**
   * After a start, reads the events for the first report if they are many. Never rejects: when it fails, the first
   * report tries again and says why.
   */
  async warmUp(events: { newestId(): Promise<number> }): Promise<void> {
    try {
      if ((await events.newestId()) >= MANY_EVENTS) await this.#thread.ask([]);
    } catch {
      // The service may have stopped meanwhile.
    }
  }

  async totals(filter: EventFilter): Promise<Counts> {
    const [row] = await this.#ask({ by: "everything", filter });
    return row?.counts ?? { downloads: 0, books: 0, redeemed: 0, contacts: 0 };
  }

  async byLanguage(filter: EventFilter): Promise<LanguageCounts[]> {
    const rows = await this.#ask({ by: "language", filter });
    return rows.map(({ key, counts }) => ({ languageId: Number(key), ...counts }));
  }

  async byCountry(filter: EventFilter): Promise<CountryCounts[]> {
    const rows = await this.#ask({ by: "country", filter });
    return rows.map(({ key, counts }) => ({ countryCode: key === null ? null : String(key), ...counts }));
  }

  async byDevice(filter: EventFilter): Promise<DeviceCounts[]> {
    const rows = await this.#ask({ by: "device", filter });
    return rows.map(({ key, counts }) => ({ deviceType: String(key), ...counts }));
  }

  /** @param starts of the periods, ascending epoch milliseconds, and in the end that of the last one */
  async byPeriod(filter: EventFilter, starts: readonly number[]): Promise<PeriodCounts[]> {
    const rows = await this.#ask({ by: "period", filter, starts: Float64Array.from(starts) });
    return rows.map(({ key, counts }) => ({ start: Number(key), ...counts }));
  }

  async byBook(filter: EventFilter): Promise<BookCounts[]> {
    const rows = await this.#ask({ by: "book", filter });
    return rows.map(({ key, counts }) => ({ bookId: String(key), ...counts }));
  }

  /** Questions under way are rejected, and so are later ones. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Questions of one turn go together: they are answered from the same state. */
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
  books: columns.books[row] ?? 0,
  redeemed: columns.redeemed[row] ?? 0,
  contacts: columns.contacts[row] ?? 0,
});
