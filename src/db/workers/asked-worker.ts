/** A worker thread that answers questions: started by the first, and anew by the next one after a crash. */
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { z } from "zod";
import { codeOf } from "../../lib/node-errors.ts";

/**
 * That a thread's memory has an end keeps it far below: else what is left of rows would gather for a hundred
 * megabytes.
 */
const MOST_MEGABYTES = 256;
const YOUNG_MEGABYTES = 2;

interface Waiting {
  resolve(response: unknown): void;
  reject(failure: Error): void;
}

/** The code of a fault before the first answer: Node's own for a script that the disk doesn't give are many. */
export const NOT_STARTED = "ERR_THREAD_NOT_STARTED";

export class AskedWorker {
  readonly #script: URL;
  readonly #deps: unknown;
  readonly #youngMegabytes: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  /**
   * @param uses what the script is started with
   * @param options.youngMegabytes some times the rows that it has at hand at once: less, and they are moved about
   */
  constructor(script: URL, deps?: unknown, { youngMegabytes = YOUNG_MEGABYTES } = {}) {
    this.#script = script;
    this.#deps = deps;
    this.#youngMegabytes = youngMegabytes;
  }

  /** Rejects when the question can't be answered or the worker has crashed meanwhile. */
  async ask(question: unknown): Promise<unknown> {
    if (this.#isClosed) throw new Error("The worker has been closed");
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // Throws for what can't be sent: before anybody waits for its answer.
      worker.postMessage({ id, question });
      worker.ref();
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Ends the worker; those who wait are told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Flags of the process, such as those of a debugger, are not for the worker.
    const worker = startThread(this.#script, {
      workerData: this.#deps,
      execArgv: [],
      env: compileCache(),
      resourceLimits: {
        maxOldGenerationSizeMb: MOST_MEGABYTES,
        maxYoungGenerationSizeMb: this.#youngMegabytes,
      },
    });
    const fail = (failure: Error) => this.#fail(worker, failure);
    let hasAnswered = false;
    worker.on("message", (message: unknown) => {
      hasAnswered = true;
      this.#settle(worker, numberedResponse.parse(message));
    });
    worker.on("messageerror", fail);
    worker.on("error", (error) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      fail(hasAnswered ? failure : notStarted(failure));
    });
    worker.on("exit", () => fail(new Error("The worker has stopped")));
    // Only who waits for an answer keeps the process alive; listening to messages would.
    worker.unref();
    return worker;
  }

  #settle(worker: Worker, response: NumberedResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) worker.unref();
    if ("error" in response)
      waiting?.reject(Object.assign(new Error(response.error), { code: response.code }));
    else waiting?.resolve(response.response);
  }

  /** Those who wait are told; the next question starts a new worker, which the end of this one doesn't concern. */
  #fail(worker: Worker, failure: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(failure);
    this.#waiting.clear();
  }
}

/** The system may have no thread left to give. */
function startThread(script: URL, options: WorkerOptions): Worker {
  try {
    return new Worker(script, options);
  } catch (error) {
    throw notStarted(error instanceof Error ? error : new Error(String(error)));
  }
}

function notStarted(cause: Error): Error {
  if (codeOf(cause)?.startsWith("SQLITE_")) return cause;
  return Object.assign(new Error(`A thread could not be started: ${cause.message}`, { cause }), {
    code: NOT_STARTED,
  });
}

/** Of the environment, a thread gets nothing but the cache of compiled sources: without it, it needs 10 MB more. */
function compileCache(): Record<string, string> {
  const versioned = getCompileCacheDir();
  return versioned === undefined ? {} : { NODE_COMPILE_CACHE: dirname(versioned) };
}

// What a worker thread and its caller say to each other: each question has a number, and gets an answer or a fault.

export const numberedQuestion = z.object({ id: z.int(), question: z.unknown() });

const numberedResponse = z.union([
  z.object({ id: z.int(), error: z.string(), code: z.string().optional() }),
  z.object({ id: z.int(), response: z.unknown() }),
]);

type NumberedResponse = z.infer<typeof numberedResponse>;
