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
import { type ReportAnswer, reportAnswer } from "./report-protocol.ts";

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
      // Throws for a parameter that can't be sent: before anybody waits for its answer.
      worker.postMessage({ id, sql: query.sql, parameters: query.parameters });
      worker.ref();
      this.#waiting.set(id, { resolve: (rows) => resolve(rows as R[]), reject });
    });
  }

  #start(): Worker {
    const script = new URL("./report-worker.ts", import.meta.url);
    // Flags of the process, such as those of a debugger, are not for the worker.
    const worker = new Worker(script, { workerData: this.#file, execArgv: [] });
    const fail = (fault: Error) => this.#fail(worker, fault);
    worker.on("message", (message: unknown) => this.#settle(worker, reportAnswer.parse(message)));
    worker.on("messageerror", fail);
    worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => fail(new Error("The report worker has stopped")));
    return worker;
  }

  #settle(worker: Worker, answer: ReportAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    // An idle worker keeps no process alive.
    if (this.#waiting.size === 0) worker.unref();
    if ("fault" in answer) waiting?.reject(new Error(answer.fault));
    else waiting?.resolve(answer.rows);
  }

  /** Those who wait are told; the next question starts a new worker, which the end of this one doesn't concern. */
  #fail(worker: Worker, fault: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(fault);
    this.#waiting.clear();
  }
}
