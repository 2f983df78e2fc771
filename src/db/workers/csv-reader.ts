/** Rows as CSV, read and written down by the report workers: a million of them don't hold up the event loop. */
import type { AskedWorker } from "./asked-worker.ts";
import { type RecordsOptions, reportRecords } from "./report-protocol.ts";

/** A statement that Kysely has compiled. */
interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export class CsvReader {
  readonly #workers: readonly AskedWorker[];
  #next = 0;

  /** @param workers take turns */
  constructor(workers: readonly AskedWorker[]) {
    this.#workers = workers;
  }

  /** The rows of a query as records. Columns whose names end with `At` hold epoch milliseconds, and go out as times. */
  async read({ sql, parameters }: Statement, options: RecordsOptions): Promise<ArrayBuffer> {
    const worker = this.#workers[this.#next];
    this.#next = (this.#next + 1) % this.#workers.length;
    return reportRecords.parse(await worker?.ask({ sql, parameters, csv: options }));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}
