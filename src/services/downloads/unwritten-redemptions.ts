/** Redemptions that the database couldn't take: they wait in memory and in a file of the data folder until it can. */
import type { LineFile } from "../../adapters/line-file.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Cancel, Clock, Scheduler } from "../../adapters/system.ts";
import { createWriteYielder } from "../../db/group-commit.ts";
import { outsideRequest } from "../../db/request-scope.ts";
import { AppError } from "../../errors.ts";
import { DAY, MINUTE } from "../../lib/time.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { WriteRecords } from "../../repositories/index.ts";
import { Service } from "../shared/service.ts";
import { type Dropped, isErased, type KeptRedemptions, type Redemption, writeLate } from "./redemptions.ts";
import { describeKept, MAX_WAITING, type UnwrittenState, WaitingFile } from "./waiting-file.ts";

/** For longer, it would be an outage of which the operator knows. */
const MAX_AGE_MS = DAY;
/** While the database doesn't respond. */
const RETRY_MS = 5000;
/** After an error of these redemptions alone. */
const RETRY_FAILED_MS = MINUTE;
/** Redemptions, and the files that they count, of one transaction: other writers wait for it. */
const ROWS_AT_ONCE = 25;
const FILES_AT_ONCE = 500;
/** How long a delivery waits for the file. Then the redemption is in memory only until the disk responds. */
const FILE_WAIT_MS = 1000;

interface UnwrittenRedemptionsDeps {
  file: LineFile;
  write: WriteRecords;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
}

export class UnwrittenRedemptions extends Service<UnwrittenRedemptionsDeps> {
  /** By event, oldest first. */
  #waiting = new Map<number, Redemption>();
  #dropped: Dropped | undefined;
  /** Of this process, for the metrics. */
  droppedCount = 0;
  readonly #file: WaitingFile;
  #writing: Promise<void> | undefined;
  /** Whether the database itself was the reason of the last error. */
  #isAway = false;
  #isStopped = false;
  #cancel: Cancel | undefined;

