/** Removals of stored bytes that have failed, as while the store is away: they are tried again until the process ends. */
import type { Cancel, Scheduler } from "../../adapters/system.ts";

const AGAIN_AFTER_MS = 10_000;
/** 10 MB of hashes. Bytes beyond them are orphans, as after a crash. */
const MAX_PENDING = 100_000;

interface PendingRemovalsDeps {
  schedule: Scheduler;
  /** Removes the bytes unless a row refers to them. @returns whether that is done. Never fails */
  remove(sha256: string): Promise<boolean>;
}

export class PendingRemovals {
  readonly #deps: PendingRemovalsDeps;
  readonly #hashes = new Set<string>();
  #cancel: Cancel | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: PendingRemovalsDeps) {
    this.#deps = deps;
  }

  add(hashes: readonly string[]): void {
    if (this.#isStopped) return;
    for (const sha256 of hashes) if (this.#hashes.size < MAX_PENDING) this.#hashes.add(sha256);
    this.#cancel ??= this.#deps.schedule(AGAIN_AFTER_MS, () => {
      this.#running = this.#tryAgain();
    });
  }

  /** The bytes are stored again: their upload decides about them. */
  drop(sha256: string): void {
    this.#hashes.delete(sha256);
  }

  /** Resolves after the removal that is running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#running;
  }

  async #tryAgain(): Promise<void> {
    for (const sha256 of [...this.#hashes]) {
      if (this.#isStopped) return;
      if (this.#hashes.has(sha256) && (await this.#deps.remove(sha256))) this.#hashes.delete(sha256);
    }
    this.#cancel = undefined;
    if (this.#hashes.size > 0) this.add([]);
  }
}
