/** The PostgreSQL connection that writes. One lock makes it the only one of all instances until its transaction ends. */
import pg from "pg";
import type { WritingConnection } from "../group-commit.ts";
import { transactionUndone } from "../storage-error.ts";
import { connect, executeAll, giveBack, silentAt } from "./connection.ts";
import { CONNECTION_LOST } from "./error-kind.ts";
import { LOCK_WRITER } from "./locks.ts";

const BEGIN = `begin; ${LOCK_WRITER}; `;

/** How long a work may run no statement. Meanwhile no instance can write. */
const MAX_PAUSE_MS = 2000;

export class PostgresWriter implements WritingConnection {
  readonly isRemote = true;
  /** The time from the beginnings of transactions until no other instance wrote. */
  lockWaitMs = 0;
  readonly #pool: pg.Pool;
  /** When the server last responded to a begin. */
  #respondedAt = 0;
  #client: pg.PoolClient | undefined;
  /** Statements of the work that haven't ended yet. */
  #running = 0;
  /** Whether a statement of the work has failed, of which the work may not know or care. */
  #hasFailed = false;
  #pausedSince = 0;
  /** Sent together with the begin of the next work, which saves a round trip. */
  #due = "";
  /** The first work of a transaction needs no savepoint: nothing else is lost if the transaction is undone. */
  #isFirst = true;
  readonly #renewal: string;
  /** Connections to a server of which it is known that it is the one of the epoch, or on which the epoch was renewed. */
  readonly #recognised = new WeakSet<pg.PoolClient>();
  /** The response to the begin of the current work. */
  #begun: Promise<unknown> = Promise.resolve();

  /**
   * @param pool of a single connection that sends statements without waiting, and that nothing else uses
   * @param renewal the statement with which the first transaction of each connection begins
   */
  constructor(pool: pg.Pool, renewal: string) {
    this.#pool = pool;
    this.#renewal = renewal;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Whether the server has been silent beyond the limit for a statement, and hasn't responded since. */
  get isSilent(): boolean {
    return silentAt(this.#pool) > this.#respondedAt;
  }

  /** For one statement of the transaction. Those of one turn of the event loop are sent together. */
  acquire(): pg.PoolClient {
    const client = this.#open;
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    this.#running += 1;
    return client;
  }

  release(hasFailed: boolean): void {
    this.#running -= 1;
    this.#hasFailed ||= hasFailed;
    this.#pausedSince = performance.now();
  }

  async begin(): Promise<void> {
    const client = await connect(this.#pool);
    client.once("error", this.#lose);
    this.#client = client;
    this.#beginLater(client);
    this.#running = 0;
  }

  #beginLater(client: pg.PoolClient): void {
    this.#isFirst = true;
    // A standby is recognised only after its promotion: until then, no transaction is committed.
    this.#due = this.#recognised.has(client) ? BEGIN : `${BEGIN}${this.#renewal}; `;
  }

  get #hasBegun(): boolean {
    return !this.#due.startsWith(BEGIN);
  }

  /** Throws if it isn't known whether the transaction was committed. */
  async commit(): Promise<void> {
    const client = this.#open;
    if (!this.#hasBegun) return this.#giveBack(client, false);
    try {
      const { command } = await executeAll(client, "commit");
      if (command !== "COMMIT") throw transactionUndone();
      this.#recognised.add(client);
      this.#giveBack(client, false);
    } catch (error) {
      this.#giveBack(client, true);
      throw error;
    }
  }

  async rollBack(): Promise<void> {
    const client = this.#open;
    try {
      await executeAll(client, "rollback");
      this.#giveBack(client, false);
    } catch (error) {
      this.#giveBack(client, true);
      throw error;
    }
  }

  /** The first statement of the work follows without waiting for the response: if this fails, so does that. */
  async beginWork(): Promise<void> {
    const since = performance.now();
    const isFirst = this.#isFirst;
    const begun = executeAll(this.#open, isFirst ? this.#due : `${this.#due}savepoint work`).then(() => {
      this.#respondedAt = performance.now();
      if (isFirst) this.lockWaitMs += this.#respondedAt - since;
    }, this.#noteResponse);
    begun.catch(() => {});
    this.#begun = begun;
    this.#due = "";
    this.#hasFailed = false;
  }

  /** Throws if a statement has failed, even if the work has ignored that. */
  async endWork(): Promise<void> {
    await this.#begun;
    if (this.#hasFailed) throw transactionUndone();
    this.#due = this.#isFirst ? "" : "release work; ";
    this.#isFirst = false;
  }

  /** Throws if the work couldn't begin: the savepoint would be that of the work before. */
  async undoWork(): Promise<void> {
    await this.#begun;
    const client = this.#open;
    await executeAll(client, this.#isFirst ? "rollback" : "rollback to work; release work");
    if (this.#isFirst) this.#beginLater(client);
  }

  /** Rejects with the error of the begin, if that has failed: it is why the statements of the work have failed, too. */
  async runLimited<T>(work: Promise<T>): Promise<T> {
    const { promise: stalled, reject } = Promise.withResolvers<never>();
    this.#pausedSince = performance.now();
    const timer = setInterval(() => {
      const isStalled = this.#running === 0 && performance.now() - this.#pausedSince > MAX_PAUSE_MS;
      if (isStalled) reject(new Error("A write waited for something other than the database"));
    }, MAX_PAUSE_MS / 2);
    try {
      return await Promise.race([work, stalled, this.#begun.then(() => stalled)]);
    } finally {
      clearInterval(timer);
    }
  }

  /** An error of the server is a response, too. */
  readonly #noteResponse = (error: unknown): never => {
    if (error instanceof pg.DatabaseError) this.#respondedAt = performance.now();
    throw error;
  };

  get #open(): pg.PoolClient {
    if (this.#client) return this.#client;
    throw Object.assign(new Error("The connection to the database was lost"), { code: CONNECTION_LOST });
  }

  readonly #lose = (): void => {
    if (this.#client) this.#giveBack(this.#client, true);
  };

  #giveBack(client: pg.PoolClient, isBroken: boolean): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.off("error", this.#lose);
    // Without a listener, a further error of a broken connection would end the process.
    if (isBroken) client.on("error", () => {});
    giveBack(client, isBroken);
  }
}
