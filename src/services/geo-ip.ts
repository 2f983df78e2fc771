/** Replaces the City database by the provider's newest, on request and weekly, while look-ups go on. */
import { CloudFetchError } from "../adapters/cloud-fetch.ts";
import { GeoIpFormatError } from "../adapters/geo-ip/database.ts";
import type { GeoIp } from "../adapters/geo-ip/geo-ip.ts";
import { GeoIpProvider } from "../adapters/geo-ip/provider.ts";
import { type Cancel, randomBelow } from "../adapters/system.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { badGateway, badRequest, conflict } from "../errors.ts";
import { type CommonDeps, Service } from "./shared/service.ts";

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
/** A start has more urgent work. */
const AFTER_START_MS = 5 * MINUTE_MS;
/** After an update that failed or found nothing newer. */
const RETRY_MS = 6 * 60 * MINUTE_MS;
/** Not all installations in the same minute. */
const JITTER_MS = 10 * MINUTE_MS;
/** How long after an update at one instance the others use its database at the latest. */
const REFRESH_MS = 10 * MINUTE_MS;

interface UpdateOutcome {
  /** False when the newest was there already. */
  isReplaced: boolean;
  sizeBytes: number;
}

/** Undefined when no key is configured. */
export const createProvider = (config: Config): GeoIpProvider | undefined =>
  config.geoIpKey &&
  new GeoIpProvider({
    key: config.geoIpKey,
    url: config.geoIpDownloadUrl,
    allowHosts: config.cloudFetchAllowHosts,
  });

interface GeoIpUpdatesDeps extends Pick<CommonDeps, "clock" | "schedule" | "log"> {
  /** Undefined when no key is configured. */
  provider: GeoIpProvider | undefined;
  geoIp: GeoIp;
  database: Pick<Database, "runAtOneInstance">;
}

export class GeoIpUpdates extends Service<GeoIpUpdatesDeps> {
  readonly #stop = new AbortController();
  #running: Promise<UpdateOutcome> | undefined;
  #cancelUpdate: Cancel = () => {};
  #cancelRefresh: Cancel = () => {};

  get hasKey(): boolean {
    return this.deps.provider !== undefined;
  }

  /**
   * One at a time, at all instances: 409 for a second one. 400 without a key, 502 when the provider gives no City database, 500 when it
   * can't be stored; the current database then stays in use.
   */
  async run(): Promise<UpdateOutcome> {
    const { provider } = this.deps;
    if (!provider) {
      const detail = "This operation requires MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY.";
      throw badRequest("geoip_key_missing", detail);
    }
    if (this.#running) throw updateRunning();
    this.#running = this.#updateAlone(provider);
    try {
      return await this.#running;
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      throw toProviderError(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** From now on the service updates the database by itself, or uses what other instances have stored, until it is closed. */
  start({ isAutomatic, isShared }: { isAutomatic: boolean; isShared: boolean }): void {
    if (this.hasKey && isAutomatic) void this.#plan(AFTER_START_MS);
    if (isShared) this.#planRefresh();
  }

  /** Ends an update in progress, and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("The server is shutting down"));
    this.#cancelUpdate();
    this.#cancelRefresh();
    await Promise.allSettled([this.#running]);
    await this.deps.provider?.close();
  }

  async #updateAlone(provider: GeoIpProvider): Promise<UpdateOutcome> {
    const done = Promise.withResolvers<UpdateOutcome>();
    const ran = await this.deps.database.runAtOneInstance("geoip", async () =>
      done.resolve(await this.#update(provider)),
    );
    if (!ran) throw updateRunning();
    return done.promise;
  }

  async #update(provider: GeoIpProvider): Promise<UpdateOutcome> {
    const { geoIp, log } = this.deps;
    const { signal } = this.#stop;
    const newestAt = await provider.fetchNewestAt(signal);
    const current = await geoIp.refresh();
    // A file that came from elsewhere has a time of its own, which says nothing of its age.
    if (current && current.modifiedAt === newestAt) {
      log.info("the City database is up to date");
      return { isReplaced: false, sizeBytes: current.sizeBytes };
    }
    log.info("downloading the City database");
    const database = await provider.download(signal);
    await geoIp.replace(database, newestAt);
    log.info({ sizeBytes: database.length }, "replaced the City database");
    return { isReplaced: true, sizeBytes: database.length };
  }

  #planRefresh(): void {
    this.#cancelRefresh = this.deps.schedule(REFRESH_MS, async () => {
      await this.deps.geoIp.refresh();
      if (!this.#stop.signal.aborted) this.#planRefresh();
    });
  }

  /** Depends on the file's age, so that a restart alone doesn't download it. A file that can't be opened counts as none. */
  async #plan(soonestMs: number): Promise<void> {
    const { geoIp, clock, schedule } = this.deps;
    const facts = await geoIp.refresh();
    const dueMs = facts ? facts.modifiedAt + WEEK_MS - clock.now() : 0;
    // A file from the future, by a clock that was wrong, doesn't wait longer than any other.
    const waitMs = Math.min(Math.max(dueMs, soonestMs), WEEK_MS) + randomBelow(JITTER_MS);
    if (!this.#stop.signal.aborted) this.#cancelUpdate = schedule(waitMs, () => void this.#runPlanned());
  }

  async #runPlanned(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.deps.log.warn({ err: error }, "could not update the City database");
    }
    await this.#plan(RETRY_MS);
  }
}

const updateRunning = () =>
  conflict("geoip_update_running", "Another update of the City database is running.");

function toProviderError(error: unknown): unknown {
  if (!(error instanceof CloudFetchError || error instanceof GeoIpFormatError)) return error;
  const detail = `The provider did not return a City database. ${error.message}`;
  return badGateway("geoip_provider_failed", detail, { cause: error });
}
