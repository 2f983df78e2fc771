/** The only place, with the folder of its name, where services, repositories and adapters are made and joined. */
import { join } from "node:path";
import { type Clock, systemClock } from "./adapters/clock.ts";
import { CloudFetch } from "./adapters/cloud-fetch.ts";
import { CoverImages } from "./adapters/cover-images.ts";
import { closeDataDir } from "./adapters/data-dir-modes.ts";
import { refuseHalfRestored } from "./adapters/data-dir-switch.ts";
import { FileCache } from "./adapters/file-cache.ts";
import { type FileStore, LocalFileStore } from "./adapters/file-store.ts";
import { GeoIp } from "./adapters/geo-ip.ts";
import { GeoIpFile } from "./adapters/geo-ip-file.ts";
import { idsFrom, type NewId } from "./adapters/ids.ts";
import type { Logger } from "./adapters/logger.ts";
import { secretOf } from "./adapters/secret-file.ts";
import { type Later, systemLater } from "./adapters/timer.ts";
import type { Config } from "./config.ts";
import { joinAccess } from "./container/access.ts";
import { joinAdministration } from "./container/administration.ts";
import { joinAnalytics } from "./container/analytics.ts";
import { joinContacts } from "./container/contacts.ts";
import { joinDoctor } from "./container/doctor.ts";
import { measureStorage } from "./container/figures.ts";
import { joinPublic } from "./container/public.ts";
import { joinSettings } from "./container/settings.ts";
import type { Adapters, Uses } from "./container/uses.ts";
import { makeDataDir } from "./db/data-dir.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { BACKUPS_FOLDER, CACHE_FOLDER, DATABASE_FILE, FILES_FOLDER } from "./lib/data-dir-names.ts";
import type { Metrics } from "./lib/metrics.ts";
import { EventCounts } from "./repositories/analytics/event-counts.ts";
import { catalogueRepositories, recordRepositories } from "./repositories/index.ts";
import { writersOf } from "./repositories/writers.ts";
import { Archives } from "./services/archives.ts";
import { ClockTrust } from "./services/clock-trust.ts";
import type { Services } from "./services/index.ts";
import type { Retention } from "./services/retention.ts";
import { StoredFiles } from "./services/stored-files.ts";

export interface Container {
  config: Config;
  log: Logger;
  clock: Clock;
  newId: NewId;
  store: FileStore;
  services: Services;
  database: Database;
  retention: Retention;
  /** Removes what a crash left: unfinished uploads, ZIPs and downloads, and bytes that no row names. */
  sweep(): Promise<number>;
  /** Adds the figures of the storage. */
  measure(metrics: Metrics): void;
  /** Begins what happens by itself from time to time, until the container is closed. */
  startSchedules(): void;
  close(): Promise<void>;
}

/** Opens the data folder and joins everything to it. */
export async function createContainer(
  config: Config,
  log: Logger,
  { clock = systemClock, later = systemLater }: { clock?: Clock; later?: Later } = {},
): Promise<Container> {
  const uses = await openUses(config, log, { clock, later });
  const { newId, store, database, zipCache, coverCache, cloud, geoIpFile, archives, stored } = uses;
  const { services, retention, geoIpRefresh, geoIpSchedule } = joinServices(uses);
  return {
    ...{ config, log, clock, newId, store, database, services, retention },
    async sweep() {
      await zipCache.sweep();
      await coverCache.sweep();
      await geoIpFile.sweep();
      return stored.sweep();
    },
    measure: (metrics) => measureStorage(metrics, uses),
    startSchedules() {
      if (config.geoIpAutoUpdate && config.geoIpKey) geoIpSchedule.start();
      uses.clockTrust.start();
      retention.start();
    },
    async close() {
      geoIpSchedule.stop();
      await retention.stop();
      await uses.clockTrust.stop();
      await geoIpRefresh.close();
      await archives.close();
      await cloud.close();
      await uses.eventCounts.close();
      await database.close();
    },
  };
}

