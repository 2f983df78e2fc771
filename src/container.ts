/** Creates and connects services, repositories and adapters. Nothing else does. */
import { CloudFetch } from "./adapters/cloud-fetch.ts";
import { openStorage } from "./adapters/files/storage.ts";
import { GeoIp } from "./adapters/geo-ip/geo-ip.ts";
import { CoverImages } from "./adapters/images/cover-images.ts";
import { Favicon } from "./adapters/images/favicon.ts";
import { openUnwrittenFile } from "./adapters/line-file.ts";
import type { Logger } from "./adapters/logger.ts";
import type { Metrics } from "./adapters/metrics.ts";
import { PasswordHasher } from "./adapters/password-hasher.ts";
import { closeDataDir, readOrCreateSecret } from "./adapters/private-files.ts";
import {
  type Clock,
  createIdSource,
  type Scheduler,
  systemClock,
  systemScheduler,
} from "./adapters/system.ts";
import { DownloadIds, Tokens } from "./adapters/tokens.ts";
import type { Config } from "./config.ts";
import { nameOf, openDatabase } from "./db/open-database.ts";
import { makeDataDir } from "./db/sqlite/data-dir.ts";
import { assertRestoreFinished } from "./operation/backup/restore.service.ts";
import { addStorageMetrics } from "./operation/storage-metrics.ts";
import {
  closeExaminations,
  createExaminationServices,
  type ForeignWork,
  startExaminations,
} from "./operation/transfer/create-examinations.ts";
import { createImports } from "./operation/transfer/runs/create-imports.ts";
import { createWriters, readersOf } from "./repositories/index.ts";
import { createAnalyticsServices } from "./services/analytics/create-analytics.ts";
import { AuditService } from "./services/audit.service.ts";
import { Availability } from "./services/availability.ts";
import { BookActionsService } from "./services/books/book-actions.service.ts";
import { BookLifecycleService } from "./services/books/book-lifecycle.service.ts";
import { BookListService } from "./services/books/book-list.service.ts";
import { BookOrderService } from "./services/books/book-order.service.ts";
import { BookPreviewService } from "./services/books/book-preview.service.ts";
import { BooksService } from "./services/books/books.service.ts";
import { BulkUpsertService } from "./services/books/bulk.service.ts";
import { TranslationsService } from "./services/books/translations.service.ts";
import { PublicCatalogueService } from "./services/catalogue/public-catalogue.service.ts";
import { ChannelsService } from "./services/channels/channels.service.ts";
import { PublicationsService } from "./services/channels/publications.service.ts";
import { ClockComparison } from "./services/clock-comparison.ts";
import { ConsentLedger } from "./services/contacts/consent-ledger.ts";
import { ContactCorrection, ContactErasure } from "./services/contacts/contact-correction.ts";
import { ContactsService } from "./services/contacts/contacts.service.ts";
import { CoverVariants } from "./services/covers/cover-variants.ts";
import { CoversService } from "./services/covers/covers.service.ts";
import { PublicCoversService } from "./services/covers/public-covers.service.ts";
import { ClockTrust } from "./services/doctor/clock-trust.ts";
import { DoctorRunsService } from "./services/doctor/doctor-runs.service.ts";
import { createDoctor } from "./services/doctor/open-doctor.ts";
import { ArchivePlans } from "./services/downloads/archive-plan.ts";
import { Archives } from "./services/downloads/archives.ts";
import { DeliveriesService } from "./services/downloads/deliveries.service.ts";
import { DownloadLinks } from "./services/downloads/download-links.ts";
import { DownloadRecords } from "./services/downloads/download-records.ts";
import { DownloadsService } from "./services/downloads/downloads.service.ts";
import { UnwrittenRedemptions } from "./services/downloads/unwritten-redemptions.ts";
import { createStoredFiles } from "./services/files/create-stored-files.ts";
import { FilesService } from "./services/files/files.service.ts";
import { agreeOnServiceId } from "./services/files/service-id.ts";
import { sweepFiles } from "./services/files/sweep.ts";
import { createProvider, GeoIpUpdates } from "./services/geo-ip.ts";
import type { Services } from "./services/index.ts";
import { admitInstance } from "./services/instances.ts";
import { JobsService } from "./services/jobs.service.ts";
import { LanguagesService } from "./services/languages/languages.service.ts";
import { VisibilityService } from "./services/languages/visibility.service.ts";
import { createLibraryServices } from "./services/library/create-library.ts";
import { LibraryService } from "./services/library/library.service.ts";
import { LibraryReader } from "./services/library/library-reader.ts";
import { Retention } from "./services/retention.ts";
import { SettingsService } from "./services/settings.service.ts";
import { createKept } from "./services/shared/read-anew.ts";
import { SystemService } from "./services/system.service.ts";
import { createAccessServices } from "./services/users/create-access.ts";
import { appVersion } from "./version.ts";

