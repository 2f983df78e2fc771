/** Work on foreign bytes in a process of its own, which is ended if a piece of work takes too much memory or time. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { readCompileCache } from "../../db/workers/worker-thread.ts";
import { type Cancel, type Scheduler, systemScheduler } from "../system.ts";
import { BEGUN, LARGE, READY, type Result } from "./watched-work.ts";

export interface WorkLimits {
  /** Resident memory of the process above that of its start. */
  memoryBytes: number;
  /** The same for work that the process has announced as large. */
  largeMemoryBytes?: number;
  /** For all work on one file, without the start of a process. */
  timeMs: number;
}

/** What is left of the time for one file, over several pieces of work. */
export interface Allowance {
  leftMs: number;
}

interface WatchedProcessOptions {
  /** A module that calls `serveParent`. */
  script: URL;
  limits: WorkLimits;
  /** With a limit V8 collects earlier, so that the garbage of many files isn't taken for the memory of one. */
  heapMebibytes?: number;
  schedule?: Scheduler;
}

interface AskOptions {
  /** Without one, the work has all the time of a file. */
  allowance?: Allowance | undefined;
  /** Ends the work. */
  signal?: AbortSignal | undefined;
}

const START_LIMIT_MS = 20_000;

/** Inflating fills about 50 MB in this time. */
const WATCH_EVERY_MS = 100;

/** An idle process takes memory. */
const IDLE_MS = 60_000;

/** Of the limit: a process that has grown by this much before is replaced before the next file. */
const RENEWED_PART = 1 / 2;
/** Of the limit: with less, the memory of earlier files isn't the reason that one exceeds it. */
const GROWN_PART = 1 / 16;

/**
 * Threads share their arenas. A lower threshold for mapping would free more, and costs a third more processor time for a
 * picture: the process is replaced when it has grown, and ends when it is idle.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2" };

type EndReason = "start" | "time" | "memory" | "crash" | "killed" | "left" | "closed";

/** The process has ended before the work; the message is a sentence. */
export class EndedError extends Error {
  readonly reason: EndReason;
  /** Whether the file isn't the reason. */
  readonly isInnocent: boolean;

  constructor(reason: EndReason, message: string, { isInnocent = false } = {}) {
    super(message);
    this.reason = reason;
    this.isInnocent = isInnocent;
  }
}

/** The process starts with the first work, does one piece at a time, and ends when it is idle. It keeps no program alive. */
export class WatchedProcess {
  readonly #options: WatchedProcessOptions;
  readonly #queue = pLimit(1);
  #running: Promise<RunningProcess> | undefined;
  #cancelEnd: Cancel = () => {};
  #isClosed = false;

  constructor(options: WatchedProcessOptions) {
    this.#options = options;
  }

