/** A worker thread that answers questions: started by the first one, and again by Piscina after a crash. */
import { getCompileCacheDir } from "node:module";
import { constants } from "node:os";
import { dirname } from "node:path";
import { Piscina } from "piscina";

/** Below a limit V8 collects early; without one, garbage from rows grows to 100 MB. */
const OLD_MEGABYTES = 256;
const YOUNG_MEGABYTES = 2;

/** The code of an error when the thread can't be started or has crashed. */
export const THREAD_FAILED = "ERR_THREAD_FAILED";

interface WorkerThreadOptions {
  /** A module whose default export is made by `answering`. */
  script: URL;
  /** The thread's `workerData`. */
  data: unknown;
  /** Some times the size of the rows that a question has at hand at once: with less, they are moved about. */
  youngMegabytes?: number;
  /** Whether the thread gives way to the event loop where both want the same core. */
  isLowPriority?: boolean;
}

/** What the thread sends back. A message keeps only an error's text, so the code is sent beside it. */
export type Outcome<Response> = { response: Response } | { error: string; code: string | undefined };

export class WorkerThread<Question, Response> {
  readonly #options: WorkerThreadOptions;
  #pool: Piscina<Question, Outcome<Response>> | undefined;
  #isClosed = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /**
   * Questions are answered one after the other, in the order in which they were asked.
   * @throws Error with the code of the error in the thread, or THREAD_FAILED
   */
  async ask(question: Question): Promise<Response> {
    if (this.#isClosed) throw new Error("The thread has been closed");
    const outcome = await this.#run(question);
    if ("error" in outcome) throw Object.assign(new Error(outcome.error), { code: outcome.code });
    return outcome.response;
  }

  /** Ends the thread; questions under way are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.destroy();
  }

  async #run(question: Question): Promise<Outcome<Response>> {
    try {
      this.#pool ??= this.#start();
      return await this.#pool.run(question);
    } catch (error) {
      const message = `A thread could not be started or has crashed: ${error instanceof Error ? error.message : error}`;
      throw Object.assign(new Error(message, { cause: error }), { code: THREAD_FAILED });
    }
  }

  #start(): Piscina<Question, Outcome<Response>> {
    const { script, data, youngMegabytes = YOUNG_MEGABYTES, isLowPriority = true } = this.#options;
    // On Linux alone, a thread has a priority of its own.
    const hasPriority = isLowPriority && process.platform === "linux";
    const pool = new Piscina<Question, Outcome<Response>>({
      filename: script.href,
      workerData: data,
      // With fewer at least than at most, questions that wait when a thread crashes would wait for ever.
      minThreads: 1,
      maxThreads: 1,
      stricterFIFO: true,
      atomics: "disabled",
      recordTiming: false,
      niceIncrement: hasPriority ? constants.priority.PRIORITY_BELOW_NORMAL : 0,
      // Flags of the process, such as those of a debugger, are not for the thread.
      execArgv: [],
      env: compileCache(),
      resourceLimits: { maxOldGenerationSizeMb: OLD_MEGABYTES, maxYoungGenerationSizeMb: youngMegabytes },
    });
    // A thread that fails without a question isn't started again by Piscina, whatever waits for it.
    pool.on("error", () => {
      if (this.#pool === pool) this.#pool = undefined;
      void pool.destroy();
    });
    return pool;
  }
}

/** Of the environment, a thread gets nothing but the cache of compiled sources: without it, it needs 10 MB more. */
export function compileCache(): Record<string, string> {
  const versioned = getCompileCacheDir();
  return versioned === undefined ? {} : { NODE_COMPILE_CACHE: dirname(versioned) };
}
