/** The file of the redemptions that wait for the database, which follows the memory of the service. */
import pLimit from "p-limit";
import type { LineFile } from "../../adapters/line-file.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Clock } from "../../adapters/system.ts";
import { DAY } from "../../lib/time.ts";
import {
  type Dropped,
  formatDropped,
  formatRedemptions,
  type KeptRedemptions,
  parseRedemptions,
  type Redemption,
} from "./redemptions.ts";

/** The oldest are dropped first. */
export const MAX_WAITING = 10_000;
/** How long the doctor names those that were dropped. */
const DROPPED_NAMED_MS = 30 * DAY;

/** For the doctor and the metrics. Times are in epoch milliseconds. */
export interface UnwrittenState {
  waiting: number;
  /** Time of the oldest delivery. */
  since: number | undefined;
  dropped: Dropped | undefined;
}

/** What the doctor says of the content of a file. */
export function describeKept(
  { redemptions, dropped }: Pick<KeptRedemptions, "redemptions" | "dropped">,
  now: number,
): UnwrittenState {
  const isNamed = dropped && now - dropped.at < DROPPED_NAMED_MS;
  return {
    waiting: redemptions.length,
    since: redemptions[0]?.redeemedAt,
    dropped: isNamed ? dropped : undefined,
  };
}

/** Reads the file beside a service that may be running. */
export const readUnwritten = async (file: LineFile, now: number): Promise<UnwrittenState> =>
  describeKept(await parseRedemptions(file.read()), now);

interface WaitingFileDeps {
  file: LineFile;
  clock: Clock;
  log: Logger;
}

/** What waits in memory. */
interface Waiting {
  /** Gets what the file has, before anything is written to it. */
  take(kept: KeptRedemptions): void;
  list(): Pick<KeptRedemptions, "redemptions" | "dropped">;
}

/** The file of those that wait. It follows the memory, and may have some that were written already: these count once. */
export class WaitingFile {
  readonly #deps: WaitingFileDeps;
  readonly #waiting: Waiting;
  /** One operation at a time. It does all that is due when it begins, so later calls have nothing left to do. */
  readonly #limit = pLimit(1);
  #isRead = false;
  #isFailing = false;
  #mustReplace = false;
  #due: Redemption[] = [];
  /** Lines of redemptions that memory doesn't have any more. */
  #outdated = 0;
  readonly #sets = new Set<string>();

  constructor(deps: WaitingFileDeps, waiting: Waiting) {
    this.#deps = deps;
    this.#waiting = waiting;
  }

  append(redemption: Redemption): void {
    // Of a file that can't be read yet.
    if (this.#due.length >= MAX_WAITING) this.#due.shift();
    this.#due.push(redemption);
  }

  replace(): void {
    this.#mustReplace = true;
  }

  /** Beyond the limit, each new one drops an old one: the file isn't written again for each. */
  noteOutdated(count: number): void {
    this.#outdated += count;
    if (this.#outdated >= MAX_WAITING) this.#mustReplace = true;
  }

  /** Resolves when the file is as memory was at the call, or can't be. Never rejects. */
  save(): Promise<void> {
    return this.#limit(async () => {
      try {
        if (!this.#isRead) await this.#read();
        if (this.#mustReplace) await this.#replaceAll();
        else if (this.#due.length > 0) await this.#appendDue();
        this.#isFailing = false;
      } catch (error) {
        this.#mustReplace ||= this.#isRead;
        if (!this.#isFailing)
          this.#deps.log.error({ err: error }, "redemptions that can't be recorded wait in memory only");
        this.#isFailing = true;
      }
    });
  }

  async #read(): Promise<void> {
    const { file, log } = this.#deps;
    const kept = await parseRedemptions(file.read());
    const { unreadable } = kept;
    this.#isRead = true;
    if (unreadable > 0) log.warn({ path: file.path, unreadable }, "some waiting redemptions can't be read");
    if (unreadable > 0 || kept.redemptions.length > MAX_WAITING) this.#mustReplace = true;
    this.#waiting.take(kept);
  }

  async #appendDue(): Promise<void> {
    await this.#deps.file.append(formatRedemptions(this.#due.splice(0), this.#sets));
  }

  async #replaceAll(): Promise<void> {
    const { redemptions, dropped } = this.#waiting.list();
    this.#mustReplace = false;
    this.#due = [];
    this.#outdated = 0;
    this.#sets.clear();
    const isNamed = describeKept({ redemptions, dropped }, this.#deps.clock.now()).dropped;
    if (redemptions.length === 0 && !isNamed) return await this.#deps.file.remove();
    await this.#deps.file.replace(this.#format(redemptions, isNamed));
  }

  *#format(redemptions: readonly Redemption[], dropped: Dropped | undefined): Generator<string> {
    if (dropped) yield formatDropped(dropped);
    yield* formatRedemptions(redemptions, this.#sets);
  }
}
