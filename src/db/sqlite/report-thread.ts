/** Runs statements on worker threads: for Kysely, or to create CSV records. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { WorkerThread } from "../workers/worker-thread.ts";
import type { ReportQuestion } from "./report-worker.ts";

export type ReportThread = WorkerThread<ReportQuestion, unknown>;

/** With 2, reading rows for an export takes twice as long; with 8, a server that exports uses 12 MB more. */
const YOUNG_MEGABYTES = 4;

/** @param file of the database */
export const reportThread = (file: string, priority: { isLowPriority?: boolean } = {}): ReportThread =>
  new WorkerThread({
    script: new URL("./report-worker.ts", import.meta.url),
    data: file,
    youngMegabytes: YOUNG_MEGABYTES,
    ...priority,
  });

/** A Kysely dialect whose only connection is a worker thread: queries are written as usual and run there. */
export function reportDialect(thread: ReportThread): Dialect {
  return {
    createAdapter: () => new ReportAdapter(),
    createDriver: () => new ReportDriver(thread),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The thread has a queue, so queries are sent without waiting for earlier responses. */
class ReportAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReportDriver extends DummyDriver {
  readonly #thread: ReportThread;

  constructor(thread: ReportThread) {
    super();
    this.#thread = thread;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>(query: CompiledQuery) => this.#execute<R>(query),
      streamQuery() {
        throw new Error("Reports page by key; they are not streamed from an open statement");
      },
    };
  }

  override async beginTransaction(): Promise<void> {
    throw new Error("The report handle only reads");
  }

  override async destroy(): Promise<void> {
    await this.#thread.close();
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // The query determines the type of its rows, as with every Kysely driver.
    return { rows: (await this.#thread.ask({ sql, parameters })) as R[] };
  }
}
