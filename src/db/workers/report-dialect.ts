/** A Kysely dialect whose only connection is the report worker: queries are written as anywhere else, and run there. */
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
import { AskedWorker } from "./asked-worker.ts";
import { reportRows } from "./report-protocol.ts";

/** With 2, the rows of an export cost twice the time; with 8, a server that also exports keeps 12 MB more. */
const YOUNG_MEGABYTES = 4;

/** A thread in which statements run; another Kysely or a CSV reader may share it. */
export const reportWorker = (file: string): AskedWorker =>
  new AskedWorker(new URL("./report-worker.ts", import.meta.url), file, { youngMegabytes: YOUNG_MEGABYTES });

export function reportDialect(worker: AskedWorker): Dialect {
  return {
    createAdapter: () => new ReportAdapter(),
    createDriver: () => new ReportDriver(worker),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The worker has a queue: whoever has the next question doesn't wait for the answer to the last one before asking. */
class ReportAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReportDriver implements Driver {
  readonly #worker: AskedWorker;

  constructor(worker: AskedWorker) {
    this.#worker = worker;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      // The rows' type is the query's own claim, as with every Kysely driver.
      executeQuery: async <R>(query: CompiledQuery) =>
        ({ rows: await this.#ask<R>(query) }) satisfies QueryResult<R>,
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
    await this.#worker.close();
  }

  async #ask<R>({ sql, parameters }: CompiledQuery): Promise<R[]> {
    return reportRows.parse(await this.#worker.ask({ sql, parameters })) as R[];
  }
}
