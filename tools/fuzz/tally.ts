// What a run has seen: how often each operation was called, what it answered, and what was found.
import type { Operation } from "./document.ts";
import { findReason } from "./unforced.ts";

export interface Finding {
  operation: string;
  /** The request of the run, counted from 0. */
  request: number;
  errors: readonly string[];
  /** The request as a command, and the smallest that fails likewise, if that is another. */
  curl: string;
  smallest: string | undefined;
  response: string;
}

export interface Counted {
  operation: string;
  sent: number;
  accepted: number;
}

/** Of the requests to an operation, how many are accepted at least. */
const MIN_ACCEPTED = 0.3;
/** Of the requests that an operation would get if all got the same, how many go to each at least. */
const MIN_SHARE = 0.8;

export class Tally {
  readonly #operations: readonly Operation[];
  readonly #seen = new Map<string, Map<number, number>>();
  readonly findings: Finding[] = [];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    for (const { id } of operations) this.#seen.set(id, new Map());
  }

  add(operation: string, status: number): void {
    const statuses = this.#seen.get(operation);
    statuses?.set(status, (statuses.get(status) ?? 0) + 1);
  }

  hasSeen(operation: string, status: number): boolean {
    return this.#seen.get(operation)?.has(status) ?? false;
  }

  get counted(): Counted[] {
    return [...this.#seen].map(([operation, statuses]) => {
      const sum = (of: readonly [number, number][]) => of.reduce((total, [, count]) => total + count, 0);
      const all = [...statuses];
      return { operation, sent: sum(all), accepted: sum(all.filter(([status]) => status < 400)) };
    });
  }

  /** `operation status` of what the document promises and nothing of the run has brought about. */
  get unseen(): { status: string; reason: string | undefined }[] {
    return this.#operations.flatMap(({ id, responses }) =>
      [...responses.keys()]
        .filter((status) => !this.hasSeen(id, status))
        .map((status) => ({ status: `${id} ${status}`, reason: findReason(id, status) })),
    );
  }

  get seen(): string[] {
    return [...this.#seen].flatMap(([id, statuses]) =>
      [...statuses.keys()].map((status) => `${id} ${status}`),
    );
  }

  /** Whether a request of a run can bring about a success. */
  #canBeAccepted(operation: string): boolean {
    const statuses = [...(this.#operations.find(({ id }) => id === operation)?.responses.keys() ?? [])];
    return statuses.some((status) => status < 400 && findReason(operation, status) === undefined);
  }

  /** What keeps the run from having shown what it is to show. */
  get shortcomings(): string[] {
    const total = this.counted.reduce((sum, { sent }) => sum + sent, 0);
    const least = (total / this.#operations.length) * MIN_SHARE;
    return [
      ...this.counted.flatMap(({ operation, sent, accepted }) => [
        ...(sent < least ? [`${operation} was called ${sent} times of ${total}`] : []),
        ...(accepted < sent * MIN_ACCEPTED && this.#canBeAccepted(operation)
          ? [`${operation} was accepted ${accepted} times of ${sent}`]
          : []),
      ]),
      ...this.unseen.flatMap(({ status, reason }) =>
        reason === undefined ? [`${status} was never seen`] : [],
      ),
    ];
  }
}
