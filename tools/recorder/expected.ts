/** What things must look like after a restart: as answered last or, where a write was under way, as that would leave them. */
import { isDeepStrictEqual } from "node:util";

interface Thing<State> {
  /** Undefined: it isn't there. */
  now: State | undefined;
  /** Of a write that has no answer yet. */
  next?: { state: State | undefined; requestId: string | undefined };
}

/** A write without answer yet. */
export interface UnderWay {
  /** It was answered: from now on it counts. */
  settle(): void;
  /** It was refused, and has changed nothing. */
  drop(): void;
}

/** How a thing was found: `whole` says that the write under way had been done. */
export type Found =
  | { kind: "as answered" | "lost" }
  | { kind: "whole" /** Of a change that leaves a line in the audit log. */; requestId: string | undefined };

export class Expected<State> {
  readonly #things = new Map<string, Thing<State>>();

  get keys(): string[] {
    return [...this.#things.keys()];
  }

  /** As answered last. Each thing has one writer, so never more than one write of it is under way. */
  getState(key: string): State | undefined {
    return this.#things.get(key)?.now;
  }

  /** Undefined also while a write of it is under way. */
  settle(key: string): State | undefined {
    const thing = this.#things.get(key);
    return thing?.next ? undefined : thing?.now;
  }

  /** @param requestId of a change that leaves a line of its own in the audit log */
  begin(key: string, state: State | undefined, requestId?: string): UnderWay {
    const now = this.getState(key);
    this.#things.set(key, { now, next: { state, requestId } });
    return { settle: () => this.#put(key, state), drop: () => this.#put(key, now) };
  }

  /** What was found counts from now on, so that one loss is told once. */
  find(key: string, actual: State | undefined): Found {
    const { now, next } = this.#things.get(key) ?? { now: undefined };
    this.#put(key, actual);
    if (isDeepStrictEqual(actual, now)) return { kind: "as answered" };
    if (next && isDeepStrictEqual(actual, next.state)) return { kind: "whole", requestId: next.requestId };
    return { kind: "lost" };
  }

  /** For a message: both that would have been right. */
  describe(key: string): string {
    const { now, next } = this.#things.get(key) ?? { now: undefined };
    const allowed = next ? [now, next.state] : [now];
    return allowed.map((state) => JSON.stringify(state) ?? "nothing").join(" or ");
  }

  #put(key: string, state: State | undefined): void {
    if (state === undefined) this.#things.delete(key);
    else this.#things.set(key, { now: state });
  }
}
