/** The only place, with the folder of its name, where services, repositories and adapters are made and joined. */
import { join } from "node:path";
import { CloudFetch } from "./adapters/cloud-fetch/cloud-fetch.ts";
import { FileCache } from "./adapters/files/file-cache.ts";
import { type FileStore, LocalFileStore } from "./adapters/files/file-store.ts";
import { GeoIpFile } from "./adapters/geo-ip/file.ts";
import { GeoIp } from "./adapters/geo-ip/geo-ip.ts";
import { GeoIpProvider } from "./adapters/geo-ip/provider.ts";
import { CoverImages } from "./adapters/images/cover-images.ts";
import { Favicon } from "./adapters/images/favicon.ts";
import type { Logger } from "./adapters/logger.ts";
import { PasswordHasher } from "./adapters/password-hasher.ts";
import { closeDataDir, secretOf } from "./adapters/private-files.ts";
import { type Clock, idsFrom, type Later, type NewId, systemClock, systemLater } from "./adapters/system.ts";
import { DownloadIds, Tokens } from "./adapters/tokens.ts";
import { UserAgents } from "./adapters/user-agents.ts";
import { refuseHalfRestored } from "./backup/data-dir-switch.ts";
import type { Config } from "./config.ts";
import { makeDataDir } from "./db/data-dir.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { BACKUPS_FOLDER, CACHE_FOLDER, DATABASE_FILE, FILES_FOLDER } from "./lib/data-dir-names.ts";
import type { Metrics } from "./lib/metrics.ts";
import { AuditRepository } from "./repositories/audit.repository.ts";
import { MatrixRepository } from "./repositories/channels.repository.ts";
import { ConsentStatesQuery } from "./repositories/consents.repository.ts";
import { CitiesQuery, ContactEventsQuery, ContactsListQuery } from "./repositories/contacts-list.ts";
import { EventCounts } from "./repositories/event-counts/event-counts.ts";
import { ContactsExport } from "./repositories/exports/contacts-export.ts";
import { DownloadLogQuery } from "./repositories/exports/download-log.ts";
import { EventExport } from "./repositories/exports/event-export.ts";
import {
  type ChangeCatalogue,
  type ChangeRecords,
  catalogueRepositories,
  type Repositories,
  recordRepositories,
  type WriteRecords,
  writersOf,
} from "./repositories/index.ts";
import { OldEventsQuery } from "./repositories/old-events.ts";
import { ReportNames } from "./repositories/report-names.ts";
import { VisibilityRepository } from "./repositories/visibility.repository.ts";
import { AnalyticsService } from "./services/analytics/analytics.service.ts";
import { AnalyticsRows } from "./services/analytics/rows.ts";
import { AnalyticsSummary } from "./services/analytics/summary.ts";
import { AuditService } from "./services/audit.service.ts";
import { BookLifecycleService } from "./services/books/book-lifecycle.service.ts";
import { BookOrderService } from "./services/books/book-order.service.ts";
import { BooksService } from "./services/books/books.service.ts";
import { BulkUpsertService } from "./services/books/bulk.service.ts";
import { TranslationsService } from "./services/books/translations.service.ts";
import { PublicCatalogueService } from "./services/catalogue/public-catalogue.service.ts";
import { ChannelsService } from "./services/channels/channels.service.ts";
import { PublicationsService } from "./services/channels/publications.service.ts";
import { ConsentLedger } from "./services/contacts/consent-ledger.ts";
import { ContactCorrection, ContactErasure } from "./services/contacts/contact-correction.ts";
import { ContactsService } from "./services/contacts/contacts.service.ts";
import { CoverVariants } from "./services/covers/cover-variants.ts";
import { CoversService } from "./services/covers/covers.service.ts";
import { PublicCoversService } from "./services/covers/public-covers.service.ts";
import { ClockTrust } from "./services/doctor/clock-trust.ts";
import { joinDoctor } from "./services/doctor/open-doctor.ts";
import { ArchivePlans } from "./services/downloads/archive-plan.ts";
import { Archives } from "./services/downloads/archives.ts";
import { DeliveriesService } from "./services/downloads/deliveries.service.ts";
import { DownloadRecords, ReaderFacts } from "./services/downloads/download-records.ts";
import { DownloadsService } from "./services/downloads/downloads.service.ts";
import { FilesService } from "./services/files/files.service.ts";
import { StoredFiles } from "./services/files/stored-files.ts";
import { GeoIpRefresh, GeoIpSchedule } from "./services/geo-ip.ts";
import type { Services } from "./services/index.ts";
import { LanguagesService } from "./services/languages.service.ts";
import { Retention } from "./services/retention.ts";
import { SettingsService } from "./services/settings.service.ts";
import { measureStorage } from "./services/storage-metrics.ts";
import { SystemService } from "./services/system.service.ts";
import { ApiKeysService } from "./services/users/api-keys.service.ts";
import { AuthService, SideWrites } from "./services/users/auth.service.ts";
import { FailedLogins, KnownDevices } from "./services/users/failed-logins.ts";
import { UsersService } from "./services/users/users.service.ts";
import { VisibilityService } from "./services/visibility.service.ts";
import { appVersion } from "./version.ts";

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
    config,
    log,
    clock,
    newId,
    store,
    database,
    services,
    retention,
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

