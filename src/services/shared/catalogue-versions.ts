/** The versions of the catalogue: what is derived from it is valid while they stay the same. */
import type { Clock } from "../../adapters/system.ts";
import { countWait, currentRequest, RequestScope, runRequest } from "../../db/request-scope.ts";
import {
  type CatalogueVersion,
  type DueDates,
  isSameVersion,
  type PublicationRepository,
} from "../../repositories/publication.repository.ts";
import { Service } from "./service.ts";

/** How long the versions may be waited for, on behalf of several requests. */
const VERSIONS_MS = 5000;

/** What a value is derived from: what readers of a language can see or, without one, the whole catalogue. */
export interface CatalogueScope extends CatalogueVersion {
  languageId?: number;
  /** Grows with every change in the scope. Versions of different scopes and epochs can't be compared. */
  version: number;
  /** How often this instance has seen a number that was lower than before in one epoch: then numbers are used again. */
  losses: number;
  /** The last date of a book until then: another one makes another scope. */
  dueSince: number;
  /** A time for which what is derived from it is read, in epoch milliseconds. */
  at: number;
  /** The next date of a book, until which it is valid; Infinity if there is none. */
  dueNext: number;
}

interface Versions extends CatalogueVersion, DueDates {
  at: number;
  /** Counts the changes that concern all languages. */
  forAll: number;
  /** Counts the others. */
  byLanguage: ReadonlyMap<number, number>;
}

/** All versions at one moment. */
export class CatalogueState implements CatalogueScope {
  readonly epoch: string;
  /** That of the whole catalogue, which every change raises. */
  readonly version: number;
  readonly losses: number;
  readonly dueSince: number;
  readonly at: number;
  readonly dueNext: number;
  readonly #forAll: number;
  readonly #byLanguage: ReadonlyMap<number, number>;

  constructor({ epoch, version, forAll, byLanguage, ...time }: Versions, losses = 0) {
    this.epoch = epoch;
    this.version = version;
    this.losses = losses;
    this.at = time.at;
    this.dueSince = time.dueSince;
    this.dueNext = time.dueNext;
    this.#forAll = forAll;
    this.#byLanguage = byLanguage;
  }

  scopeOf(languageId?: number): CatalogueScope {
    if (languageId === undefined) return this;
    const { epoch, losses, dueSince, at, dueNext } = this;
    const version = this.#forAll + (this.#byLanguage.get(languageId) ?? 0);
    return { epoch, losses, languageId, version, dueSince, at, dueNext };
  }

  /** Whether no book has begun or ended since it was read, also if the clock was set back. */
  isValidAt(now: number): boolean {
    return this.at <= now && now < this.dueNext;
  }
}

/** Why numbers that were read earlier mean nothing any more. */
type LossReason = "another database" | "lower version";

interface CatalogueVersionsDeps {
  publication: Pick<PublicationRepository, "readCatalogueVersion" | "readCatalogueVersions">;
  clock: Clock;
  /** Called once for each loss, before any request gets a state after it. */
  onLoss?: (reason: LossReason) => void;
}

/** The versions of the catalogue for requests, which ask for them together. */
export class CatalogueVersions extends Service<CatalogueVersionsDeps> {
  #next: Promise<CatalogueState> | undefined;
  #last: CatalogueState | undefined;
  #losses = 0;

  /**
   * Asks the database once for all callers of a turn of the event loop, after the last of them: no caller gets a state
   * that is older than its call, whichever instance has changed the catalogue. Each waits in the time of its own request,
   * whose response is valid until the next date of a book.
   */
  async readCurrent(): Promise<CatalogueState> {
    this.#next ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#next = undefined;
        runRequest(new RequestScope(VERSIONS_MS), () => this.#read()).then(resolve, reject);
      });
    });
    const next = this.#next;
    const state = await countWait(() => next);
    currentRequest()?.limitValidity(state.dueNext);
    return state;
  }

  /** The same for those who compare it only. */
  readCatalogueVersion(): Promise<CatalogueState> {
    return this.readCurrent();
  }

  /** The versions of languages are read only after a change, or after a date of a book. */
  async #read(): Promise<CatalogueState> {
    const { publication, clock } = this.deps;
    // Responses can overtake each other: only what was known before the question proves that a number is too low.
    const known = this.#last;
    const found = await publication.readCatalogueVersion();
    if (known) this.#compare(known, found);
    const last = this.#last;
    const at = clock.now();
    if (last && isSameVersion(last, found) && last.isValidAt(at)) return last;
    const losses = this.#losses;
    const versions = await publication.readCatalogueVersions(at);
    this.#compare({ ...found, losses }, versions);
    const state = new CatalogueState({ ...versions, at }, this.#losses);
    this.#last = state;
    return state;
  }

  /** Notes a loss, unless another caller has noted it since the earlier version was read. */
  #compare(earlier: CatalogueVersion & { losses: number }, found: CatalogueVersion): void {
    const isOther = found.epoch !== earlier.epoch;
    if (earlier.losses !== this.#losses || (!isOther && found.version >= earlier.version)) return;
    this.#losses += 1;
    this.#last = undefined;
    this.deps.onLoss?.(isOther ? "another database" : "lower version");
  }
}

/** If this many concurrent changes in a row affect the read, something else is wrong. */
const MAX_TRIES = 4;

/**
 * Returns the result of `read` for the current catalogue. If `read` fails and the catalogue has changed since, it is
 * repeated; otherwise its error is thrown.
 * @param read receives the version of the catalogue that it reads, or an earlier one than its rows
 */
export async function retryIfCatalogueChanged<T, V extends CatalogueVersion>(
  versions: { readCatalogueVersion(): Promise<V> },
  read: (version: V) => Promise<T>,
): Promise<T> {
  let version = await versions.readCatalogueVersion();
  for (let tries = 1; ; tries += 1) {
    try {
      return await read(version);
    } catch (error) {
      if (currentRequest()?.remainingMs === 0) throw error;
      const versionNow = await versions.readCatalogueVersion();
      if (isSameVersion(versionNow, version) || tries === MAX_TRIES) throw error;
      version = versionNow;
    }
  }
}
