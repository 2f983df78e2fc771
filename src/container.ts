/** The only place where services, repositories and adapters are made and joined. */
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
import { makeDataDir } from "./db/data-dir.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { DownloadLogQuery } from "./repositories/analytics/download-log.ts";
import {
  type CatalogueRepositories,
  catalogueRepositories,
  type Repositories,
  recordRepositories,
  type WriteCatalogue,
  type WriteRecords,
} from "./repositories/index.ts";
import { writersOf } from "./repositories/writers.ts";
import { AnalyticsService } from "./services/analytics.service.ts";
import { ApiKeysService } from "./services/api-keys.service.ts";
import { ArchivePlans } from "./services/archive-plan.ts";
import { Archives } from "./services/archives.ts";
import { AuthService } from "./services/auth.service.ts";
import { BooksService } from "./services/books.service.ts";
import { DeliveriesService } from "./services/deliveries.service.ts";
import { DownloadRecords } from "./services/download-records.ts";
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
  makeDataDir(config.dataDir);
  const newId = idsFrom(clock);
  const secret = config.authSecret ?? secretOf(config.dataDir);
  const database = await openDatabase(folder("database.sqlite"), folder("backups"));
  const adapters = {
    clock,
    newId,
    log,
    store: new LocalFileStore({ directory: folder("files"), newId }),
    cache: new ZipCache({ directory: folder("cache"), maxBytes: config.cacheMaxBytes, newId }),
    cloud: new CloudFetch({ allowHosts: config.cloudFetchAllowHosts, maxBytes: config.maxUploadBytes }),
    secret,
  };
  const { services, stored, archives } = joinServices(config, database, adapters);
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
      await archives.close();
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
  const reads = { ...recordRepositories(database.read), ...catalogueRepositories(database.read) };
  const { writeRecords, writeCatalogue } = writersOf(database);
  const { newId, clock, store } = adapters;
  const records = { write: writeRecords, newId, clock };
  const stored = new StoredFiles({ store, files: reads.files });
  const archives = new Archives({ ...adapters, maxCloudFileBytes: config.maxUploadBytes });
  const services: Services = {
    ...joinAccess(config, reads, records, adapters),
    ...joinAdministration(config, { reads, write: writeCatalogue, newId, clock }, stored),
    ...joinPublic(config, reads, records, { ...adapters, archives }),
    analytics: new AnalyticsService({ downloadLog: new DownloadLogQuery(database.report) }),
    system: new SystemService({
      facts: { version: appVersion, serverUrl: config.publicBaseUrl ?? "/" },
      publication: reads.publication,
      clock,
    }),
  };
  return { services, stored, archives };
}

interface RecordWriting {
  write: WriteRecords;
  newId: NewId;
  clock: Clock;
}

interface CatalogueWriting {
  reads: CatalogueRepositories;
  write: WriteCatalogue;
  newId: NewId;
  clock: Clock;
}

/** Who may come in. */
function joinAccess(
  config: Config,
  reads: Repositories,
  records: RecordWriting,
  { secret, clock }: Adapters,
) {
  const { users, sessions, apiKeys } = reads;
  const hasher = new PasswordHasher();
  const tokens = new Tokens({ secret, purpose: "session", clock });
  return {
    apiKeys: new ApiKeysService({ apiKeys, ...records }),
    auth: new AuthService({ users, sessions, hasher, tokens, sessionTtlMs: config.sessionTtlMs, ...records }),
    users: new UsersService({ users, hasher, ...records }),
  };
}

/** What administrators do with the catalogue. */
function joinAdministration(config: Config, catalogue: CatalogueWriting, stored: StoredFiles) {
  const { reads, write, clock } = catalogue;
  return {
    books: new BooksService(catalogue),
    files: new FilesService({ ...catalogue, stored, cloudAllowHosts: config.cloudFetchAllowHosts }),
    languages: new LanguagesService({ languages: reads.languages, stored, clock, write }),
    translations: new TranslationsService(catalogue),
  };
}

/** What readers see and get. */
function joinPublic(
  config: Config,
  reads: Repositories,
  records: RecordWriting,
  { archives, store, secret, clock, log }: Adapters & { archives: Archives },
) {
  const publicCatalogue = new PublicCatalogueService({ reads });
  const readerFacts = new ReaderFacts({ userAgents: new UserAgents(), addressStorage: config.ipStorage });
  const downloading = {
    catalogue: publicCatalogue,
    plans: new ArchivePlans({ reads }),
    archives,
    records: new DownloadRecords({ ...records, readerFacts, log }),
    tokens: new Tokens({ secret, purpose: "download", clock }),
  };
  const { languages, events } = reads;
  return {
    deliveries: new DeliveriesService({ ...downloading, languages, events, store }),
    downloads: new DownloadsService({ ...downloading, tokenTtlMs: config.downloadTokenTtlMs }),
    publicCatalogue,
  };
}
