/** The SQLite connection that writes. Its statements run synchronously. */
import type { WritingConnection } from "../group-commit.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Connection } from "./connection.ts";

const WAITS_ELSEWHERE = Symbol("the work waits for something other than the database");

export class SqliteWriter implements WritingConnection {
  readonly isRemote = false;
  readonly #connection: Connection;
  readonly #checkpoints: Checkpoints | undefined;
  /** Prepared, because each write runs two of them. */
  readonly #run: ReturnType<typeof prepareStatements>;

  constructor(connection: Connection, checkpoints?: Checkpoints) {
    this.#connection = connection;
    this.#checkpoints = checkpoints;
    this.#run = prepareStatements(connection);
  }

  get isOpen(): boolean {
    return this.#connection.inTransaction;
  }

  async begin(): Promise<void> {
    await this.#checkpoints?.pause;
    this.#run.begin.run();
  }

  async commit(): Promise<void> {
    this.#run.commit.run();
    this.#checkpoints?.look();
  }

  async rollBack(): Promise<void> {
    this.#run.rollBack.run();
  }

  async beginWork(): Promise<void> {
    this.#run.beginWork.run();
  }

  async endWork(): Promise<void> {
    this.#run.endWork.run();
  }

  async undoWork(): Promise<void> {
    this.#run.undoWork.run();
    this.#run.endWork.run();
  }

  /** Anything that the work waits for would delay all writers, so each of its turns must end with it or with a yield. */
  async runLimited<T>(work: Promise<T>, findYield: () => Promise<void> | undefined): Promise<T> {
    for (;;) {
      const result = await Promise.race([work, endOfTurn()]);
      if (result !== WAITS_ELSEWHERE) return result;
      const yielding = findYield();
      if (!yielding) throw new Error("A write waited for something other than the database");
      await yielding;
    }
  }
}

const prepareStatements = (connection: Connection) => ({
  begin: connection.prepare("begin immediate"),
  commit: connection.prepare("commit"),
  rollBack: connection.prepare("rollback"),
  beginWork: connection.prepare("savepoint work"),
  endWork: connection.prepare("release work"),
  undoWork: connection.prepare("rollback to work"),
});

/**
 * Resolves when only work that waits for external events is left. Statements run synchronously and promises settle
 * before this, so a work that hasn't ended by then waits for a timer, a file, the network or another write.
 */
const endOfTurn = (): Promise<typeof WAITS_ELSEWHERE> =>
  new Promise((resolve) => process.nextTick(resolve, WAITS_ELSEWHERE));
