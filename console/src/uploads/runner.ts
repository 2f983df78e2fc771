/** Works through the queue: hashes, looks up and sends; what fails for a while is tried again. Nothing here knows the page. */
import {
  changeQueue,
  type Found,
  findJobs,
  type Job,
  type Queue,
  type QueueEvent,
  type Recognised,
} from "./queue.ts";

/** What the runner needs of the world. Each may throw what a request fails with. */
export interface Steps {
  hash(id: number, report: (part: number) => void): Promise<string>;
  lookUp(hashes: readonly string[]): Promise<Found>;
  send(id: number, report: (part: number) => void): Promise<Recognised>;
  /** Until somebody is logged in. */
  waitForSession(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

const MAX_ATTEMPTS = 8;
const MAX_DELAY_MS = 30_000;

/** How a request failed: status 0 where no response came. */
interface Failure {
  status: number;
  retryAfter?: number | undefined;
}

const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "status" in error && typeof error.status === "number";

/**
 * Repeats a request that failed because of the line, a busy or restarting server, or a session that has ended.
 * @param report is called before each wait
 * @throws what the last attempt failed with
 */
export async function repeat<T>(
  request: () => Promise<T>,
  { waitForSession, sleep }: Pick<Steps, "waitForSession" | "sleep">,
  report: () => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const wait = decideWait(error, attempt);
      if (wait === undefined) throw error;
      report();
      await (wait === "session" ? waitForSession() : sleep(wait));
      // To wait for a log-in or for one's turn is no failure.
      if (isFailure(error) && (error.status === 401 || error.status === 429)) attempt -= 1;
    }
  }
}

/** Milliseconds; undefined if no repetition mends it. */
function decideWait(error: unknown, attempt: number): number | "session" | undefined {
  if (!isFailure(error)) return undefined;
  const { status, retryAfter } = error;
  if (status === 401) return "session";
  const isPassing = status === 0 || status === 429 || status >= 500;
  if (!isPassing || attempt >= MAX_ATTEMPTS) return undefined;
  return retryAfter === undefined ? Math.min(1000 * 2 ** (attempt - 1), MAX_DELAY_MS) : retryAfter * 1000;
}

/** A queue that is worked through as soon as there is something in it. */
export class QueueRunner {
  readonly #steps: Steps;
  readonly #listeners = new Set<(event: QueueEvent) => void>();
  #queue: Queue = [];

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  get queue(): Queue {
    return this.#queue;
  }

  /** @returns a function that ends it */
  subscribe(listener: (event: QueueEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispatch(event: QueueEvent): void {
    this.#queue = changeQueue(this.#queue, event);
    for (const listener of this.#listeners) listener(event);
    if (event.type === "progressed") return;
    // One after the other: what a job starts changes which are the next.
    for (let [job] = findJobs(this.#queue); job; [job] = findJobs(this.#queue)) void this.#carryOut(job);
  }

  /** A request that is repeated while these files wait for it. */
  repeat<T>(ids: readonly number[], request: () => Promise<T>): Promise<T> {
    return repeat(request, this.#steps, () => this.dispatch({ type: "heldUp", ids }));
  }

  /** Sends bytes that the service has dropped. @returns whether it has them again */
  sendAgain(id: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.dispatch({ type: "lost", id });
    const unsubscribe = this.subscribe(() => {
      const status = this.#queue.find((item) => item.id === id)?.status;
      if (status !== undefined && status !== "ready" && status !== "failed") return;
      unsubscribe();
      resolve(status === "ready");
    });
    return promise;
  }

  async #carryOut(job: Job): Promise<void> {
    const ids = job.type === "lookUp" ? job.items.map(({ id }) => id) : [job.item.id];
    try {
      this.dispatch(await this.#start(job, ids));
    } catch (error) {
      this.dispatch({ type: "failed", ids, error });
    }
  }

  async #start(job: Job, ids: readonly number[]): Promise<QueueEvent> {
    if (job.type === "lookUp") {
      this.dispatch({ type: "started", ids, status: "lookingUp" });
      const hashes = [...new Set(job.items.flatMap(({ sha256 }) => sha256 ?? []))];
      return { type: "lookedUp", ids, found: await this.repeat(ids, () => this.#steps.lookUp(hashes)) };
    }
    const { id } = job.item;
    const report = (part: number) => this.dispatch({ type: "progressed", id, part });
    if (job.type === "hash") {
      this.dispatch({ type: "started", ids, status: "hashing" });
      return { type: "hashed", id, sha256: await this.repeat(ids, () => this.#steps.hash(id, report)) };
    }
    this.dispatch({ type: "started", ids, status: "sending" });
    return { type: "recognised", id, recognised: await this.repeat(ids, () => this.#steps.send(id, report)) };
  }
}