/** And what happens by itself. */
function joinServices(uses: Uses) {
  const { settings, ...geoIp } = joinSettings(uses);
  const { retention, ...people } = joinContacts(uses);
  const services: Services = {
    ...joinAccess(uses),
    ...joinAdministration(uses),
    ...joinPublic(uses),
    ...people,
    analytics: joinAnalytics(uses),
    doctor: joinDoctor(uses),
    settings,
  };
  return { services, retention, ...geoIp };
}

/** Time, as a test may want it. */
type Times = Pick<Adapters, "clock" | "later">;

async function openUses(config: Config, log: Logger, times: Times): Promise<Uses> {
  const folder = (name: string) => join(config.dataDir, name);
  makeDataDir(config.dataDir);
  const closed = await closeDataDir(config.dataDir);
  if (closed.length > 0)
    log.warn({ closed }, "other users of this machine could read these; they no longer can");
  await refuseHalfRestored(config.dataDir);
  const adapters = makeAdapters(config, log, times);
  await adapters.geoIp.load(adapters.geoIpFile.path);
  const database = await openDatabase(folder(DATABASE_FILE), folder(BACKUPS_FOLDER), (fault) =>
    log.error({ err: fault }, "the database's log could not be moved into its file; it is tried again"),
  );
  return joinUses(config, database, adapters);
}

function makeAdapters(config: Config, log: Logger, { clock, later }: Times): Adapters {
  const { dataDir, cloudFetchAllowHosts, maxUploadBytes } = config;
  const newId = idsFrom(clock);
  return {
    clock,
    later,
    newId,
    log,
    store: new LocalFileStore({ directory: join(dataDir, FILES_FOLDER), newId }),
    images: new CoverImages(),
    ...makeCaches(config, newId, clock),
    cloud: new CloudFetch({ allowHosts: cloudFetchAllowHosts, maxBytes: maxUploadBytes }),
    geoIp: new GeoIp({ log }),
    geoIpFile: new GeoIpFile({ directory: dataDir, newId }),
    secret: config.authSecret ?? secretOf(dataDir),
  };
}

/** Covers are small, and have an eighth of the room. */
function makeCaches({ dataDir, cacheMaxBytes }: Config, newId: NewId, clock: Clock) {
  const directory = join(dataDir, CACHE_FOLDER);
  const forCovers = Math.floor(cacheMaxBytes / 8);
  const zips = { directory, ending: "zip", maxBytes: cacheMaxBytes - forCovers };
  const covers = { directory: join(directory, "covers"), ending: "cover", maxBytes: forCovers };
  return {
    // A build reads and writes as fast as the disk goes; more at once would only slow each other down.
    zipCache: new FileCache({ ...zips, buildsAtOnce: 2, newId, clock }),
    // Those who draw the covers see to it themselves that they aren't too many.
    coverCache: new FileCache({ ...covers, buildsAtOnce: Number.POSITIVE_INFINITY, newId, clock }),
  };
}

function joinUses(config: Config, database: Database, adapters: Adapters): Uses {
  const { clock, store } = adapters;
  const folder = (name: string) => join(config.dataDir, name);
  const reads = { ...recordRepositories(database.read), ...catalogueRepositories(database.read) };
  const writers = writersOf({ database, clock, addressStorage: config.ipStorage });
  const stored = new StoredFiles({ store, files: reads.files });
  return {
    ...adapters,
    ...writers,
    clockTrust: new ClockTrust({
      ...adapters,
      recordedHour: reads.recordedHour,
      write: writers.writeRecords,
    }),
    config,
    database,
    reads,
    stored,
    eventCounts: new EventCounts({
      database: folder(DATABASE_FILE),
      snapshot: join(folder(CACHE_FOLDER), "analytics.snapshot"),
    }),
    archives: new Archives({
      ...adapters,
      stored,
      cache: adapters.zipCache,
      maxCloudFileBytes: config.maxUploadBytes,
    }),
  };
}
