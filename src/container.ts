/** The only place where services, repositories and adapters are made and joined. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "./adapters/clock.ts";
import { CloudFetch } from "./adapters/cloud-fetch.ts";
import { type FileStore, LocalFileStore } from "./adapters/file-store.ts";
import { idsFrom, type NewId } from "./adapters/ids.ts";
import type { Logger } from "./adapters/logger.ts";
import { PasswordHasher } from "./adapters/password-hasher.ts";
import { secretOf } from "./adapters/secret-file.ts";
import { Tokens } from "./adapters/tokens.ts";
import { UserAgents } from "./adapters/user-agents.ts";
import { ZipCache } from "./adapters/zip-cache.ts";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { DownloadLogQuery } from "./repositories/analytics/download-log.ts";
import {
  catalogueRepositories,
  recordRepositories,
  type WriteCatalogue,
  type WriteRecords,
} from "./repositories/index.ts";
import { AnalyticsService } from "./services/analytics.service.ts";
import { ApiKeysService } from "./services/api-keys.service.ts";
import { ArchivePlans } from "./services/archive-plan.ts";
import { Archives } from "./services/archives.ts";
import { AuthService } from "./services/auth.service.ts";
import { BooksService } from "./services/books.service.ts";
import { DeliveriesService } from "./services/deliveries.service.ts";
import { DownloadsService } from "./services/downloads.service.ts";
import { FilesService } from "./services/files.service.ts";
import type { Services } from "./services/index.ts";
import { LanguagesService } from "./services/languages.service.ts";
import { PublicCatalogueService } from "./services/public-catalogue.service.ts";
import { ReaderFacts } from "./services/reader-facts.ts";
import { StoredFiles } from "./services/stored-files.ts";
import { SystemService } from "./services/system.service.ts";
import { TranslationsService } from "./services/translations.service.ts";
import { UsersService } from "./services/users.service.ts";
import { appVersion } from "./version.ts";

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
  const folder = (name: string) => join(config.dataDir, name);
  mkdirSync(folder("cache"), { recursive: true, mode: 0o700 });
  const newId = idsFrom(clock);
  const database = await openDatabase(folder("database.sqlite"), folder("backups"));
  const adapters = {
    clock,
    newId,
    log,
    store: new LocalFileStore({ directory: folder("files"), newId }),
    cache: new ZipCache({ directory: folder("cache"), maxBytes: config.cacheMaxBytes, newId }),
    cloud: new CloudFetch({ allowHosts: config.cloudFetchAllowHosts, maxBytes: config.maxUploadBytes }),
    secret: config.authSecret ?? secretOf(config.dataDir),
  };
  const { services, stored } = joinServices(config, database, adapters);
  return {
    config,
    log,
    clock,
    newId,
    store: adapters.store,
    services,
    database,
    async sweep() {
      await adapters.cache.sweep();
      return stored.sweep();
    },
    async close() {
      await adapters.cloud.close();
      await database.close();
    },
  };
}

interface Adapters {
  clock: Clock;
  newId: NewId;
  log: Logger;
  store: FileStore;
  cache: ZipCache;
  cloud: CloudFetch;
  secret: string;
}

function joinServices(config: Config, database: Database, adapters: Adapters) {
  const { clock, newId, log, store, cache, cloud, secret } = adapters;
  const reads = { ...recordRepositories(database.read), ...catalogueRepositories(database.read) };
  const { writeRecords, writeCatalogue } = writersOf(database);
  const hasher = new PasswordHasher();
  const readerFacts = new ReaderFacts({ userAgents: new UserAgents(), addressStorage: config.ipStorage });
  const stored = new StoredFiles({ store, files: reads.files });
  const publicCatalogue = new PublicCatalogueService({ reads });
  const plans = new ArchivePlans({ reads });
  const maxCloudFileBytes = config.maxUploadBytes;
  const archives = new Archives({ cache, store, cloud, log, newId, maxCloudFileBytes });
  const downloadTokens = new Tokens({ secret, purpose: "download", clock });
  const records = { write: writeRecords, newId, clock };
  const catalogue = { reads, write: writeCatalogue, newId, clock };
  const services: Services = {
    analytics: new AnalyticsService({ downloadLog: new DownloadLogQuery(database.report) }),
    apiKeys: new ApiKeysService({ apiKeys: reads.apiKeys, ...records }),
    auth: new AuthService({
      users: reads.users,
      sessions: reads.sessions,
      hasher,
      tokens: new Tokens({ secret, purpose: "session", clock }),
      sessionTtlMs: config.sessionTtlMs,
      ...records,
    }),
    books: new BooksService(catalogue),
    deliveries: new DeliveriesService({
      ...{ reads, store, plans, archives, readerFacts, clock, log },
      write: writeRecords,
      tokens: downloadTokens,
    }),
    downloads: new DownloadsService({
      ...{ reads, catalogue: publicCatalogue, plans, archives, readerFacts },
      tokens: downloadTokens,
      tokenTtlMs: config.downloadTokenTtlMs,
      ...records,
    }),
    files: new FilesService({ ...catalogue, stored, cloudAllowHosts: config.cloudFetchAllowHosts }),
    languages: new LanguagesService({
      ...{ languages: reads.languages, files: reads.files, stored, clock },
      write: writeCatalogue,
    }),
    publicCatalogue,
    system: new SystemService({
      facts: { version: appVersion, serverUrl: config.publicBaseUrl ?? "/" },
      publication: reads.publication,
      clock,
    }),
    translations: new TranslationsService(catalogue),
    users: new UsersService({ users: reads.users, hasher, ...records }),
  };
  return { services, stored };
}

/** The repositories of a write are bound to the writing connection; nothing else may use it. */
function writersOf(database: Database): { writeRecords: WriteRecords; writeCatalogue: WriteCatalogue } {
  const records = recordRepositories(database.writer);
  const all = { ...records, ...catalogueRepositories(database.writer) };
  return {
    writeRecords: (work) => database.commit(() => work(records)),
    writeCatalogue: (work) =>
      database.commit(async () => {
        const result = await work(all);
        await all.publication.raiseCatalogueVersion();
        return result;
      }),
  };
}