  constructor(deps: UnwrittenRedemptionsDeps) {
    super(deps);
    this.#file = new WaitingFile(deps, {
      take: (kept) => this.#takeOver(kept),
      list: () => ({ redemptions: [...this.#waiting.values()], dropped: this.#dropped }),
    });
  }

  /** Reads what an earlier process has left, and writes it. Call it once the service responds. */
  start(): void {
    void this.#file.save().then(() => this.#retryIn(0));
  }

  /** What waits stays in the file. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#writing;
    await this.#file.save();
  }

  /** Of the first delivery, unless the event has lost its contact since. */
  find(event: Pick<EventRow, "id" | "contactId" | "downloadedAt">): Redemption | undefined {
    const waiting = this.#waiting.get(event.id);
    if (waiting?.requestedAt !== event.downloadedAt || isErased(waiting, event)) return undefined;
    return waiting;
  }

  /** Resolves when the redemption is in the file, or after a second. Never rejects. */
  async add(redemption: Redemption, reason: unknown): Promise<void> {
    const { schedule, log } = this.deps;
    const { eventId } = redemption;
    log.error({ err: reason, eventId }, "could not record a redemption; it waits for the database");
    this.#isAway = isOfDatabase(reason);
    if (!this.find({ ...redemption, id: eventId, downloadedAt: redemption.requestedAt })) {
      // One that no longer holds, as of another database.
      if (this.#waiting.delete(eventId)) this.#file.replace();
      this.#put(redemption);
      this.#file.append(redemption);
      this.#dropSurplus();
    }
    this.#retryIn(this.#isAway ? RETRY_MS : RETRY_FAILED_MS);
    const limit = Promise.withResolvers<void>();
    const cancel = schedule(FILE_WAIT_MS, limit.resolve);
    await Promise.race([this.#file.save(), limit.promise]);
    cancel();
  }

  /** A redemption was written at once: so can those that wait, if the database was the reason. */
  noteWritten(eventId: number): void {
    if (this.#waiting.delete(eventId)) this.#file.replace();
    if (this.#isAway && this.#waiting.size > 0) this.#retryIn(0);
  }

  /** Removes those of an erased contact, also from the file. */
  async forget(contactId: number): Promise<void> {
    // Read before, so that the file has nothing of the contact that memory doesn't.
    await this.#file.save();
    const erased = [...this.#waiting.values()].filter((each) => each.contactId === contactId);
    if (erased.length === 0) return;
    for (const { eventId } of erased) this.#waiting.delete(eventId);
    this.#file.replace();
    await this.#file.save();
  }

  async readState(): Promise<UnwrittenState> {
    await this.#file.save();
    const redemptions = [...this.#waiting.values()];
    return describeKept({ redemptions, dropped: this.#dropped }, this.deps.clock.now());
  }

  /** Tries now to write all that waits; resolves after the attempt. */
  writeAll(): Promise<void> {
    this.#writing ??= this.#attempt().finally(() => {
      this.#writing = undefined;
      this.#retryIn(this.#isAway ? RETRY_MS : RETRY_FAILED_MS);
    });
    return this.#writing;
  }

  #retryIn(delayMs: number): void {
    if (this.#isStopped || this.#waiting.size === 0 || this.#writing) return;
    if (delayMs > 0 && this.#cancel) return;
    this.#cancel?.();
    this.#cancel = this.deps.schedule(delayMs, () => {
      this.#cancel = undefined;
      void this.writeAll();
    });
  }

  async #attempt(): Promise<void> {
    await this.#file.save();
    this.#dropOld();
    const before = this.#waiting.size;
    this.#isAway = false;
    for (const batch of splitForWriting([...this.#waiting.values()])) {
      if (this.#isStopped || this.#isAway) break;
      if (await this.#write(batch)) continue;
      // One of them may be the reason.
      for (const each of batch) if (!this.#isAway && batch.length > 1) await this.#write([each]);
    }
    const redemptions = before - this.#waiting.size;
    if (redemptions > 0) this.deps.log.info({ redemptions }, "recorded the redemptions that had waited");
    await this.#file.save();
  }

  /** @returns whether they were written */
  async #write(batch: readonly Redemption[]): Promise<boolean> {
    try {
      await outsideRequest(() =>
        this.deps.write(async (repositories) => {
          const yieldToEventLoop = createWriteYielder();
          for (const redemption of batch) {
            await yieldToEventLoop();
            await writeLate(repositories, redemption);
          }
        }),
      );
    } catch (error) {
      this.#isAway = isOfDatabase(error);
      return false;
    }
    for (const { eventId } of batch) this.#waiting.delete(eventId);
    this.#file.replace();
    return true;
  }

  #put(redemption: Redemption): void {
    const { set } = redemption;
    // One object for all of them: it can have thousands of files.
    const known = set && this.#waiting.values().find((each) => each.set?.id === set.id)?.set;
    this.#waiting.set(redemption.eventId, known ? { ...redemption, set: known } : redemption);
  }

  #takeOver({ redemptions, dropped }: Pick<KeptRedemptions, "redemptions" | "dropped">): void {
    const later = this.#waiting;
    this.#waiting = new Map();
    for (const each of redemptions) this.#put(each);
    for (const [eventId, each] of later) if (!this.#waiting.has(eventId)) this.#put(each);
    this.#dropped = dropped;
    this.#dropOld();
    this.#dropSurplus();
  }

  #dropOld(): void {
    const before = this.deps.clock.now() - MAX_AGE_MS;
    const old = [...this.#waiting.values()].filter(({ redeemedAt }) => redeemedAt < before);
    if (old.length === 0) return;
    this.#drop(old, "they have waited too long");
    this.#file.replace();
  }

  #dropSurplus(): void {
    const count = this.#waiting.size - MAX_WAITING;
    if (count <= 0) return;
    this.#drop([...this.#waiting.values().take(count)], "too many wait");
    this.#file.noteOutdated(count);
  }

  #drop(given: readonly Redemption[], reason: string): void {
    for (const { eventId } of given) this.#waiting.delete(eventId);
    const now = this.deps.clock.now();
    const { dropped } = describeKept({ redemptions: [], dropped: this.#dropped }, now);
    this.#dropped = { count: (dropped?.count ?? 0) + given.length, at: now };
    this.droppedCount += given.length;
    this.deps.log.error({ redemptions: given.length, reason }, "dropped redemptions that were not recorded");
  }
}

/** In order. A set with many files is written alone. */
function* splitForWriting(redemptions: readonly Redemption[]): Generator<Redemption[]> {
  let batch: Redemption[] = [];
  let files = 0;
  for (const each of redemptions) {
    files += each.set?.fileIds.length ?? 1;
    if (batch.length === ROWS_AT_ONCE || (files > FILES_AT_ONCE && batch.length > 0)) {
      yield batch;
      [batch, files] = [[], each.set?.fileIds.length ?? 1];
    }
    batch.push(each);
  }
  if (batch.length > 0) yield batch;
}

/** Whether an error is one of the database itself, not of one redemption. */
const isOfDatabase = (error: unknown): boolean => error instanceof AppError && error.status >= 500;