  /** @throws EndedError */
  ask(question: unknown, { allowance, signal }: AskOptions = {}): Promise<unknown> {
    const given = allowance ?? { leftMs: this.#options.limits.timeMs };
    return this.#queue(() => this.#ask(question, given, signal));
  }

  /** Ends the process; pending work fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#cancelEnd();
    const running = this.#running;
    this.#running = undefined;
    (await running?.catch(() => undefined))?.end();
  }

  async #ask(question: unknown, allowance: Allowance, signal: AbortSignal | undefined): Promise<unknown> {
    this.#cancelEnd();
    for (;;) {
      if (signal?.aborted) throw new EndedError("left", LEFT);
      const running = await this.#start();
      try {
        return await running.ask(question, allowance, signal);
      } catch (error) {
        this.#running = undefined;
        if (this.#isClosed) throw new EndedError("closed", CLOSED);
        if (!(error instanceof EndedError) || !error.isInnocent) throw error;
      } finally {
        this.#cancelEnd = (this.#options.schedule ?? systemScheduler)(IDLE_MS, () => void this.#end());
      }
    }
  }

  async #start(): Promise<RunningProcess> {
    const former = await this.#running?.catch(() => undefined);
    if (former && (await former.isUsable())) return former;
    former?.end();
    if (this.#isClosed) throw new EndedError("closed", CLOSED);
    const starting = RunningProcess.start(this.#options);
    this.#running = starting;
    try {
      return await starting;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }
}

const CLOSED = "The process that reads it has been closed.";
const LEFT = "The client has left.";

class RunningProcess {
  readonly #child: ChildProcess;
  readonly #limits: WorkLimits;
  /** Undefined before the process is ready, and where the system doesn't report it. */
  #startBytes: number | undefined;
  #hasServed = false;
  #hasEnded = false;

  private constructor(child: ChildProcess, limits: WorkLimits) {
    this.#child = child;
    this.#limits = limits;
    // Without a listener, an error between two files would end this process.
    child.on("error", () => {});
    child.once("exit", () => {
      this.#hasEnded = true;
    });
  }

  static async start({ script, limits, heapMebibytes }: WatchedProcessOptions): Promise<RunningProcess> {
    const child = fork(fileURLToPath(script), [], {
      execArgv: heapMebibytes === undefined ? [] : [`--max-old-space-size=${heapMebibytes}`],
      // No secret of this process.
      env: { ...readCompileCache(), ...ALLOCATOR },
      // V8 writes pages when its heap is full.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    const started = new RunningProcess(child, limits);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = () => reject(new EndedError("start", "The process that reads it hasn't started."));
    const timer = setTimeout(fail, START_LIMIT_MS);
    const onMessage = (message: unknown) => message === READY && resolve();
    child.on("message", onMessage).once("exit", fail).once("error", fail);
    try {
      await promise;
    } catch (error) {
      started.end();
      throw error;
    } finally {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", fail).off("error", fail);
    }
    started.#startBytes = await readResidentBytes(child.pid);
    started.#keepAlive(false);
    return started;
  }

  /** Whether it runs, and hasn't kept too much of earlier files. */
  async isUsable(): Promise<boolean> {
    const grown = await this.#readGrowth();
    return !this.#hasEnded && grown <= this.#limits.memoryBytes * RENEWED_PART;
  }

  /**
   * The process ends if the work takes too much memory or time, or is aborted.
   * @throws EndedError
   */
  async ask(question: unknown, allowance: Allowance, signal: AbortSignal | undefined): Promise<unknown> {
    const work = new Work(this.#limits, {
      hasServed: this.#hasServed,
      hadGrown: (await this.#readGrowth()) > this.#limits.memoryBytes * GROWN_PART,
    });
    const began = performance.now();
    const timer = setTimeout(() => work.exceedTime(), Math.max(0, allowance.leftMs));
    const watch = setInterval(async () => work.watchMemory(await this.#readGrowth()), WATCH_EVERY_MS);
    const onMessage = (message: unknown) => work.receive(message);
    const onExit = (_: unknown, by: string | null) => work.exit(by);
    const onError = () => work.exit(null);
    const onAbort = () => work.abort();
    this.#keepAlive(true);
    this.#child.on("message", onMessage).once("exit", onExit).once("error", onError);
    signal?.addEventListener("abort", onAbort);
    try {
      if (this.#hasEnded) work.exit("SIGKILL");
      else this.#child.send({ question });
      return await work.result;
    } catch (error) {
      this.end();
      throw error;
    } finally {
      allowance.leftMs -= performance.now() - began;
      clearTimeout(timer);
      clearInterval(watch);
      signal?.removeEventListener("abort", onAbort);
      this.#child.off("message", onMessage).off("exit", onExit).off("error", onError);
      this.#hasServed = true;
      this.#keepAlive(false);
    }
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  /** Whether this program waits for the process before it ends. */
  #keepAlive(isKept: boolean): void {
    const { channel } = this.#child;
    if (isKept) {
      this.#child.ref();
      channel?.ref();
    } else {
      this.#child.unref();
      channel?.unref();
    }
  }

  async #readGrowth(): Promise<number> {
    const { pid } = this.#child;
    return ((await readResidentBytes(pid)) ?? 0) - (this.#startBytes ?? Number.POSITIVE_INFINITY);
  }
}

interface Before {
  hasServed: boolean;
  /** Whether the memory of earlier files can be the reason that this one exceeds the limit. */
  hadGrown: boolean;
}

/** One piece of work, and how it can end. */
class Work {
  readonly #limits: WorkLimits;
  readonly #before: Before;
  readonly #end = Promise.withResolvers<unknown>();
  #hasBegun = false;
  #isLarge = false;

  constructor(limits: WorkLimits, before: Before) {
    this.#limits = limits;
    this.#before = before;
  }

  get result(): Promise<unknown> {
    return this.#end.promise;
  }

  receive(message: unknown): void {
    if (message === BEGUN) this.#hasBegun = true;
    else if (message === LARGE) this.#isLarge = true;
    else if (isResult(message)) this.#end.resolve(message.result);
  }

  exceedTime(): void {
    this.#fail("time", `It takes more than ${this.#limits.timeMs / 1000} s.`);
  }

  watchMemory(grown: number): void {
    const { memoryBytes, largeMemoryBytes = memoryBytes } = this.#limits;
    const limit = this.#isLarge ? largeMemoryBytes : memoryBytes;
    if (grown <= limit) return;
    const mebibytes = limit / 1024 / 1024;
    this.#fail("memory", `It takes more than ${mebibytes} MiB of memory.`, this.#before.hadGrown);
  }

  /** A process that was killed before it has received the file ended for another reason. */
  exit(by: string | null): void {
    const isInnocent = this.#before.hasServed && !this.#hasBegun;
    this.#fail(by === "SIGKILL" ? "killed" : "crash", "The process that reads it has ended.", isInnocent);
  }

  abort(): void {
    this.#fail("left", LEFT);
  }

  #fail(reason: EndReason, message: string, isInnocent = false): void {
    this.#end.reject(new EndedError(reason, message, { isInnocent }));
  }
}

const isResult = (message: unknown): message is Result =>
  typeof message === "object" && message !== null && "result" in message;

/** The memory of a process that is in use; undefined if it has ended, or where the system doesn't report it. */
async function readResidentBytes(pid: number | undefined): Promise<number | undefined> {
  try {
    const kibibytes =
      process.platform === "linux"
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
        : (await promisify(execFile)("ps", ["-o", "rss=", "-p", `${pid}`])).stdout;
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
