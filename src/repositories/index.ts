/** The repositories, and the functions that write through them. */
import { EventEmitter } from "node:events";
import type { Insertable } from "kysely";
import type { Clock } from "../adapters/system.ts";
import type { Database } from "../db/database.ts";
import { createWriteYielder } from "../db/group-commit.ts";
import type { Db } from "../db/kysely.ts";
import { insertAll } from "../db/rows.ts";
import type { Schema } from "../db/schema.ts";
import { AppError } from "../errors.ts";
import { type AddressStorage, reduceAddress } from "../lib/ip-address.ts";
import { ApiKeysRepository } from "./api-keys.repository.ts";
import { AuditRepository, FailedLoginsRepository } from "./audit.repository.ts";
import { BooksRepository } from "./books.repository.ts";
import { BooksListQuery } from "./books-list.ts";
import { listCatalogueEvents } from "./catalogue-events.ts";
import { type Author, type Change, type Changed, createAuditRow } from "./change.ts";
import { ChannelsRepository, MatrixRepository } from "./channels.repository.ts";
import { ConsentStatesQuery, ConsentsRepository } from "./consents.repository.ts";
import { ContactsRepository } from "./contacts.repository.ts";
import { CitiesQuery, ContactEventsQuery, ContactsListQuery } from "./contacts-list.ts";
import { ContentsRepository } from "./contents.repository.ts";
import { CoversRepository } from "./covers.repository.ts";
import { DeliveriesRepository } from "./deliveries.repository.ts";
import { DueBooksRepository } from "./due-books.repository.ts";
import { EventsRepository } from "./events.repository.ts";
import { ExaminedFilesRepository } from "./examined-files.repository.ts";
import { ContactsExport } from "./exports/contacts-export.ts";
import { AddressesQuery, DownloadLogQuery, EventTitlesQuery } from "./exports/download-log.ts";
import { EventExport } from "./exports/event-export.ts";
import { FilesRepository } from "./files.repository.ts";
import { FormerAddressesRepository } from "./former-addresses.repository.ts";
import { ImportsRepository } from "./imports.repository.ts";
import { InstallationRepository } from "./installation.repository.ts";
import { JobsRepository } from "./jobs.repository.ts";
import { KeptBytesRepository } from "./kept-bytes.repository.ts";
import { LanguagesRepository, LanguageUsageQuery } from "./languages.repository.ts";
import { LettersRepository } from "./letters.repository.ts";
import { ConsentTextsRepository, LibraryRepository } from "./library.repository.ts";
import { MixUpsRepository } from "./mix-ups.repository.ts";
import { OutboxRepository } from "./outbox.repository.ts";
import { PasswordLinksRepository } from "./password-links.repository.ts";
import { PublicationRepository } from "./publication.repository.ts";
import { PublishedLists } from "./published-lists.ts";
import { LastSweepRepository, ReleasedBytesRepository } from "./released-bytes.repository.ts";
import { ReplacedBytesRepository } from "./replaced-bytes.repository.ts";
import { ReportNames } from "./report-names.ts";
import { SessionsRepository } from "./sessions.repository.ts";
import { TranslationsRepository } from "./translations.repository.ts";
import { UsersRepository } from "./users.repository.ts";
import { VisibilityRepository } from "./visibility.repository.ts";
import { WebhooksRepository } from "./webhooks.repository.ts";

/** Repositories of personal data and accounts: their writes don't affect the public catalogue. */
export function createRecordRepositories(db: Db) {
  return {
    users: new UsersRepository(db),
    passwordLinks: new PasswordLinksRepository(db),
    sessions: new SessionsRepository(db),
    apiKeys: new ApiKeysRepository(db),
    failedLogins: new FailedLoginsRepository(db),
    contacts: new ContactsRepository(db),
    consents: new ConsentsRepository(db),
    consentTexts: new ConsentTextsRepository(db),
    events: new EventsRepository(db),
    jobs: new JobsRepository(db),
    imports: new ImportsRepository(db),
    contents: new ContentsRepository(db),
    examinedFiles: new ExaminedFilesRepository(db),
    installation: new InstallationRepository(db),
    lastSweep: new LastSweepRepository(db),
    outbox: new OutboxRepository(db),
    deliveries: new DeliveriesRepository(db),
    letters: new LettersRepository(db),
    webhooks: new WebhooksRepository(db),
  };
}

