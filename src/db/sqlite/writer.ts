/** The SQLite connection that writes. Its statements run synchronously. */
import type { WritingConnection } from "../group-commit.ts";
import type { BookTrigrams } from "./book-trigrams.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { BUSY_TIMEOUT_MS, type Connection } from "./connection.ts";
import { classifySqliteError } from "./error-kind.ts";

/** Between two attempts to begin beside the lock of another program. */
const MAX_PAUSE_MS = 50;

const WAITS_ELSEWHERE = Symbol("the work waits for something other than the database");

export class SqliteWriter implements WritingConnection {
  readonly isRemote = false;
  readonly #connection: Connection;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #trigrams: BookTrigrams | undefined;
  /** The first work of a transaction needs no savepoint: nothing else is lost if the transaction is undone. */
  #isFirst = true;
  /** Whether the first work was undone, and the next one begins the transaction again. */
  #isUndone = false;
  /** Whether a statement runs without a transaction around it. */
  #isStatement = false;
  /** Prepared, because each write runs two of them. */
  readonly #run: ReturnType<typeof prepareStatements>;

  constructor(
    connection: Connection,
    { checkpoints, trigrams }: { checkpoints?: Checkpoints; trigrams?: BookTrigrams } = {},
  ) {
    this.#connection = connection;
    this.#checkpoints = checkpoints;
    this.#trigrams = trigrams;
    this.#run = prepareStatements(connection);
    // SQLite would wait for the lock of another program on the event loop, and every request with it.
    connection.pragma("busy_timeout = 0");
  }

  get isOpen(): boolean {
    return this.#connection.inTransaction || this.#isUndone || this.#isStatement;
  }

  async begin(): Promise<void> {
    this.#isFirst = true;
    this.#isUndone = false;
    await this.#checkpoints?.pause;
    const until = performance.now() + BUSY_TIMEOUT_MS;
    for (let pauseMs = 1; !this.#beginNow(until); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS))
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  /** @returns false while another program writes; its lock is thrown as an error only after `until` */
  #beginNow(until: number): boolean {
    try {
      this.#run.begin.run();
      return true;
    } catch (error) {
      if (classifySqliteError(error) !== "busy" || performance.now() >= until) throw error;
      return false;
    }
  }

  async commit(): Promise<void> {
    if (this.#isUndone) return this.rollBack();
    await this.#trigrams?.indexChanged();
    this.#run.commit.run();
    this.#checkpoints?.startIfDue();
  }

  async rollBack(): Promise<void> {
    if (!this.#isUndone) this.#run.rollBack.run();
    this.#isUndone = false;
  }

  async beginWork(): Promise<void> {
    if (this.#isUndone) await this.begin();
    if (!this.#isFirst) this.#run.beginWork.run();
  }

  async endWork(): Promise<void> {
    if (!this.#isFirst) this.#run.endWork.run();
    this.#isFirst = false;
  }

  async undoWork(): Promise<void> {
    if (this.#isFirst) {
      this.#run.rollBack.run();
      this.#isUndone = true;
    } else {
      this.#run.undoWork.run();
      this.#run.endWork.run();
    }
  }

  async runStatement(run: () => Promise<void>): Promise<boolean> {
    await this.#checkpoints?.pause;
    this.#isStatement = true;
    try {
      await run();
    } catch (error) {
      if (classifySqliteError(error) !== "busy") throw error;
      return false;
    } finally {
      this.#isStatement = false;
    }
    this.#checkpoints?.startIfDue();
    return true;
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
