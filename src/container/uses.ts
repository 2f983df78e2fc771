/** What the parts of the container are joined from. */
import type { Clock } from "../adapters/clock.ts";
import type { CloudFetch } from "../adapters/cloud-fetch.ts";
import type { CoverImages } from "../adapters/cover-images.ts";
import type { FileCache } from "../adapters/file-cache.ts";
import type { FileStore } from "../adapters/file-store.ts";
import type { GeoIp } from "../adapters/geo-ip.ts";
import type { GeoIpFile } from "../adapters/geo-ip-file.ts";
import type { NewId } from "../adapters/ids.ts";
import type { Logger } from "../adapters/logger.ts";
import type { Later } from "../adapters/timer.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { EventCounts } from "../repositories/analytics/event-counts.ts";
import type { ChangeCatalogue, ChangeRecords, Repositories, WriteRecords } from "../repositories/index.ts";
import type { Archives } from "../services/archives.ts";
import type { ClockTrust } from "../services/clock-trust.ts";
import type { StoredFiles } from "../services/stored-files.ts";

export interface Adapters {
  clock: Clock;
  later: Later;
  newId: NewId;
  log: Logger;
  store: FileStore;
  images: CoverImages;
  zipCache: FileCache;
  coverCache: FileCache;
  cloud: CloudFetch;
  geoIp: GeoIp;
  geoIpFile: GeoIpFile;
  secret: string;
}

/** Everything that services are made of. */
export interface Uses extends Adapters {
  config: Config;
  database: Database;
  reads: Repositories;
  writeRecords: WriteRecords;
  changeRecords: ChangeRecords;
  changeCatalogue: ChangeCatalogue;
  stored: StoredFiles;
  archives: Archives;
  eventCounts: EventCounts;
  clockTrust: ClockTrust;
}
