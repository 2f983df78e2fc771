/** Keeps the WAL short: what has been committed goes into the file in a thread of its own, as fsync takes its time. */
import type { Statement } from "better-sqlite3";
import { z } from "zod";
import type { Connection } from "../connection.ts";
import { WorkerThread } from "./worker-thread.ts";

export interface LogLengths {
  /** After so many new pages a checkpoint goes on beside the writes. */
  step: number;
  /** After so many, writes wait for a short one: only a log that has all been moved begins anew. */
  long: number;
  /** When the thread has done nothing for so many, SQLite checkpoints within the commits: it is stuck, or fails. */
  lastResort: number;
}

/** Of 4 KiB each: 4, 16 and 400 MB. */
const PAGES: LogLengths = { step: 1000, long: 4000, lastResort: 100_000 };

const lengthSeen = z.object({ log: z.int() });

export class Checkpoints {
  readonly #writing: Connection;
  readonly #lengthOfLog: Statement;
  readonly #thread: WorkerThread<undefined, void>;
  readonly #pages: LogLengths;
  readonly #report: (failure: unknown) => void;
  /** Lengths of the log: now, at the begin of the last checkpoint and of the last that did not fail, and when writes last waited. */
  #length = 0;
  #tried = 0;
  #done = 0;
  #paused = 0;
  #isWithinCommits = false;
  #running: Promise<void> | undefined;
  #pause: Promise<unknown> | undefined;

  /** @param deps.report is called with the error of a failed checkpoint; the next is tried after another step */
  constructor(
    writing: Connection,
    deps: { file: string; report: (failure: unknown) => void; pages?: LogLengths },
  ) {
    this.#writing = writing;
    // This kind moves nothing, and takes some microseconds.
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

  /** What the next transaction is to wait for, if anything; never rejects. */
  get pause(): Promise<unknown> | undefined {
    return this.#pause;
  }

  /** Looks, after a transaction, whether it is time for a checkpoint. Never throws. */
  look(): void {
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

  /** Waits for the checkpoint that is under way. */
  async close(): Promise<void> {
    await this.#running;
    await this.#thread.close();
  }

  /** Not because the log is long: while a reader needs it nobody can move it, and then it is for the thread. */
  #leaveToCommits(isStuck: boolean): void {
    if (isStuck === this.#isWithinCommits) return;
    this.#writing.pragma(`wal_autocheckpoint = ${isStuck ? 1 : 0}`);
    this.#isWithinCommits = isStuck;
  }

  /** Nearly everything goes beside the writes; they wait only for what has come meanwhile. */
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