/** Repositories of the catalogue. */
export function createCatalogueRepositories(db: Db) {
  return {
    languages: new LanguagesRepository(db),
    books: new BooksRepository(db),
    translations: new TranslationsRepository(db),
    files: new FilesRepository(db),
    keptBytes: new KeptBytesRepository(db),
    releasedBytes: new ReleasedBytesRepository(db),
    replacedBytes: new ReplacedBytesRepository(db),
    covers: new CoversRepository(db),
    channels: new ChannelsRepository(db),
    library: new LibraryRepository(db),
    formerAddresses: new FormerAddressesRepository(db),
    dueBooks: new DueBooksRepository(db),
    matrix: new MatrixRepository(db),
    publication: new PublicationRepository(db),
    visibility: new VisibilityRepository(db),
  };
}

/**
 * Repositories for what the public reads of the whole catalogue. Only these have the published lists, so that no
 * statement on all books can run on the event loop's connection.
 * @param db a handle whose statements run beside the event loop
 */
export const publicRepositories = (db: Db) => ({
  ...createCatalogueRepositories(db),
  published: new PublishedLists(db),
});

/** Repositories that read on worker threads: reports, exports, searches and long lists. */
function reportRepositories(database: Database, textVersions: readonly string[]) {
  const { report, csv, exportRows, pageEnds } = database;
  return {
    ...createRecordRepositories(report),
    ...createCatalogueRepositories(report),
    addresses: new AddressesQuery(report),
    audit: new AuditRepository(report),
    booksList: new BooksListQuery(report),
    cities: new CitiesQuery(report),
    consentStates: new ConsentStatesQuery({ db: report, textVersions }),
    contactEvents: new ContactEventsQuery(report),
    contactsList: new ContactsListQuery(report),
    contactsExport: new ContactsExport({ pageEnds, rows: exportRows, csv, textVersions }),
    downloadLog: new DownloadLogQuery(report),
    eventExport: new EventExport({ db: pageEnds, csv }),
    eventTitles: new EventTitlesQuery(report),
    languageUsage: new LanguageUsageQuery(report),
    mixUps: new MixUpsRepository(report),
    reportNames: new ReportNames(report),
  };
}

export type ReportRepositories = ReturnType<typeof reportRepositories>;

/** The repositories that read, by what their statements may cost. */
export const readersOf = (database: Database, textVersions: readonly string[]) => ({
  /** On the event loop: statements on single rows, or on few. */
  reads: { ...createRecordRepositories(database.read), ...createCatalogueRepositories(database.read) },
  reports: reportRepositories(database, textVersions),
  catalogue: publicRepositories(database.catalogue),
});

export type RecordRepositories = ReturnType<typeof createRecordRepositories>;
export type CatalogueRepositories = ReturnType<typeof createCatalogueRepositories>;
export type PublicRepositories = ReturnType<typeof publicRepositories>;
export type Repositories = RecordRepositories & CatalogueRepositories;

/** Repositories that can be written without an audit entry: for data from readers, sessions and scheduled tasks. */
export type UnauditedRepositories = Pick<
  RecordRepositories,
  | "sessions"
  | "failedLogins"
  | "contacts"
  | "consents"
  | "events"
  | "jobs"
  | "imports"
  | "contents"
  | "examinedFiles"
  | "installation"
  | "lastSweep"
  | "outbox"
  | "deliveries"
  | "letters"
  | "passwordLinks"
> & {
  consentTexts: Pick<ConsentTextsRepository, "listVersions">;
  dueBooks: DueBooksRepository;
  keptBytes: Pick<KeptBytesRepository, "findReferred">;
  releasedBytes: ReleasedBytesRepository;
  replacedBytes: Pick<ReplacedBytesRepository, "deleteAll" | "postpone">;
  formerAddresses: Pick<FormerAddressesRepository, "deleteOld">;
  publication: Pick<
    PublicationRepository,
    "readVersionOncePerSavepoint" | "isActiveLanguage" | "isPublishedFile"
  >;
  users: Pick<UsersRepository, "find">;
  apiKeys: Pick<ApiKeysRepository, "touch">;
  webhooks: Pick<WebhooksRepository, "find" | "noteAttempt" | "disable">;
};

/**
 * Runs `work` in a transaction and resolves once it is durable. The repositories are bound to the transaction, and
 * `work` must not wait for anything else.
 * @param options.isStatement whether `work` runs one statement at most, which needs no transaction around it
 */
