/** A worker thread that processes questions: started by the first one, and restarted by Piscina after a crash. */
import { getCompileCacheDir } from "node:module";
import { constants } from "node:os";
import { dirname } from "node:path";
import type { Piscina } from "piscina";
import { messageOf } from "../../lib/node-errors.ts";

/** With a limit V8 collects earlier; without one, garbage from rows grows to 100 MB. */
const OLD_MEGABYTES = 256;
const YOUNG_MEGABYTES = 2;

/** The code of the error if the thread can't be started or has crashed. */
export const THREAD_FAILED = "ERR_THREAD_FAILED";

interface WorkerThreadOptions {
  /** A module whose default export was created by `createWorkerHandler`. */
  script: URL;
  /** The thread's `workerData`. */
  data: unknown;
  /** A few times the size of the rows that a question holds at once: with less, V8 copies them repeatedly. */
  youngMegabytes?: number;
  /** Whether the thread has a lower priority than the event loop. */
  isLowPriority?: boolean;
}

/** The message from the thread. Only the text of an error survives the transfer, so its code is sent separately. */
export type Outcome<Response> = { response: Response } | { error: string; code: string | undefined };

export class WorkerThread<Question, Response> {
  readonly #options: WorkerThreadOptions;
  #pool: Promise<Piscina<unknown, Outcome<Response>>> | undefined;
  #isClosed = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /**
   * Questions are processed sequentially, in the order of the calls.
   * @param port in the question, over which the thread can ask back
   * @throws Error with the code of the error in the thread, or THREAD_FAILED
   */
  async ask(question: Question, port?: MessagePort): Promise<Response> {
    if (this.#isClosed) throw new Error("The thread has been closed");
    const outcome = await this.#run(question, port);
    if ("error" in outcome) throw Object.assign(new Error(outcome.error), { code: outcome.code });
    return outcome.response;
  }

  /** Ends the thread; pending questions are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#pool)?.destroy();
  }

  async #run(question: Question, port: MessagePort | undefined): Promise<Outcome<Response>> {
    try {
      const pool = await this.#startOnce();
      if (!port || typeof question !== "object" || question === null) return await pool.run(question);
      const piscina = await import("piscina");
      return await pool.run(
        piscina.move({ [piscina.transferableSymbol]: port, [piscina.valueSymbol]: question }),
      );
    } catch (error) {
      const message = `A thread could not be started or has crashed: ${messageOf(error)}`;
      throw Object.assign(new Error(message, { cause: error }), { code: THREAD_FAILED });
    }
  }

  /** After a failed start, the next question tries again. */
  #startOnce(): Promise<Piscina<unknown, Outcome<Response>>> {
    if (this.#pool) return this.#pool;
    const starting = this.#start();
    this.#pool = starting;
    starting.catch(() => {
      if (this.#pool === starting) this.#pool = undefined;
    });
    return starting;
  }

  async #start(): Promise<Piscina<unknown, Outcome<Response>>> {
    const { Piscina } = await import("piscina");
    const started = this.#pool;
    const { script, data, youngMegabytes = YOUNG_MEGABYTES, isLowPriority = true } = this.#options;
    // Only Linux has thread priorities.
    const hasPriority = isLowPriority && process.platform === "linux";
    const pool = new Piscina<unknown, Outcome<Response>>({
      filename: script.href,
      workerData: data,
      // If it were less than the maximum, questions that wait during a crash would wait forever.
      minThreads: 1,
      maxThreads: 1,
      stricterFIFO: true,
      atomics: "disabled",
      recordTiming: false,
      niceIncrement: hasPriority ? constants.priority.PRIORITY_BELOW_NORMAL : 0,
      // The thread must not inherit process flags, such as those of a debugger.
      execArgv: [],
      env: readCompileCache(),
      resourceLimits: { maxOldGenerationSizeMb: OLD_MEGABYTES, maxYoungGenerationSizeMb: youngMegabytes },
    });
    // If the thread fails without a running question, Piscina doesn't restart it, even if questions wait.
    pool.on("error", () => {
      if (this.#pool === started) this.#pool = undefined;
      void pool.destroy();
    });
    return pool;
  }
}

/** A thread gets nothing of the environment except the compile cache, without which it needs 10 MB more. */
export function readCompileCache(): Record<string, string> {
  const versioned = getCompileCacheDir();
  return versioned === undefined ? {} : { NODE_COMPILE_CACHE: dirname(versioned) };
}
