/** Keeps the WAL short: a separate thread moves committed pages into the file, because fsync is slow. */
import type { Statement } from "better-sqlite3";
import { z } from "zod";
import { WorkerThread } from "../workers/worker-thread.ts";
import type { Connection } from "./connection.ts";

export interface LogLengths {
  /** After this many new pages, a checkpoint runs concurrently with writes. */
  step: number;
  /** Above this length, writes wait for a short checkpoint: the log restarts only if it was moved completely. */
  long: number;
  /** Above this length, SQLite runs checkpoints within commits, because the thread is stuck or failing. */
  lastResort: number;
}

/** Pages of 4 KiB: 4, 16 and 400 MB. */
const PAGES: LogLengths = { step: 1000, long: 4000, lastResort: 100_000 };

const lengthSeen = z.object({ log: z.int() });

export class Checkpoints {
  readonly #writing: Connection;
  readonly #lengthOfLog: Statement;
  readonly #thread: WorkerThread<undefined, void>;
  readonly #pages: LogLengths;
  readonly #report: (failure: unknown) => void;
  /**
   * Lengths of the log: now, at the start of the last checkpoint, at the last successful one, and when writes last
   * waited.
   */
  #length = 0;
  #tried = 0;
  #done = 0;
  #paused = 0;
  #isWithinCommits = false;
  #running: Promise<void> | undefined;
  #pause: Promise<unknown> | undefined;

  /** @param deps.report is called with the error of a failed checkpoint; the next one follows after another step */
  constructor(
    writing: Connection,
    deps: { file: string; report: (failure: unknown) => void; pages?: LogLengths },
  ) {
    this.#writing = writing;
    // This mode moves nothing, and takes a few microseconds.
    this.#lengthOfLog = writing.prepare("pragma wal_checkpoint(NOOP)");
    this.#thread = new WorkerThread({
      script: new URL("./checkpoint-worker.ts", import.meta.url),
      data: deps.file,
      isLowPriority: false,
    });
    this.#pages = deps.pages ?? PAGES;
    this.#report = deps.report;
    writing.pragma("wal_autocheckpoint = 0");
  }

  /** A promise for which the next transaction must wait, if any; never rejects. */
  get pause(): Promise<unknown> | undefined {
    return this.#pause;
  }

  /** Starts a checkpoint after a transaction if it is due. Never throws. */
  startIfDue(): void {
    try {
      this.#length = lengthSeen.parse(this.#lengthOfLog.get()).log;
      if (this.#length < this.#tried) this.#tried = this.#done = this.#paused = 0;
      this.#leaveToCommits(this.#length - this.#done >= this.#pages.lastResort);
    } catch (error) {
      this.#report(error);
    }
    if (this.#running || this.#length - this.#tried < this.#pages.step) return;
    this.#running = this.#shorten().finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits for the running checkpoint. */
  async close(): Promise<void> {
    await this.#running;
    await this.#thread.close();
  }

  /**
   * Not merely because the log is long: while a reader needs it, no checkpoint can move it, and the thread continues
   * later.
   */
  #leaveToCommits(isStuck: boolean): void {
    if (isStuck === this.#isWithinCommits) return;
    this.#writing.pragma(`wal_autocheckpoint = ${isStuck ? 1 : 0}`);
    this.#isWithinCommits = isStuck;
  }

  /** Moves nearly everything concurrently with writes, which wait only for the pages added since. */
  async #shorten(): Promise<void> {
    const isMoved = await this.#checkpoint();
    if (!isMoved || this.#length - this.#paused < this.#pages.long) return;
    this.#paused = this.#length;
    this.#pause = this.#checkpoint();
    await this.#pause;
    this.#pause = undefined;
  }

  async #checkpoint(): Promise<boolean> {
    this.#tried = this.#length;
    try {
      await this.#thread.ask(undefined);
      this.#done = this.#tried;
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }
}
