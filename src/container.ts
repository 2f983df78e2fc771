/** The only place, with the folder of its name, where services, repositories and adapters are made and joined. */
import { join } from "node:path";
import { type Clock, systemClock } from "./adapters/clock.ts";
import { CloudFetch } from "./adapters/cloud-fetch.ts";
import { type FileStore, LocalFileStore } from "./adapters/file-store.ts";
import { idsFrom, type NewId } from "./adapters/ids.ts";
import type { Logger } from "./adapters/logger.ts";
import { secretOf } from "./adapters/secret-file.ts";
import { ZipCache } from "./adapters/zip-cache.ts";
import type { Config } from "./config.ts";
import { joinAccess } from "./container/access.ts";
import { joinAdministration } from "./container/administration.ts";
import { joinPublic } from "./container/public.ts";
import type { Adapters, Uses } from "./container/uses.ts";
import { makeDataDir } from "./db/data-dir.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { catalogueRepositories, recordRepositories } from "./repositories/index.ts";
import { writersOf } from "./repositories/writers.ts";
import { Archives } from "./services/archives.ts";
import type { Services } from "./services/index.ts";
import { StoredFiles } from "./services/stored-files.ts";

export interface Container {
  config: Config;
  log: Logger;
  clock: Clock;
  newId: NewId;
  store: FileStore;
  services: Services;
  database: Database;
  /** Removes what a crash left: unfinished uploads and ZIPs, and bytes that no row names. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the data folder and joins everything to it. */
export async function createContainer(
  config: Config,
  log: Logger,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<Container> {
  makeDataDir(config.dataDir);
  const adapters = makeAdapters(config, log, clock);
  const { newId, store, cache, cloud } = adapters;
  const folder = (name: string) => join(config.dataDir, name);
  const database = await openDatabase(folder("database.sqlite"), folder("backups"));
  const uses = joinUses(config, database, adapters);
  return {
    ...{ config, log, clock, newId, store, database },
    services: { ...joinAccess(uses), ...joinAdministration(uses), ...joinPublic(uses) },
    async sweep() {
      await cache.sweep();
      return uses.stored.sweep();
    },
    async close() {
      await uses.archives.close();
      await cloud.close();
      await database.close();
    },
  };
}

function makeAdapters(config: Config, log: Logger, clock: Clock): Adapters {
  const { dataDir, cacheMaxBytes, cloudFetchAllowHosts, maxUploadBytes } = config;
  const newId = idsFrom(clock);
  return {
    clock,
    newId,
    log,
    store: new LocalFileStore({ directory: join(dataDir, "files"), newId }),
    cache: new ZipCache({ directory: join(dataDir, "cache"), maxBytes: cacheMaxBytes, newId }),
    cloud: new CloudFetch({ allowHosts: cloudFetchAllowHosts, maxBytes: maxUploadBytes }),
    secret: config.authSecret ?? secretOf(dataDir),
  };
}

function joinUses(config: Config, database: Database, adapters: Adapters): Uses {
  const { newId, clock, store } = adapters;
  const reads = { ...recordRepositories(database.read), ...catalogueRepositories(database.read) };
  return {
    ...adapters,
    ...writersOf({ database, newId, clock, addressStorage: config.ipStorage }),
    config,
    database,
    reads,
    stored: new StoredFiles({ store, files: reads.files }),
    archives: new Archives({ ...adapters, maxCloudFileBytes: config.maxUploadBytes }),
  };
}
