/** A Kysely dialect whose only connection is the report worker: queries are written as anywhere else, and run there. */
import { Worker } from "node:worker_threads";
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
import { reportAnswer } from "./report-protocol.ts";

export function reportDialect(file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ReportDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

interface Waiting {
  resolve(rows: unknown[]): void;
  reject(fault: Error): void;
}

class ReportDriver implements Driver {
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(file: string) {
    this.#file = file;
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
    await this.#worker?.terminate();
  }

  #ask<R>(query: CompiledQuery): Promise<R[]> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (rows) => resolve(rows as R[]), reject });
      worker.ref();
      worker.postMessage({ id, sql: query.sql, parameters: query.parameters });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./report-worker.ts", import.meta.url), { workerData: this.#file });
    worker.on("message", (message: unknown) => this.#settle(reportAnswer.parse(message)));
    worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(new Error("The report worker has stopped")));
    worker.unref();
    return worker;
  }

  #settle(answer: { id: number; rows: unknown[] } | { id: number; fault: string }): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("fault" in answer) waiting?.reject(new Error(answer.fault));
    else waiting?.resolve(answer.rows);
  }

  /** Those who wait are told; the next question starts a new worker. */
  #fail(fault: Error): void {
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(fault);
    this.#waiting.clear();
  }
}
