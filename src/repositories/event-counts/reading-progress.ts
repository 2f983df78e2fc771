/** The reading of all events, as the thread and the event loop see it: how far it is, and whether a report waits for it. */

const DONE = 0;
const OF = 1;
const IS_URGENT = 2;
const FIELDS = 3;

/** While no report waits, the thread rests this many times as long as it has worked: a quarter of a core. */
const REST = 3;

export class ReadingProgress {
  /** What both threads share: pass it on to the other one. */
  readonly shared: SharedArrayBuffer;
  readonly #fields: Int32Array<SharedArrayBuffer>;

  constructor(shared = new SharedArrayBuffer(FIELDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#fields = new Int32Array(shared);
  }

  /** Numbers of events: of the last one that has been read, and of the newest. */
  get state(): { done: number; of: number } {
    return { done: Atomics.load(this.#fields, DONE), of: Atomics.load(this.#fields, OF) };
  }

  begin(newest: number): void {
    Atomics.store(this.#fields, DONE, 0);
    Atomics.store(this.#fields, OF, newest);
  }

  /** Events that were added since the beginning move the end. */
  advance(eventId: number): void {
    Atomics.store(this.#fields, DONE, eventId);
    if (eventId > Atomics.load(this.#fields, OF)) Atomics.store(this.#fields, OF, eventId);
  }

  /** Ends the present rest, and all later ones until the reading has ended. */
  hurry(): void {
    Atomics.store(this.#fields, IS_URGENT, 1);
    Atomics.notify(this.#fields, IS_URGENT);
  }

  /** The next reading can take its time until a report waits for it. */
  end(): void {
    Atomics.store(this.#fields, IS_URGENT, 0);
  }

  /** Blocks the thread for as long as it should rest after this work, or until a report waits. */
  rest(workedMs: number): void {
    Atomics.wait(this.#fields, IS_URGENT, 0, REST * workedMs);
  }
}
