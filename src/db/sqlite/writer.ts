/** The SQLite connection that writes. Its statements run synchronously. */
import type { WritingConnection } from "../group-commit.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Connection } from "./connection.ts";

const WAITS_ELSEWHERE = Symbol("the work waits for something other than the database");

export class SqliteWriter implements WritingConnection {
  readonly #connection: Connection;
  readonly #checkpoints: Checkpoints | undefined;

  constructor(connection: Connection, checkpoints?: Checkpoints) {
    this.#connection = connection;
    this.#checkpoints = checkpoints;
  }

  get isOpen(): boolean {
    return this.#connection.inTransaction;
  }

  async begin(): Promise<void> {
    await this.#checkpoints?.pause;
    this.#connection.exec("begin immediate");
  }

  async commit(): Promise<void> {
    this.#connection.exec("commit");
    this.#checkpoints?.look();
  }

  async rollBack(): Promise<void> {
    this.#connection.exec("rollback");
  }

  async beginWork(): Promise<void> {
    this.#connection.exec("savepoint work");
  }

  async endWork(): Promise<void> {
    this.#connection.exec("release work");
  }

  async undoWork(): Promise<void> {
    this.#connection.exec("rollback to work; release work");
  }

  /** Anything that the work waits for would delay all writers, so it must end within this turn of the event loop. */
  async limited<T>(work: Promise<T>): Promise<T> {
    const result = await Promise.race([work, endOfTurn()]);
    if (result === WAITS_ELSEWHERE) throw new Error("A write waited for something other than the database");
    return result;
  }
}

/**
 * Resolves when only work that waits for external events is left. Statements run synchronously and promises settle
 * before this, so a work that hasn't ended by then waits for a timer, a file, the network or another write.
 */
const endOfTurn = (): Promise<typeof WAITS_ELSEWHERE> =>
  new Promise((resolve) => process.nextTick(resolve, WAITS_ELSEWHERE));
