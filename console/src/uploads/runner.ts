/** Works through the queue: hashes, looks up and sends; what fails for a while is tried again. Nothing here knows the page. */
import { repeat, type Waits } from "../api/retry.ts";
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
export interface Steps extends Waits {
  hash(id: number, report: (part: number) => void): Promise<string>;
  lookUp(hashes: readonly string[]): Promise<Found>;
  send(id: number, report: (part: number) => void): Promise<Recognised>;
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
    return repeat(request, this.#steps, { report: () => this.dispatch({ type: "heldUp", ids }) });
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
