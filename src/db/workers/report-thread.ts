/** Statements that run in the threads of reports: asked through Kysely, or as the records of a CSV file. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { RecordsOptions, ReportQuestion, Statement } from "./report-worker.ts";
import { WorkerThread } from "./worker-thread.ts";

export type ReportThread = WorkerThread<ReportQuestion, unknown>;

/** With 2, the rows of an export cost twice the time; with 8, a server that also exports keeps 12 MB more. */
const YOUNG_MEGABYTES = 4;

/** @param file of the database */
export const reportThread = (file: string): ReportThread =>
  new WorkerThread({
    script: new URL("./report-worker.ts", import.meta.url),
    data: file,
    youngMegabytes: YOUNG_MEGABYTES,
  });

/** Rows as CSV, read and written by the threads: a million of them don't hold up the event loop. */
export class CsvReader {
  readonly #threads: readonly ReportThread[];
  #next = 0;

  /** @param threads take turns */
  constructor(threads: readonly ReportThread[]) {
    this.#threads = threads;
  }

  /** The rows of a query as records. Columns whose names end with `At` hold epoch milliseconds, and go out as times. */
  async read({ sql, parameters }: Statement, options: RecordsOptions): Promise<ArrayBuffer> {
    const thread = this.#threads[this.#next];
    this.#next = (this.#next + 1) % this.#threads.length;
    const records = await thread?.ask({ sql, parameters, csv: options });
    if (records instanceof ArrayBuffer) return records;
    throw new TypeError("The thread sent no records");
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** A Kysely dialect whose only connection is a thread: queries are written as anywhere else, and run there. */
export function reportDialect(thread: ReportThread): Dialect {
  return {
    createAdapter: () => new ReportAdapter(),
    createDriver: () => new ReportDriver(thread),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The thread has a queue: the next query needn't wait for the response to the last one before it is sent. */
class ReportAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReportDriver implements Driver {
  readonly #thread: ReportThread;

  constructor(thread: ReportThread) {
    this.#thread = thread;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>(query: CompiledQuery) => this.#execute<R>(query),
      streamQuery() {
        throw new Error("Reports page by key; they are not streamed from an open statement");
      },
    };
  }

  async beginTransaction(): Promise<void> {
    throw new Error("The report handle only reads");
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#thread.close();
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // The type of a query's rows is the query's own claim, as with every driver of Kysely.
    return { rows: (await this.#thread.ask({ sql, parameters })) as R[] };
  }
}