/** The parts that tests replace. */
type Given = { clock: Clock; schedule: Scheduler; hasher: PasswordHasher } & ForeignWork;

/** Opens the data folder and creates the services on it. */
export async function createContainer(config: Config, log: Logger, given: Partial<Given> = {}) {
  const deps = await openDeps(config, log, given);
  const { database, cloud, archives } = deps;
  const { services, retention, geoIpUpdates } = createServices(deps);
  return {
    ...deps,
    services,
    retention,
    /**
     * Call it before the service starts. Commands can run beside any instance.
     * @throws OperatorError if this instance can't run beside the others on its database
     */
    admit: (acceptsNewSecret: boolean) => admit(deps, acceptsNewSecret),
    sweep: () => sweepFiles(deps),
    measure: (metrics: Metrics) => addStorageMetrics(metrics, deps),
    /** Starts the scheduled tasks, which run until the container is closed. */
    startSchedules(): void {
      geoIpUpdates.start({ isAutomatic: config.geoIpAutoUpdate, isShared: config.storage !== undefined });
      const { clockTrust, clocks, released, unwritten, availability } = deps;
      for (const task of [clockTrust, clocks, retention, released, unwritten, availability]) task.start();
      services.jobs.startSchedule();
      startExaminations(services);
      void deps.eventCounts.warmUp(deps.reads.events);
    },
    async close(): Promise<void> {
      deps.availability.stop();
      await services.jobs.close();
      await Promise.all([retention.stop(), deps.released.stop(), deps.unwritten.stop()]);
      await Promise.all([deps.clockTrust.stop(), deps.clocks.stop()]);
      await geoIpUpdates.close();
      await archives.close();
      await closeExaminations(services);
      await Promise.all([cloud.close(), deps.images.close()]);
      await deps.eventCounts.close();
      await database.close();
      deps.closeStorage();
    },
  };
}

export type Container = Awaited<ReturnType<typeof createContainer>>;

async function admit({ clocks, writeRecords: write, ...deps }: Deps, acceptsNewSecret: boolean) {
  await clocks.assertUsable();
  await admitInstance({ ...deps, write, sharesFiles: deps.config.storage !== undefined, acceptsNewSecret });
}

function createServices(deps: Deps) {
  const { settings, ...geoIp } = createSettingsServices(deps);
  const { retention, ...people } = createContactServices(deps);
  const catalogue = createCatalogueServices(deps);
  const operation = createOperationServices(deps);
  const services: Services = {
    ...createAccessServices(deps),
    ...catalogue,
    ...createPublicServices(deps),
    library: new LibraryService({ ...deps, change: deps.changeCatalogue }),
    libraryReader: new LibraryReader(deps),
    ...people,
    ...createAnalyticsServices(deps),
    ...operation,
    imports: createImports(deps, { ...catalogue, ...operation }),
    settings,
  };
  return { services, retention, ...geoIp };
}

