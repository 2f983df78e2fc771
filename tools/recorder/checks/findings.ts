/** What a look at the service after a restart has found. */
import type { Expected } from "../expected.ts";

export class Findings {
  /** What is lost or half-done, in words. */
  readonly losses: string[] = [];
  /** How many lines of the audit log each request must have left that had no answer, but was done. */
  readonly done = new Map<string, number>();
  /** How many things were compared. */
  compared = 0;

  addLoss(what: string): void {
    this.losses.push(what);
  }

  /** A thing as it was found; from now on it is expected to stay so. */
  compare<State>(what: string, expected: Expected<State>, key: string, actual: State | undefined): void {
    this.compared += 1;
    const right = expected.describe(key);
    const found = expected.find(key, actual);
    if (found.kind === "lost")
      this.addLoss(`${what} is ${JSON.stringify(actual) ?? "gone"} in place of ${right}`);
    if (found.kind !== "whole" || found.requestId === undefined) return;
    this.done.set(found.requestId, (this.done.get(found.requestId) ?? 0) + 1);
  }
}
