/** Creates and connects services, repositories and adapters. Nothing else does. */
import { CloudFetch } from "./adapters/cloud-fetch.ts";
import { openStorage } from "./adapters/files/storage.ts";
import { GeoIp } from "./adapters/geo-ip/geo-ip.ts";
import { CoverImages } from "./adapters/images/cover-images.ts";
import { Favicon } from "./adapters/images/favicon.ts";
import { openUnwrittenFile } from "./adapters/line-file.ts";
import type { Logger } from "./adapters/logger.ts";
import type { Metrics } from "./adapters/metrics.ts";
import { readPageFiles } from "./adapters/page-files.ts";
import { PasswordHasher } from "./adapters/password-hasher.ts";
import { closeDataDir, readOrCreateSecret } from "./adapters/private-files.ts";
import {
  type Clock,
  createIdSource,
  type Scheduler,
  systemClock,
  systemScheduler,
} from "./adapters/system.ts";
import type { Config } from "./config.ts";
import { nameDatabase, openDatabase } from "./db/open-database.ts";
import { makeDataDir } from "./db/sqlite/data-dir.ts";
import { lazily } from "./lib/lazily.ts";
import { createPageLanguages } from "./library/page-languages.ts";
import { assertRestoreFinished } from "./operation/backup/restore.service.ts";
import { addStorageMetrics } from "./operation/storage-metrics.ts";
import {
  closeExaminations,
  createExaminationServices,
  type ForeignWork,
  startExaminations,
} from "./operation/transfer/create-examinations.ts";
import { createWriters, readersOf } from "./repositories/index.ts";
import { AuditService } from "./services/audit.service.ts";
import { Availability } from "./services/availability.ts";
import { PublicCatalogueService } from "./services/catalogue/public-catalogue.service.ts";
import { ClockComparison } from "./services/clock-comparison.ts";
import { ConsentLedger } from "./services/contacts/consent-ledger.ts";
import { CoverVariants } from "./services/covers/cover-variants.ts";
import { PublicCoversService } from "./services/covers/public-covers.service.ts";
import { createDownloadServices, createMailServices } from "./services/create-downloads.ts";
import { ClockTrust } from "./services/doctor/clock-trust.ts";
import { DoctorRunsService } from "./services/doctor/doctor-runs.service.ts";
import { createDoctor } from "./services/doctor/open-doctor.ts";
import { ArchivePlans } from "./services/downloads/archive-plan.ts";
import { Archives } from "./services/downloads/archives.ts";
import { UnwrittenRedemptions } from "./services/downloads/unwritten-redemptions.ts";
import { createStoredFiles } from "./services/files/create-stored-files.ts";
import { agreeOnServiceId } from "./services/files/service-id.ts";
import { sweepFiles } from "./services/files/sweep.ts";
import { createProvider, GeoIpUpdates } from "./services/geo-ip.ts";
import type { Services } from "./services/index.ts";
import { admitInstance } from "./services/instances.ts";
import { JobsService } from "./services/jobs.service.ts";
import { createLibraryServices } from "./services/library/create-library.ts";
import { LibraryReader } from "./services/library/library-reader.ts";
import { createOutbox } from "./services/outbox/create-outbox.ts";
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
  const { database, cloud, archives, clockTrust, clocks, released, unwritten, availability } = deps;
  const { services, retention, geoIpUpdates, outbox, dueBooks } = createServices(deps);
  let isClosed = false;
  return {
    ...deps,
    services,
    retention,
    outbox,
    dueBooks,
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
      for (const task of [clockTrust, clocks, retention, released, unwritten, availability, outbox, dueBooks])
        task.start();
      services.jobs.startSchedule();
    },
    /** Starts what reads many rows on threads, for which no request waits; after `close`, nothing. */
    async startReading(): Promise<void> {
      if (isClosed) return;
      startExaminations(services);
      await deps.eventCounts.warmUp(deps.reads.events);
    },
    async close(): Promise<void> {
      isClosed = true;
      availability.stop();
      await services.jobs.close();
      await Promise.all([retention, released, unwritten, outbox, dueBooks].map((task) => task.stop()));
      await Promise.all([clockTrust.stop(), clocks.stop(), geoIpUpdates.close()]);
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
  const administration = createAdministrationServices(deps);
  const operation = createOperationServices(deps);
  const access = createAccessServices(deps);
  const { links, confirmationLinks, withheld, ...publicServices } = createPublicServices(deps);
  const accounts = access.passwordLinks;
  const { webhooks, ...outbox } = createOutbox({
    ...deps,
    links,
    confirmations: confirmationLinks,
    accounts,
  });
  const mailing = { links, confirmationLinks, withheld };
  const services: Services = {
    ...access,
    ...administration,
    ...publicServices,
    audit: new AuditService({ audit: deps.reports.audit, change: deps.changeRecords, clock: deps.clock }),
    libraryReader: new LibraryReader(deps),
    ...operation,
    ...lazily(async () => {
      const { createImports } = await import("./operation/transfer/runs/create-imports.ts");
      return { imports: createImports(deps, { ...administration, ...operation }) };
    }, "imports"),
    settings,
    webhooks,
    ...createMailServices(deps, mailing, publicServices.libraryPages),
  };
  return { services, retention: createRetention(deps), ...outbox, ...geoIp };
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
    await agreeOnServiceId({ database, databaseName: nameDatabase(config), store: storage.store, newId });
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
  const clockTrust = new ClockTrust({ ...common, installation: reads.installation, write });
  const bytes = createStoredFiles({ ...common, write, isClockTrusted: () => clockTrust.isTrusted() });
  const kept = createKept({ ...common, reads });
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
    pageLanguages: createPageLanguages(readPageFiles(dataDir)),
    images: given.images ?? new CoverImages(given),
    metadataProcess: given.metadataProcess,
    cloud: new CloudFetch({ allowHosts: cloudFetchAllowHosts, maxBytes: maxUploadBytes }),
    secret: authSecret ?? readOrCreateSecret(dataDir),
  };
}

