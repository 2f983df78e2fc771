/** What the parts of the container are joined from. */
import type { Clock } from "../adapters/clock.ts";
import type { CloudFetch } from "../adapters/cloud-fetch.ts";
import type { FileStore } from "../adapters/file-store.ts";
import type { NewId } from "../adapters/ids.ts";
import type { Logger } from "../adapters/logger.ts";
import type { ZipCache } from "../adapters/zip-cache.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { ChangeCatalogue, ChangeRecords, Repositories, WriteRecords } from "../repositories/index.ts";
import type { Archives } from "../services/archives.ts";
import type { StoredFiles } from "../services/stored-files.ts";

export interface Adapters {
  clock: Clock;
  newId: NewId;
  log: Logger;
  store: FileStore;
  cache: ZipCache;
  cloud: CloudFetch;
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
}
