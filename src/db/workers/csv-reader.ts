/** Reads rows and formats them as CSV on worker threads, so that a million rows don't block the event loop. */
import type { RecordsOptions, Statement } from "../csv-records.ts";
import type { WorkerThread } from "./worker-thread.ts";

export interface CsvQuestion extends Statement {
  csv: RecordsOptions;
}

export type CsvThread = Pick<WorkerThread<CsvQuestion, unknown>, "ask" | "close">;

export class CsvReader {
  readonly #threads: readonly CsvThread[];
  #next = 0;

  /** @param threads used alternately; each responds with the records in UTF-8 */
  constructor(threads: readonly CsvThread[]) {
    this.#threads = threads;
  }

  /**
   * The rows of a query as CSV records. Columns whose names end with `At` contain epoch milliseconds and are formatted
   * as times.
   */
  async read({ sql, parameters }: Statement, csv: RecordsOptions): Promise<ArrayBuffer> {
    const thread = this.#threads[this.#next];
    this.#next = (this.#next + 1) % this.#threads.length;
    const records = await thread?.ask({ sql, parameters, csv });
    if (records instanceof ArrayBuffer) return records;
    throw new TypeError("The thread sent no records");
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
