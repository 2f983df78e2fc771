/** Replaces the City database by the provider's newest, while look-ups go on. */
import { CloudFetchError } from "../adapters/cloud-fetch.ts";
import { GeoIpFormatError } from "../adapters/geo-ip/database.ts";
import type { GeoIpFile } from "../adapters/geo-ip/file.ts";
import type { GeoIp } from "../adapters/geo-ip/geo-ip.ts";
import type { GeoIpProvider } from "../adapters/geo-ip/provider.ts";
import type { Logger } from "../adapters/logger.ts";
import { type Cancel, type Clock, randomBelow, type Scheduler } from "../adapters/system.ts";
import { badGateway, badRequest, conflict } from "../errors.ts";
import { isoTime } from "../lib/time.ts";

const PROGRESS_BYTES = 8 * 1024 * 1024;

export interface RefreshOutcome {
  /** False when the newest was there already. */
  isReplaced: boolean;
  sizeBytes: number;
}

interface GeoIpRefreshDeps {
  provider: GeoIpProvider | undefined;
  file: GeoIpFile;
  geoIp: GeoIp;
  log: Logger;
}

export class GeoIpRefresh {
  readonly #deps: GeoIpRefreshDeps;
  readonly #stop = new AbortController();
  #running: Promise<RefreshOutcome> | undefined;

  /** @param deps.provider undefined when no key is configured */
  constructor(deps: GeoIpRefreshDeps) {
    this.#deps = deps;
  }

  get hasKey(): boolean {
    return this.#deps.provider !== undefined;
  }

  /**
   * One at a time: 409 for a second one. 400 without a key, 502 when the provider gives no City database, 500 when it
   * can't be stored; what was there then stays in use.
   */
  async run(): Promise<RefreshOutcome> {
    const provider = this.#deps.provider;
    if (!provider) {
      throw badRequest(
        "geoip_key_missing",
        "This operation requires MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY.",
      );
    }
    if (this.#running)
      throw conflict("geoip_update_running", "Another update of the City database is running.");
    this.#running = this.#refresh(provider);
    try {
      return await this.#running;
    } catch (error) {
      throw asProviderError(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Breaks off what is under way and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("The server is shutting down"));
    await Promise.allSettled([this.#running]);
    await this.#deps.provider?.close();
  }

  async #refresh(provider: GeoIpProvider): Promise<RefreshOutcome> {
    const { signal } = this.#stop;
    const newestAt = await provider.newestAt(signal);
    const current = await this.#deps.file.facts();
    // A file that came from elsewhere has a time of its own, which says nothing of its age.
    if (current && current.modifiedAt === newestAt && this.#deps.geoIp.hasCities) {
      this.#deps.log.info({ modifiedAt: isoTime(current.modifiedAt) }, "the City database is up to date");
      return { isReplaced: false, sizeBytes: current.sizeBytes };
    }
    const sha256 = await provider.checksum(signal);
    const archive = await provider.archive(signal);
    const received = this.#progress();
    this.#deps.geoIp.use(
      await this.#deps.file.replaceBy({ archive, sha256, modifiedAt: newestAt, received }),
    );
    const { sizeBytes = 0 } = (await this.#deps.file.facts()) ?? {};
    this.#deps.log.info({ sizeBytes }, "replaced the City database");
    return { isReplaced: true, sizeBytes };
  }

  /** A line now and whenever so much more has come. */
  #progress(): (bytes: number) => void {
    this.#deps.log.info("downloading the City database");
    let due = PROGRESS_BYTES;
    return (receivedBytes) => {
      if (receivedBytes < due) return;
      this.#deps.log.info({ receivedBytes }, "downloading the City database");
      due = receivedBytes + PROGRESS_BYTES;
    };
  }
}

function asProviderError(error: unknown): unknown {
  if (!(error instanceof CloudFetchError || error instanceof GeoIpFormatError)) return error;
  const detail = `The provider did not return a City database. ${error.message}`;
  return badGateway("geoip_provider_failed", detail, { cause: error });
}

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
/** A start has better things to do at first. */
const AFTER_START_MS = 5 * MINUTE_MS;
/** When there was nothing newer, or when it failed. */
const AGAIN_MS = 6 * 60 * MINUTE_MS;
/** Not everybody at the same minute. */
const JITTER_MS = 10 * MINUTE_MS;

interface GeoIpScheduleDeps {
  refresh: GeoIpRefresh;
  file: GeoIpFile;
  geoIp: GeoIp;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
}

export class GeoIpSchedule {
  readonly #deps: GeoIpScheduleDeps;
  #cancel: Cancel = () => {};
  #isStopped = false;

  constructor(deps: GeoIpScheduleDeps) {
    this.#deps = deps;
  }

  start(): void {
    void this.#plan(AFTER_START_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Goes by the file's age, so that a restart alone leads to nothing. One that can't be opened is as good as none. */
  async #plan(soonestMs: number): Promise<void> {
    const facts = await this.#deps.file.facts().catch(() => undefined);
    const isMissing = facts === undefined || !this.#deps.geoIp.hasCities;
    const dueMs = isMissing ? 0 : facts.modifiedAt + WEEK_MS - this.#deps.clock.now();
    // A file from the future, by a clock that was wrong, doesn't wait longer than any other.
    const waitMs = Math.min(Math.max(dueMs, soonestMs), WEEK_MS) + randomBelow(JITTER_MS);
    if (!this.#isStopped) this.#cancel = this.#deps.schedule(waitMs, () => void this.#check());
  }

  async #check(): Promise<void> {
    try {
      await this.#deps.refresh.run();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "could not update the City database");
    }
    await this.#plan(AGAIN_MS);
  }
}
