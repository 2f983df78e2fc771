/**
 * In place of Piscina in the processes that run many tests: a thread whose service has ended is kept, and does the same work
 * for the next one. To start one takes the processor longer than most tests. What it has opened is closed in between; a
 * service has its threads for itself, and one that works or has crashed when it is closed ends as in production.
 */
import { createRequire } from "node:module";
import type { Piscina as PiscinaClass } from "piscina";
import type { Lease, LeaseMessage } from "./reused-thread.ts";

type Options = NonNullable<ConstructorParameters<typeof PiscinaClass>[0]>;
type Pool = PiscinaClass<unknown, unknown>;
/** A question that has a port, and is moved to the thread with it. */
type Moved = { [original.transferableSymbol]: object; [original.valueSymbol]: object };

const original: typeof import("piscina") = createRequire(import.meta.url)("piscina");
const { Piscina: Original } = original;
export const { move, transferableSymbol, valueSymbol } = original;
const SCRIPT = new URL("./reused-thread.ts", import.meta.url).href;
/** Scripts of tests are about threads themselves. */
const SERVICE = new URL("../../src/", import.meta.url).href;

let areReused = true;
let leases = 0;
const idle = new Map<string, Pool[]>();

/** For tests of what happens to threads: each is started for its service, and ends with it. @returns what ends this */
export function startOwnThreads(): () => void {
  areReused = false;
  return () => {
    areReused = true;
  };
}

const isMoved = (question: unknown): question is Moved =>
  typeof question === "object" && question !== null && original.transferableSymbol in question;

function addLease(question: unknown, lease: Lease): unknown {
  if (!isMoved(question)) return { lease, question } satisfies LeaseMessage;
  const message: LeaseMessage = { lease, question: question[original.valueSymbol] };
  return original.move({
    [original.transferableSymbol]: question[original.transferableSymbol],
    [original.valueSymbol]: message,
  });
}

export class Piscina {
  readonly #pool: Pool;
  readonly #lease: Lease | undefined;
  readonly #kind: string;
  #running = 0;
  #isUsable = true;

  constructor(options: Options) {
    const { workerData: data, filename, ...others } = options;
    const script = String(filename);
    this.#kind = JSON.stringify([script, others]);
    leases += 1;
    this.#lease = areReused && script.startsWith(SERVICE) ? { id: leases, script, data } : undefined;
    this.#pool = this.#lease
      ? (idle.get(this.#kind)?.pop() ?? new Original({ ...others, filename: SCRIPT }))
      : new Original(options);
    this.#pool.once("error", this.#fail);
  }

  on(event: "error", listener: () => void): void {
    this.#pool.once(event, listener);
  }

  async run(question: unknown): Promise<unknown> {
    this.#running += 1;
    try {
      return await this.#pool.run(this.#lease ? addLease(question, this.#lease) : question);
    } catch (error) {
      this.#fail();
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  async destroy(): Promise<void> {
    this.#isUsable &&= this.#running === 0;
    if (!this.#lease || !this.#isUsable) return this.#pool.destroy();
    try {
      await this.#pool.run({ lease: this.#lease, isOver: true } satisfies LeaseMessage);
    } catch {
      this.#fail();
    }
    this.#pool.removeAllListeners("error");
    if (!this.#isUsable) return this.#pool.destroy();
    // An error of an idle thread: Piscina starts another one.
    this.#pool.on("error", () => {});
    idle.set(this.#kind, [...(idle.get(this.#kind) ?? []), this.#pool]);
  }

  readonly #fail = () => {
    this.#isUsable = false;
  };
}