const OF_BOOKS = [
  ...([
    "books",
    "bookActions",
    "bookLifecycle",
    "bookLinks",
    "bookList",
    "bookOrder",
    "bookPreview",
  ] as const),
  ...(["bulkUpsert", "channels", "publications", "translations"] as const),
];
const OF_CONTENTS = ["covers", "files", "fileRemarks", "languages", "library", "visibility"] as const;
const OF_READERS = [
  "analytics",
  "analyticsSummary",
  "contacts",
  "contactCorrection",
  "contactErasure",
] as const;

/** The services for administrators, most of which their first request loads: in parts, each within few milliseconds. */
function createAdministrationServices(deps: Deps) {
  const { examiner, ...examinations } = createExaminationServices(deps);
  const { contentRecords } = examinations;
  const createBooks = async () => (await import("./services/create-books.ts")).createBookServices(deps);
  const createContents = async () => {
    const { createContentServices } = await import("./services/create-contents.ts");
    return createContentServices({ ...deps, examiner, contentRecords });
  };
  const createReaders = async () => (await import("./services/create-readers.ts")).createReaderServices(deps);
  return {
    ...examinations,
    ...lazily(createBooks, ...OF_BOOKS),
    ...lazily(createContents, ...OF_CONTENTS),
    ...lazily(createReaders, ...OF_READERS),
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

const createRetention = ({ config, reports, writeRecords, clockTrust, ...deps }: Deps) =>
  new Retention({
    ...deps,
    events: reports.events,
    write: writeRecords,
    days: config.eventRetentionDays,
    removedFilesDays: config.removedFilesDays,
    isClockTrusted: () => clockTrust.isTrusted(),
  });

/** The public catalogue and downloads. */
function createPublicServices(deps: Deps) {
  const { config, clock, log } = deps;
  const publicCatalogue = new PublicCatalogueService(deps);
  const plans = new ArchivePlans(deps);
  const { rules, ...downloading } = createDownloadServices(deps, publicCatalogue, plans);
  const library = createLibraryServices({ ...deps, ...downloading, plans });
  return {
    ...downloading,
    ...library,
    publicCatalogue,
    publicCovers: new PublicCoversService({ ...deps, catalogue: publicCatalogue }),
    system: new SystemService({
      config,
      rules,
      languages: deps.reads.languages,
      libraryReader: library.libraryReader,
      pageLanguages: deps.pageLanguages,
      availability: deps.availability,
      counts: deps.eventCounts,
      clocks: deps.clocks,
      favicon: new Favicon({ directory: config.dataDir, images: deps.images, log }),
      clock,
    }),
  };
}

/** Settings, and the scheduled update of the City database. */
function createSettingsServices({ config, geoIp, ...deps }: Deps) {
  const geoIpUpdates = new GeoIpUpdates({ ...deps, geoIp, provider: createProvider(config) });
  const installation = { nodeVersion: process.version, environment: config.environment, appVersion };
  const settings = new SettingsService({ dataDir: config.dataDir, installation, geoIp, geoIpUpdates });
  return { settings, geoIpUpdates };
}
