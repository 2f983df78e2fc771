/** Removes released bytes: at once for a request, and once an hour what is due. */
import type { FileStore } from "../../adapters/files/file-store.ts";
import type { Cancel } from "../../adapters/system.ts";
import type { Database } from "../../db/database.ts";
import { createYielder } from "../../lib/event-loop.ts";
import { DAY, HOUR } from "../../lib/time.ts";
import type { InstallationRepository } from "../../repositories/installation.repository.ts";
import type {
  LastSweepRepository,
  ReleasedBytesRepository,
} from "../../repositories/released-bytes.repository.ts";
import type { ReplacedBytesRepository } from "../../repositories/replaced-bytes.repository.ts";
import { type CommonDeps, Service } from "../shared/service.ts";
import { RELEASED_FOR_MS, type RemovalKind, type Removals } from "./removals.ts";

interface ReleasedBytesDeps extends Pick<CommonDeps, "write" | "newId" | "clock" | "schedule" | "log"> {
  store: Pick<FileStore, "readSweepMark" | "recordSweepMark">;
  removals: Removals;
  /** They read committed data. */
  reads: {
    releasedBytes: ReleasedBytesRepository;
    replacedBytes: ReplacedBytesRepository;
    lastSweep: LastSweepRepository;
    installation: InstallationRepository;
  };
  database: Pick<Database, "runAtOneInstance">;
  replacedFilesDays: number;
  /** Whether data may be deleted because of its age. */
  isClockTrusted: () => boolean;
}

const ROWS_AT_ONCE = 50;
/** Of a table, in a transaction. */
const POSTPONED_AT_ONCE = 500;

export class ReleasedBytes extends Service<ReleasedBytesDeps> {
  #cancel: Cancel = () => {};
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  /** Runs now and then once an hour. If the clock isn't trusted, it only checks again in an hour. */
  start(): void {
    const { isClockTrusted, log, schedule } = this.deps;
    if (isClockTrusted())
      this.run().catch((error) => log.error({ err: error }, "could not remove released files"));
    this.#cancel = schedule(HOUR, () => this.start());
  }

  /** Resolves after the current piece. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running.catch(() => undefined);
  }

  /**
   * Call this after rows have released the bytes as of now. Never fails: what can't be removed now, as while the store is
   * away, is removed by the next sweep.
   */
  async removeNow(hashes: readonly (string | null)[]): Promise<void> {
    const { removals, log } = this.deps;
    const given = hashes.filter((sha256) => sha256 !== null);
    try {
      await removals.run(given, { kind: "remove" });
    } catch (error) {
      log.warn({ err: error }, "could not remove files now; the next sweep tries again");
    }
  }

  /** Sweeps don't overlap. It does nothing while one runs at another instance. */
  run(): Promise<void> {
    const { database } = this.deps;
    const sweeping = this.#running
      .catch(() => undefined)
      .then(() => database.runAtOneInstance("released files", () => this.#sweep()));
    this.#running = sweeping;
    return sweeping.then(() => undefined);
  }

  /** The first start of a service with nothing to remove. Until a sweep is recorded, nothing is deleted. */
  async recordFirst(): Promise<void> {
    const { reads, store } = this.deps;
    if ((await reads.lastSweep.find()) !== undefined || (await store.readSweepMark()) !== undefined) return;
    if ((await reads.releasedBytes.isEmpty()) && (await reads.replacedBytes.isEmpty())) await this.#record();
  }

  async #sweep(): Promise<void> {
    const { log, clock } = this.deps;
    const now = clock.now();
    const isInDoubt = await this.#isInDoubt(now);
    if (isInDoubt) await this.#restartTimes(now);
    await this.#releaseExpired(now);
    const kind: RemovalKind = isInDoubt ? "setAside" : "remove";
    const files = await this.#removeDue(now, kind);
    if (!this.#isStopped) await this.#record();
    if (files > 0) log.info({ files }, isInDoubt ? "set released files aside" : "removed released files");
  }

  /**
   * After a restore, a move, or a long pause, what is due may be needed by another state of the database. Without the same
   * mark on both sides, one of them isn't the one of the last sweep.
   */
  async #isInDoubt(now: number): Promise<boolean> {
    const { reads, store } = this.deps;
    const last = await reads.lastSweep.find();
    if (!last || Math.abs(now - last.sweptAt) > DAY) return true;
    const isOfThisService = last.mark.startsWith(`${(await reads.installation.read()).serviceId} `);
    return !isOfThisService || last.mark !== (await store.readSweepMark());
  }

  async #record(): Promise<void> {
    const { reads, store, write, newId, clock } = this.deps;
    const mark = `${(await reads.installation.read()).serviceId} ${newId()}`;
    await store.recordSweepMark(mark);
    await write(({ lastSweep }) => lastSweep.record(mark, clock.now()));
  }

  /** What isn't due yet gets its whole time again. */
  async #restartTimes(now: number): Promise<void> {
    const { write, replacedFilesDays, log } = this.deps;
    log.warn("the database or the files may have been restored: times of released files begin again");
    const keptUntil = now + replacedFilesDays * DAY;
    const yieldToEventLoop = createYielder();
    const postpone = (): Promise<boolean> =>
      write(async ({ releasedBytes, replacedBytes }) => {
        const isMore = await replacedBytes.postpone(keptUntil, POSTPONED_AT_ONCE);
        return (await releasedBytes.postpone(now, now + RELEASED_FOR_MS, POSTPONED_AT_ONCE)) || isMore;
      });
    while (!this.#isStopped && (await postpone())) await yieldToEventLoop();
  }

  async #releaseExpired(now: number): Promise<void> {
    const { reads, write } = this.deps;
    while (!this.#isStopped) {
      const ids = await reads.replacedBytes.listExpired(now, ROWS_AT_ONCE);
      if (ids.length === 0) return;
      await write(async ({ replacedBytes, releasedBytes }) =>
        releasedBytes.release(await replacedBytes.deleteAll(ids, now), now),
      );
    }
  }

  async #removeDue(now: number, kind: RemovalKind): Promise<number> {
    const { reads, write, removals } = this.deps;
    let files = 0;
    while (!this.#isStopped) {
      const due = await reads.releasedBytes.listDue(now, ROWS_AT_ONCE);
      if (due.length === 0) break;
      const [over, waiting] = [
        due.filter(({ state }) => state === "removed"),
        due.filter(({ state }) => state !== "removed"),
      ].map((rows) => rows.map(({ sha256 }) => sha256));
      if (over?.length) await write(({ releasedBytes }) => releasedBytes.forget(over, now));
      if (waiting?.length) files += await removals.run(waiting, { kind });
    }
    return files;
  }
}