/** Opens the database, the file store and the other dependencies of services. */
async function openDeps(config: Config, log: Logger, given: Partial<Given>) {
  const { clock = systemClock, schedule = systemScheduler, hasher = new PasswordHasher() } = given;
  makeDataDir(config.dataDir);
  const closed = await closeDataDir(config.dataDir, config.filesMode);
  if (closed.length > 0) log.warn({ closed }, "removed access by other users of this machine");
  await assertRestoreFinished(config.dataDir);
  const newId = createIdSource(clock);
  const storage = await openStorage(config, { newId, clock });
  const geoIp = new GeoIp({ ...storage, log });
  const adapters = { newId, ...storage, geoIp, ...createAdapters(config, { schedule, ...given }) };
  await geoIp.load();
  const database = await openDatabase(config, (failure) =>
    log.error({ err: failure }, "could not checkpoint the database; retrying"),
  );
  try {
    await agreeOnServiceId({ database, databaseName: nameOf(config), store: storage.store, newId });
  } catch (error) {
    await database.close();
    storage.closeStorage();
    throw error;
  }
  const readers = readersOf(database, config.consentTextVersions);
  const writers = createWriters({ database, clock, addressStorage: config.ipStorage });
  const common = { config, log, clock, schedule, hasher, database, ...readers, ...adapters, ...writers };
  const [{ reads }, { writeRecords: write }] = [readers, writers];
  const { zipCache: cache, coverCache } = adapters;
  const clockTrust = new ClockTrust({ ...common, recordedHour: reads.recordedHour, write });
  const bytes = createStoredFiles({ ...common, write, isClockTrusted: () => clockTrust.isTrusted() });
  const kept = createKept({ database, reads, schedule, log });
  return {
    ...common,
    ...bytes,
    ...kept,
    clocks: new ClockComparison({ ...common, maxMs: config.downloadTokenTtlMs }),
    clockTrust,
    unwritten: new UnwrittenRedemptions({ ...common, write, file: openUnwrittenFile(config.dataDir) }),
    availability: new Availability({ ...common, ...kept }),
    variants: new CoverVariants({ ...common, ...bytes, cache: coverCache }),
    ledger: new ConsentLedger({ newId: common.newId, textVersions: config.consentTextVersions }),
    archives: new Archives({ ...common, ...bytes, cache, maxCloudFileBytes: config.maxUploadBytes }),
  };
}

/** The dependencies from which services are created. */
type Deps = Awaited<ReturnType<typeof openDeps>>;

function createAdapters(config: Config, given: Partial<Given>) {
  const { dataDir, cloudFetchAllowHosts, maxUploadBytes, authSecret } = config;
  return {
    images: given.images ?? new CoverImages(given),
    metadataProcess: given.metadataProcess,
    cloud: new CloudFetch({ allowHosts: cloudFetchAllowHosts, maxBytes: maxUploadBytes }),
    secret: authSecret ?? readOrCreateSecret(dataDir),
  };
}

/** The catalogue for administrators. */
function createCatalogueServices(deps: Deps) {
  const { config, reads, reports: report, changeCatalogue, images, store, newId, clock } = deps;
  const { stored, released, replaced, writeRecords: write } = deps;
  const catalogue = { reads, versions: deps.versions, change: changeCatalogue, newId, clock };
  const { languages } = reads;
  const { languageUsage: usage } = report;
  const cloudAllowHosts = config.cloudFetchAllowHosts;
  const { examiner, ...examinations } = createExaminationServices(deps);
  return {
    audit: new AuditService({ audit: report.audit, change: deps.changeRecords, clock }),
    books: new BooksService(catalogue),
    bookActions: new BookActionsService(catalogue),
    bookList: new BookListService({ clock, report }),
    bookPreview: new BookPreviewService(reads),
    bookLifecycle: new BookLifecycleService({ ...catalogue, report, released }),
    bookOrder: new BookOrderService({ ...catalogue, report }),
    bulkUpsert: new BulkUpsertService({ ...catalogue, cloudAllowHosts }),
    channels: new ChannelsService({ channels: reads.channels, report, ...catalogue }),
    covers: new CoversService({
      ...catalogue,
      report,
      images,
      store,
      stored,
      released,
      replaced,
      variants: deps.variants,
      examiner,
    }),
    ...examinations,
    files: new FilesService({ ...catalogue, report, stored, released, replaced, cloudAllowHosts }),
    languages: new LanguagesService({ ...catalogue, languages, usage, released, write }),
    publications: new PublicationsService({ ...catalogue, report }),
    translations: new TranslationsService(catalogue),
    visibility: new VisibilityService({ ...catalogue, languages, visibility: report.visibility }),
  };
}

