/** Creates the doctor for the command line. */
import { CloudFetch } from "../../adapters/cloud-fetch.ts";
import type { FileCache } from "../../adapters/files/file-cache.ts";
import type { FileStore } from "../../adapters/files/file-store.ts";
import type { NamedFile } from "../../adapters/files/named-file.ts";
import { openStorage } from "../../adapters/files/storage.ts";
import { CoverImages } from "../../adapters/images/cover-images.ts";
import { openUnwrittenFile } from "../../adapters/line-file.ts";
import { MailClient } from "../../adapters/mail-client.ts";
import { readOrCreateSecret } from "../../adapters/private-files.ts";
import { type Clock, systemClock } from "../../adapters/system.ts";
import type { Config } from "../../config.ts";
import { updateInstallation } from "../../db/installation.ts";
import type { Db } from "../../db/kysely.ts";
import { openDatabase, openExisting } from "../../db/open-database.ts";
import type { MissingPart } from "../../db/schema-parts.ts";
import type { DatabaseState } from "../../db/soundness.ts";
import { BookTexts } from "../../repositories/book-texts.ts";
import { DeliveriesRepository } from "../../repositories/deliveries.repository.ts";
import { DoctorRepository } from "../../repositories/doctor.repository.ts";
import { EventsRepository } from "../../repositories/events.repository.ts";
import { publicRepositories } from "../../repositories/index.ts";
import { InstallationRepository } from "../../repositories/installation.repository.ts";
import { KeptBytesRepository } from "../../repositories/kept-bytes.repository.ts";
import { MixUpsRepository } from "../../repositories/mix-ups.repository.ts";
import { OutboxRepository } from "../../repositories/outbox.repository.ts";
import { PublicationRepository } from "../../repositories/publication.repository.ts";
import { ReplacedBytesRepository } from "../../repositories/replaced-bytes.repository.ts";
import { WebhooksRepository } from "../../repositories/webhooks.repository.ts";
import { measureClockOffset } from "../clock-comparison.ts";
import { readUnwritten, type UnwrittenState } from "../downloads/waiting-file.ts";
import { createWebhookSeal } from "../outbox/webhook-secrets.ts";
import { ByteChecks, findStaleTexts } from "./checks.ts";
import { DoctorService } from "./doctor.service.ts";
import { KeptZips } from "./kept-zips.ts";

/** A mail server that takes longer to accept a log-in isn't reached. */
const MAIL_CHECK_MS = 15_000;

interface DoctorDeps {
  store: FileStore;
  zipCache: FileCache;
  cloud: CloudFetch;
  /** The City database. */
  cityFile: Pick<NamedFile, "readFacts">;
  images: CoverImages;
  clock: Clock;
  readUnwritten(): Promise<UnwrittenState>;
  /** AUTH_SECRET, with which the secrets of webhooks are sealed. */
  secret: string;
  config: Pick<Config, "eventRetentionDays" | "mail" | "trustProxy">;
  db: Db;
  files: Pick<KeptBytesRepository, "isReferred" | "findKnown">;
  examine(limit: number, signal: AbortSignal): Promise<DatabaseState>;
  findMissing(): Promise<MissingPart[]>;
  findClockOffset(): Promise<number | undefined>;
}

export function createDoctor(deps: DoctorDeps): DoctorService {
  const { db, examine, files, store, zipCache, cloud, cityFile, images, clock, config, readUnwritten } = deps;
  const rows = new DoctorRepository(db);
  return new DoctorService({
    rows,
    mixUps: new MixUpsRepository(db),
    texts: new BookTexts(db),
    installation: new InstallationRepository(db),
    events: new EventsRepository(db),
    eventRetentionDays: config.eventRetentionDays,
    readUnwritten,
    trustProxy: config.trustProxy,
    outbox: {
      webhooks: new WebhooksRepository(db),
      deliveries: new DeliveriesRepository(db),
      outbox: new OutboxRepository(db),
      sealed: createWebhookSeal(deps.secret),
      mail: config.mail && new MailClient({ ...config.mail, totalTimeoutMs: MAIL_CHECK_MS }),
    },
    findClockOffset: deps.findClockOffset,
    examineDatabase: examine,
    findMissing: () => deps.findMissing(),
    bytes: new ByteChecks({ rows, store, files }),
    replaced: new ReplacedBytesRepository(db),
    zips: new KeptZips({ cache: zipCache, catalogue: publicRepositories(db), clock }),
    cloud,
    cityFile,
    images,
    clock,
  });
}

/** The doctor as a command, whether or not a server is running: it opens everything read-only but the cache of ZIPs. */
export async function openDoctor(config: Config) {
  const { cloudFetchAllowHosts, maxUploadBytes } = config;
  const clock = systemClock;
  const database = await openExisting(config);
  const { db } = database;
  const { store, zipCache, cityFile, closeStorage } = await openStorage(config);
  const cloud = new CloudFetch({ allowHosts: cloudFetchAllowHosts, maxBytes: maxUploadBytes });
  const images = new CoverImages();
  const doctor = createDoctor({
    db,
    examine: (limit) => database.examine(limit),
    findMissing: () => database.findMissing(),
    findClockOffset: () => measureClockOffset(database, clock),
    files: new KeptBytesRepository(db),
    store,
    zipCache,
    cloud,
    cityFile,
    images,
    clock,
    config,
    secret: config.authSecret ?? readOrCreateSecret(config.dataDir),
    readUnwritten: () => readUnwritten(openUnwrittenFile(config.dataDir), clock.now()),
  });
  return {
    doctor,
    database,
    async close() {
      await cloud.close();
      await images.close();
      closeStorage();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Accepts the current time of the clock, however far it is ahead. Works whether or not a server is running. */
export async function trustClock(config: Config): Promise<void> {
  const database = await openDatabase(config, () => {});
  try {
    await database.commit(() => updateInstallation(database.writer, { lastHour: systemClock.now() }));
  } finally {
    await database.close();
  }
}

/** Books of one transaction: other writers wait for it. */
const RENEWED_AT_ONCE = 200;

/**
 * Makes the searched texts of books anew that aren't those of their rows. Works whether or not a server is running, which
 * sees the change of the catalogue.
 */
export async function renewTexts(config: Config): Promise<void> {
  const database = await openDatabase(config, () => {});
  try {
    const texts = new BookTexts(database.writer);
    const publication = new PublicationRepository(database.writer);
    const renew = (bookIds: readonly string[]) =>
      database.commit(async () => {
        await texts.renew(bookIds);
        await publication.raiseCatalogueVersion();
      });
    const waiting: string[] = [];
    for await (const { id } of findStaleTexts(new BookTexts(database.report))) {
      waiting.push(id);
      if (waiting.length === RENEWED_AT_ONCE) await renew(waiting.splice(0));
    }
    if (waiting.length > 0) await renew(waiting);
  } finally {
    await database.close();
  }
}