export type WriteRecords = <T>(
  work: (repositories: UnauditedRepositories) => Promise<T>,
  options?: { isStatement: boolean },
) => Promise<T>;

/**
 * Like `WriteRecords`, for work that changes only rows of its key, such as an e-mail address, reads only these and the
 * catalogue, and can be repeated after it was undone. Works with different keys run at the same time.
 */
export type WriteIndependent = <T>(
  key: string,
  work: (repositories: UnauditedRepositories) => Promise<T>,
) => Promise<T>;

/** Like `WriteRecords`, for a change by an administrator: it has to return what it changed, for the audit log. */
type WriteChange<R> = <T>(by: Author, work: (repositories: R) => Promise<Changed<T>>) => Promise<T>;

/** Changes users and keys. The catalogue can be changed only through ChangeCatalogue. */
export type ChangeRecords = WriteChange<RecordRepositories>;

/** Changes the catalogue, and raises its versions in the same transaction to invalidate caches. */
export type ChangeCatalogue = WriteChange<Repositories>;

/** What a commit has brought: `outbox`, something to deliver. */
type Committed = EventEmitter<{ outbox: [] }>;

interface WriterDeps {
  database: Database;
  clock: Clock;
  addressStorage: AddressStorage;
}

/** The repositories of a write are bound to the writing connection, which nothing else may use. */
export function createWriters({ database, clock, addressStorage }: WriterDeps): {
  writeRecords: WriteRecords;
  writeIndependent: WriteIndependent;
  changeRecords: ChangeRecords;
  changeCatalogue: ChangeCatalogue;
  committed: Committed;
} {
  const records = createRecordRepositories(database.writer);
  const all = { ...records, ...createCatalogueRepositories(database.writer) };
  const audit = new AuditRepository(database.writer);
  const log = createLog(audit, { clock, addressStorage });
  const committed: Committed = new EventEmitter();
  const commit: Database["commit"] = async (...given) => {
    const result = await database.commit(...given);
    const hasNews = [all.outbox.takeNews(), all.letters.takeNews()];
    if (hasNews.includes(true)) committed.emit("outbox");
    return result;
  };
  /** With the last change of a record that isn't in the expected version. The names of users are for users only. */
  const withLastChange = async (by: Author, thrown: unknown): Promise<unknown> => {
    if (!(thrown instanceof AppError) || !thrown.current || by.kind !== "user") return thrown;
    const { status, code, message, current, objectId = "" } = thrown;
    const last = await audit.findLastChange(objectId);
    const lastChange = last && { at: new Date(last.at).toISOString(), by: last.actorName };
    return new AppError(status, code, message, { current, lastChange });
  };
  const attempt = <T>(by: Author, work: () => Promise<T>): Promise<T> =>
    work().catch(async (thrown) => Promise.reject(await withLastChange(by, thrown)));
  return {
    committed,
    writeRecords: (work, { isStatement } = { isStatement: false }) =>
      commit(() => work(all), undefined, isStatement),
    writeIndependent: (key, work) => commit(() => work(all), key),
    changeRecords: (by, work) =>
      commit(async () => {
        const { response, change = [] } = await attempt(by, () => work(records));
        await log(by, [change].flat());
        return response;
      }),
    changeCatalogue: (by, work) =>
      commit(async () => {
        const { response, change = [], reach } = await attempt(by, () => work(all));
        const changes = [change].flat();
        if (changes.length === 0) return response;
        await log(by, changes);
        const isSubscribed = await all.publication.raiseCatalogueVersion(reach);
        if (isSubscribed) await all.outbox.add(...listCatalogueEvents(changes, clock.now()));
        return response;
      }),
  };
}

/** @returns what adds the entries of changes to the audit log */
const createLog =
  (audit: AuditRepository, { clock, addressStorage }: Pick<WriterDeps, "clock" | "addressStorage">) =>
  async (by: Author, changes: readonly Change[]): Promise<void> => {
    const facts = { at: clock.now(), ipAddress: reduceAddress(by.address ?? "", addressStorage) };
    const yieldToEventLoop = createWriteYielder();
    const rows: Insertable<Schema["audit_log"]>[] = [];
    for (const change of changes) {
      await yieldToEventLoop();
      const row = createAuditRow(by, change);
      if (row) rows.push({ ...row, ...facts });
    }
    await insertAll((...entries) => audit.insert(...entries), rows);
  };
