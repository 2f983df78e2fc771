/** Counts of downloads by what they have in common, exact and fresh: asked of the model that a worker thread keeps. */
import { z } from "zod";
import { AskedWorker } from "../../db/workers/asked-worker.ts";
import type { EventFilter } from "../exports/download-log.ts";
import { type CountQuestion, type CountResponse, countResponses } from "./protocol.ts";

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

/** Rows are those that have any download, periods in their order, others in none. */
export class EventCounts {
  readonly #worker: AskedWorker;
  #asked: Asked[] = [];

  /** @param uses the database, and the file in which the model is kept between starts */
  constructor(deps: { database: string; snapshot: string }) {
    const script = new URL("./worker.ts", import.meta.url);
    this.#worker = new AskedWorker(script, deps);
  }

  async totals(filter: EventFilter): Promise<Counts> {
    const [row] = await this.#ask({ by: "everything", filter }, z.literal(""));
    return row?.counts ?? { downloads: 0, books: 0, redeemed: 0, contacts: 0 };
  }

  async byLanguage(filter: EventFilter): Promise<LanguageCounts[]> {
    const rows = await this.#ask({ by: "language", filter }, z.int());
    return rows.map(({ key: languageId, counts }) => ({ languageId, ...counts }));
  }

  async byCountry(filter: EventFilter): Promise<CountryCounts[]> {
    const rows = await this.#ask({ by: "country", filter }, z.string().nullable());
    return rows.map(({ key: countryCode, counts }) => ({ countryCode, ...counts }));
  }

  async byDevice(filter: EventFilter): Promise<DeviceCounts[]> {
    const rows = await this.#ask({ by: "device", filter }, z.string());
    return rows.map(({ key: deviceType, counts }) => ({ deviceType, ...counts }));
  }

  /** @param starts of the periods, ascending epoch milliseconds, and in the end that of the last one */
  async byPeriod(filter: EventFilter, starts: readonly number[]): Promise<PeriodCounts[]> {
    const rows = await this.#ask({ by: "period", filter, starts: Float64Array.from(starts) }, z.number());
    return rows.map(({ key: start, counts }) => ({ start, ...counts }));
  }

  async byBook(filter: EventFilter): Promise<BookCounts[]> {
    const rows = await this.#ask({ by: "book", filter }, z.string());
    return rows.map(({ key: bookId, counts }) => ({ bookId, ...counts }));
  }

  /** Those who wait are told; so is whoever asks later. */
  close(): Promise<void> {
    return this.#worker.close();
  }

  /** Questions of one turn go together: they are answered from the same state. */
  async #ask<K>(question: CountQuestion, key: z.ZodType<K>): Promise<{ key: K; counts: Counts }[]> {
    if (this.#asked.length === 0) queueMicrotask(() => this.#send());
    const { keys, ...columns } = await new Promise<CountResponse>((resolve, reject) => {
      this.#asked.push({ question, resolve, reject });
    });
    return z
      .array(key)
      .parse(keys)
      .map((each, row) => ({ key: each, counts: countsAt(columns, row) }));
  }

  async #send(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const response = await this.#worker.ask(asked.map(({ question }) => question));
      const responses = countResponses(asked.length).parse(response);
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
