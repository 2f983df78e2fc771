/** Removes stored bytes to which no row refers: marked in the database, removed from the store, noted as removed. */
import type { FileStore } from "../../adapters/files/file-store.ts";
import { NAMED_FOR_MS } from "../../adapters/files/proxied-paths.ts";
import { unavailable } from "../../errors.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { HOUR } from "../../lib/time.ts";
import type { UnauditedRepositories } from "../../repositories/index.ts";
import type { ReleasedBytesRepository, Reserved } from "../../repositories/released-bytes.repository.ts";
import { type CommonDeps, Service } from "../shared/service.ts";

/** What happens to the bytes; `deleteSetAside` applies to a copy that was set aside before. */
export type RemovalKind = "remove" | "setAside" | "deleteSetAside";

interface RemovalsDeps extends Pick<CommonDeps, "write" | "newId" | "clock" | "schedule"> {
  store: FileStore;
  /** Reads committed data. */
  released: Pick<ReleasedBytesRepository, "find">;
}

/** Few, so that an upload of the same bytes doesn't wait long, and that a transaction is short. */
const HASHES_AT_ONCE = 50;
const REQUESTS_AT_ONCE = 4;
/** No removal of a piece begins later than this after its mark, by a clock that isn't set. */
const BEGUN_WITHIN_MS = 60_000;
/** When others may take over a removal that hasn't ended: its instance has crashed, or the store has failed. */
const GIVEN_UP_AFTER_MS = 5 * 60_000;
/** How long it can be seen that bytes were removed. */
const SEEN_FOR_MS = HOUR;
/** How long bytes are kept after the deletion of their row: readers in the middle of a download, and ZIPs, need them. */
export const RELEASED_FOR_MS = HOUR;
/** An upload that takes longer between its bytes and its row stores the bytes again: they stay reserved for longer. */
const STORED_WITHIN_MS = RELEASED_FOR_MS / 2;
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Call it first in the transaction in which a row begins to refer to the bytes. @throws RemovedMeanwhileError */
export type Claim = (repositories: Pick<UnauditedRepositories, "releasedBytes">) => Promise<void>;

/** Between the storing of bytes and their row, they were removed or may have been: they have to be stored again. */
export class RemovedMeanwhileError extends Error {
  override readonly name = "RemovedMeanwhileError";
}

export class Removals extends Service<RemovalsDeps> {
  /**
   * Call it before bytes are stored for a row. They are released before they are there: without the row, after any
   * failure, a sweep removes them. Waits while they are being removed.
   * @returns the claim of the row, which finds what removes them later
   * @throws 503 `storage_unavailable` after ten seconds
   */
  async reserve(sha256: string): Promise<Claim> {
    const { removal: seen } = await this.#reserveOnceRemoved(sha256);
    const since = performance.now();
    return async ({ releasedBytes }) => {
      const row = await releasedBytes.take(sha256);
      const isRemoved = row !== undefined && row.removal !== null && row.removal !== seen;
      if (isRemoved || row?.state === "removing" || performance.now() - since > STORED_WITHIN_MS)
        throw new RemovedMeanwhileError(`${sha256} was removed before its row was written.`);
    };
  }

  async #reserveOnceRemoved(sha256: string): Promise<Reserved> {
    const { write, clock } = this.deps;
    const until = performance.now() + WAIT_MS;
    for (;;) {
      const dueAt = clock.now() + RELEASED_FOR_MS;
      const reserved = await write(({ releasedBytes }) => releasedBytes.reserve(sha256, dueAt), {
        isStatement: true,
      });
      if (reserved) return reserved;
      await this.#waitUntilRemoved(sha256, until);
    }
  }

  /** @throws 503 `storage_unavailable` at an instant of `performance.now()` */
  async #waitUntilRemoved(sha256: string, until: number): Promise<void> {
    const { released, clock, schedule } = this.deps;
    for (;;) {
      const row = await released.find(sha256);
      if (row?.state !== "removing") return;
      if (performance.now() >= until) throw beingRemoved();
      if (row.dueAt <= clock.now()) await this.run([sha256], { kind: "remove" });
      else await new Promise<void>((resolve) => schedule(LOOK_EVERY_MS, resolve));
    }
  }

  /**
   * Removes bytes that are due, or of which no row was ever seen, unless a row refers to them. What a proxy may be about
   * to open stays released, and due in a minute. The first error of the store ends it: each of the others could wait as
   * long.
   * @returns the number of files
   */
  async run(
    hashes: readonly string[],
    { kind, isUnknown = false, isStopped = () => false }: RemovalOptions,
  ): Promise<number> {
    let removed = 0;
    for (const piece of splitIntoBatches([...new Set(hashes)], HASHES_AT_ONCE)) {
      if (isStopped()) break;
      removed += await this.#removePiece(piece, kind, isUnknown);
    }
    return removed;
  }

  async #removePiece(hashes: readonly string[], kind: RemovalKind, isUnknown: boolean): Promise<number> {
    const { write, newId, clock } = this.deps;
    const id = newId();
    const left = await write(async ({ keptBytes, releasedBytes }) => {
      const now = clock.now();
      const until = now + GIVEN_UP_AFTER_MS;
      const referred = await keptBytes.findReferred(hashes);
      const free = hashes.filter((sha256) => !referred.has(sha256));
      if (isUnknown) return releasedBytes.beginUnknown(free, { id, until });
      await releasedBytes.forget([...referred], now);
      return releasedBytes.beginRemoval(free, now, { id, until });
    });
    if (left.length === 0) return 0;
    const { removed, named, failure } = await this.#applyAll(left, kind);
    await write(async ({ releasedBytes }) => {
      const now = clock.now();
      await releasedBytes.endRemoval(removed, { id, until: now + SEEN_FOR_MS });
      // Of one that has failed, it isn't known what the store will do.
      await releasedBytes.breakOffRemoval(left, { id, until: now });
      await releasedBytes.breakOffRemoval(named, { id, until: now + NAMED_FOR_MS });
    });
    if (failure) throw failure.error;
    return removed.length;
  }

  /** @param left loses those that were begun */
  async #applyAll(left: string[], kind: RemovalKind) {
    const until = performance.now() + BEGUN_WITHIN_MS;
    const removed: string[] = [];
    const named: string[] = [];
    let failure: { error: unknown } | undefined;
    const applyNext = async () => {
      while (!failure && performance.now() < until) {
        const sha256 = left.pop();
        if (sha256 === undefined) return;
        if (this.deps.store.isNamed(sha256)) {
          named.push(sha256);
          continue;
        }
        try {
          await this.#apply(sha256, kind);
          removed.push(sha256);
        } catch (error) {
          failure ??= { error };
        }
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, applyNext));
    return { removed, named, failure };
  }

  async #apply(sha256: string, kind: RemovalKind): Promise<void> {
    const { store, clock } = this.deps;
    if (kind === "setAside") return store.setAside(sha256, clock.now());
    if (kind === "remove") await store.remove(sha256);
    // A removal applies to all copies of the bytes.
    await store.removeSetAside(sha256);
  }
}

interface RemovalOptions {
  kind: RemovalKind;
  /** Whether no row has released the bytes. */
  isUnknown?: boolean;
  isStopped?: () => boolean;
}

const beingRemoved = () =>
  unavailable("storage_unavailable", "The same content is being removed. Try again shortly.", {
    headers: { "Retry-After": "10" },
  });