// SECTION What the parts of the container are joined from.

interface Adapters {
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

// SECTION Who may come in.

function joinAccess(uses: Uses) {
  const { config, reads, secret, clock, newId, log, writeRecords, changeRecords } = uses;
  const { users, sessions, apiKeys } = reads;
  const { sessionTtlMs, ipStorage: addressStorage } = config;
  const hasher = new PasswordHasher();
  const tokens = new Tokens({ secret, purpose: "session", clock });
  const deviceTokens = new Tokens({ secret, purpose: "known-device", clock });
  const devices = new KnownDevices({ users, tokens: deviceTokens });
  const sideWrites = new SideWrites({ log });
  const records = { write: writeRecords, change: changeRecords, newId, clock };
  return {
    apiKeys: new ApiKeysService({ apiKeys, sideWrites, ...records }),
    auth: new AuthService({
      users,
      sessions,
      hasher,
      tokens,
      devices,
      sessionTtlMs,
      addressStorage,
      userAgents: new UserAgents(),
      sideWrites,
      isClockTrusted: () => uses.clockTrust.isTrusted(),
      failedLogins: new FailedLogins({ ...records, log, addressStorage }),
      ...records,
    }),
    users: new UsersService({ users, hasher, ...records }),
  };
}

// SECTION What administrators do with the catalogue, and what they see of it.

function joinAdministration(uses: Uses) {
  const { config, database, reads, changeCatalogue, writeRecords, images, store, stored, newId, clock } =
    uses;
  const catalogue = { reads, change: changeCatalogue, newId, clock };
  const report = catalogueRepositories(database.report);
  const cloudAllowHosts = config.cloudFetchAllowHosts;
  return {
    audit: new AuditService({ audit: new AuditRepository(database.report), change: uses.changeRecords }),
    books: new BooksService({ ...catalogue, report }),
    bookLifecycle: new BookLifecycleService({ ...catalogue, report, stored }),
    bookOrder: new BookOrderService({ ...catalogue, report }),
    bulkUpsert: new BulkUpsertService({ ...catalogue, cloudAllowHosts }),
    channels: new ChannelsService({ channels: reads.channels, ...catalogue }),
    covers: new CoversService({ ...catalogue, images, store, stored }),
    files: new FilesService({ ...catalogue, stored, cloudAllowHosts }),
    languages: new LanguagesService({
      languages: reads.languages,
      stored,
      ...catalogue,
      write: writeRecords,
    }),
    publications: new PublicationsService({ ...catalogue, report: new MatrixRepository(database.report) }),
    translations: new TranslationsService(catalogue),
    visibility: new VisibilityService({
      languages: reads.languages,
      visibility: new VisibilityRepository(database.report),
      ...catalogue,
    }),
  };
}

// SECTION What is counted of downloads.

function joinAnalytics({ database, eventCounts: counts, clock }: Uses): AnalyticsService {
  const { places, report: db, csv } = database;
  const downloadLog = new DownloadLogQuery(db);
  const rows = new AnalyticsRows({ counts, names: new ReportNames(db) });
  return new AnalyticsService({
    counts,
    rows,
    downloadLog,
    summary: new AnalyticsSummary({ counts, rows, downloadLog, clock }),
    export: new EventExport({ db: places, csv }),
  });
}

// SECTION The readers on record, and how they are forgotten.

function joinContacts({
  config,
  database,
  reads,
  writeRecords,
  changeRecords,
  newId,
  clock,
  clockTrust,
  log,
}: Uses) {
  const { contacts, consents } = recordRepositories(database.report);
  const { consentTextVersions: textVersions } = config;
  return {
    contacts: new ContactsService({
      contacts,
      consents,
      consentStates: new ConsentStatesQuery({ db: database.report, textVersions }),
      events: new ContactEventsQuery(database.report),
      cities: new CitiesQuery({ db: database.report }),
      list: new ContactsListQuery(database.report),
      export: new ContactsExport({ db: database.places, csv: database.csv, textVersions }),
    }),
    contactCorrection: new ContactCorrection({
      change: changeRecords,
      ledger: new ConsentLedger({ newId, textVersions }),
      clock,
    }),
    contactErasure: new ContactErasure({
      contacts: reads.contacts,
      write: writeRecords,
      change: changeRecords,
    }),
    retention: new Retention({
      oldEvents: new OldEventsQuery(database.report),
      write: writeRecords,
      clock,
      later: systemLater,
      log,
      days: config.eventRetentionDays,
      isClockTrusted: () => clockTrust.isTrusted(),
    }),
  };
}

// SECTION What readers see and get.

function joinPublic(uses: Uses) {
  const { config, database, reads, images, store, coverCache, clock, log } = uses;
  const publicCatalogue = new PublicCatalogueService({
    reads,
    report: catalogueRepositories(database.report),
  });
  return {
    ...joinDownloads(uses, publicCatalogue),
    publicCatalogue,
    publicCovers: new PublicCoversService({
      reads,
      catalogue: publicCatalogue,
      variants: new CoverVariants({ cache: coverCache, images, store, log }),
    }),
    system: new SystemService({
      facts: { version: appVersion, serverUrl: config.publicBaseUrl ?? "/" },
      publication: reads.publication,
      favicon: new Favicon({ directory: config.dataDir, log }),
      clock,
    }),
  };
}

function joinDownloads(uses: Uses, catalogue: PublicCatalogueService) {
  const { config, reads, archives, geoIp, store, secret, clock, newId, log, writeRecords } = uses;
  const { ipStorage: addressStorage, downloadTokenTtlMs: tokenTtlMs } = config;
  const readerFacts = new ReaderFacts({ geoIp, userAgents: new UserAgents(), addressStorage });
  const downloading = {
    catalogue,
    plans: new ArchivePlans({ reads }),
    archives,
    records: new DownloadRecords({
      write: writeRecords,
      ledger: new ConsentLedger({ newId, textVersions: config.consentTextVersions }),
      newId,
      clock,
      readerFacts,
      log,
    }),
    tokens: new Tokens({ secret, purpose: "download", clock }),
    ids: new DownloadIds({ secret }),
    names: config.downloadNames,
  };
  const { languages, publication, events } = reads;
  return {
    deliveries: new DeliveriesService({ ...downloading, languages, publication, events, store }),
    downloads: new DownloadsService({ ...downloading, tokenTtlMs }),
  };
}

// SECTION The settings, and what keeps the City database new.

function joinSettings({ config, geoIp, geoIpFile: file, clock, log }: Uses) {
  const { environment, geoIpKey: key, geoIpDownloadUrl: url, cloudFetchAllowHosts: allowHosts } = config;
  const provider = key && new GeoIpProvider({ key, url, allowHosts });
  const refresh = new GeoIpRefresh({ provider, file, geoIp, log });
  const installation = { nodeVersion: process.version, environment, appVersion };
  return {
    settings: new SettingsService({ installation, file, refresh }),
    geoIpRefresh: refresh,
    geoIpSchedule: new GeoIpSchedule({ refresh, file, geoIp, clock, later: systemLater, log }),
  };
}