/** The doctor and the jobs in which it runs. */
function createOperationServices({ database, reads, ...deps }: Deps) {
  const examine = (limit: number, signal: AbortSignal) => database.examine(limit, signal);
  const doctor = createDoctor({
    ...deps,
    db: database.report,
    files: reads.keptBytes,
    examine,
    findMissing: () => database.findMissing(),
    readUnwritten: () => deps.unwritten.readState(),
    findClockOffset: async () => deps.clocks.notedOffsetMs,
  });
  const { writeRecords: write, changeRecords: change } = deps;
  const jobs = new JobsService({
    ...deps,
    jobs: reads.jobs,
    imports: reads.imports,
    write,
    change,
    database,
  });
  return { doctor, jobs, doctorRuns: new DoctorRunsService({ doctor, jobs }) };
}

/** Contacts and their deletion. */
function createContactServices(deps: Deps) {
  const { config, reads, reports, writeRecords: write, changeRecords: change } = deps;
  return {
    contacts: new ContactsService({
      ...reports,
      clock: deps.clock,
      events: reports.contactEvents,
      list: reports.contactsList,
      export: reports.contactsExport,
      textVersions: config.consentTextVersions,
    }),
    contactCorrection: new ContactCorrection({ change, ledger: deps.ledger, clock: deps.clock }),
    contactErasure: new ContactErasure({ ...deps, contacts: reads.contacts, write, change }),
    retention: new Retention({
      ...deps,
      events: reports.events,
      write,
      days: config.eventRetentionDays,
      removedFilesDays: config.removedFilesDays,
      isClockTrusted: () => deps.clockTrust.isTrusted(),
    }),
  };
}

/** The public catalogue and downloads. */
function createPublicServices(deps: Deps) {
  const { config, clock, log } = deps;
  const publicCatalogue = new PublicCatalogueService(deps);
  const plans = new ArchivePlans(deps);
  const downloading = downloadServices(deps, publicCatalogue, plans);
  return {
    ...downloading,
    ...createLibraryServices({ ...deps, ...downloading, plans }),
    publicCatalogue,
    publicCovers: new PublicCoversService({ ...deps, catalogue: publicCatalogue }),
    system: new SystemService({
      config,
      availability: deps.availability,
      counts: deps.eventCounts,
      clocks: deps.clocks,
      favicon: new Favicon({ directory: config.dataDir, images: deps.images, log }),
      clock,
    }),
  };
}

function downloadServices(deps: Deps, catalogue: PublicCatalogueService, plans: ArchivePlans) {
  const { config, reads, archives, secret, clock } = deps;
  const { ipStorage: addressStorage, downloadTokenTtlMs: tokenTtlMs, redirectsDownloads } = config;
  const proxiesDownloads = config.accelPrefix !== undefined;
  const recording = { write: deps.writeRecords, addressStorage };
  const tokens = new Tokens({ secret, purpose: "download", clock });
  const ids = new DownloadIds({ secret });
  const downloading = {
    archives,
    records: new DownloadRecords({ ...deps, ...recording }),
    links: new DownloadLinks({ ...reads, catalogue, plans, tokens, ids, tokenTtlMs, clock }),
    names: config.downloadNames,
  };
  return {
    deliveries: new DeliveriesService({ ...deps, ...downloading, redirectsDownloads, proxiesDownloads }),
    downloads: new DownloadsService({ ...downloading, catalogue, plans }),
  };
}

/** Settings, and the scheduled update of the City database. */
function createSettingsServices({ config, geoIp, ...deps }: Deps) {
  const geoIpUpdates = new GeoIpUpdates({ ...deps, geoIp, provider: createProvider(config) });
  const installation = { nodeVersion: process.version, environment: config.environment, appVersion };
  const settings = new SettingsService({ dataDir: config.dataDir, installation, geoIp, geoIpUpdates });
  return { settings, geoIpUpdates };
}
