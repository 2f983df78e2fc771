/** The tables as types for Kysely. Times are epoch milliseconds in UTC, flags are 0 or 1, and `null` means absent. */
import type { Generated } from "kysely";
import type { LibraryTables } from "./library-tables.ts";
import type {
  ImportBytesTable,
  ImportsTable,
  InstallationTable,
  JobsTable,
  RateLimitsTable,
  RecordedHourTable,
  SecretFingerprintTable,
  ServiceIdTable,
} from "./operation-tables.ts";
import type { StoredBytesTables } from "./stored-bytes-tables.ts";

/** The stored form of a boolean. */
export type Flag = 0 | 1;

/** Users, sessions and API keys. */
export interface UsersTable {
  id: string;
  /** Lower case; unique. */
  email: string;
  name: string;
  role: string;
  /** PHC string of argon2id. */
  passwordHash: string;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface SessionsTable {
  id: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
  /** Precise to a few minutes, so that not every request writes. */
  lastSeenAt: number;
  ipAddress: string | null;
  userAgent: string;
}

export interface ApiKeysTable {
  id: string;
  name: string;
  /** SHA-256 of the key in hex; the key itself isn't stored. */
  keyHash: string;
  keyPrefix: string;
  /** Permissions, separated by spaces. */
  scopes: string;
  ownerId: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** The audit log. */
export interface AuditLogTable {
  /** In the order of the changes. */
  id: Generated<number>;
  at: number;
  actorKind: string;
  /** The user or the API key; null for the command line. */
  actorId: string | null;
  actorName: string;
  /** Full, truncated or null, depending on IP_STORAGE. */
  ipAddress: string | null;
  requestId: string | null;
  action: string;
  objectKind: string;
  objectId: string;
  objectName: string;
  /** JSON: `{field: {before?, after?}}` */
  changes: string;
}

/** The catalogue: languages, books, and their translations, files and covers. */
export interface LanguagesTable {
  id: Generated<number>;
  code: string;
  /** The code in lower case, because codes are matched without regard to case; unique. */
  codeKey: string;
  name: string;
  nativeName: string;
  direction: "ltr" | "rtl";
  parentId: number | null;
  customDomain: string | null;
  legacyDownloadCount: number;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface BooksTable {
  id: string;
  slug: string;
  titleEn: string;
  description: string;
  coverImagePath: string | null;
  sortOrder: number;
  legacyDownloadCount: number;
  isActive: Flag;
  archivedAt: number | null;
  archivedBy: string | null;
  /** Folded texts, for search. */
  searchText: string;
  /** JSON: a list of texts. */
  authors: Generated<string>;
  /** JSON: a list of texts. */
  tags: Generated<string>;
  /** JSON: `{name, position}` */
  series: Generated<string | null>;
  createdAt: number;
  updatedAt: number;
}

export interface TranslationsTable {
  id: string;
  bookId: string;
  languageId: number;
  title: string;
  description: string | null;
  searchText: string;
  /** JSON: a list of texts. */
  authors: Generated<string>;
  /** JSON: a list of `{name, role}` */
  contributors: Generated<string>;
  publisher: string | null;
  license: string | null;
  /** The 13 digits. */
  isbn: string | null;
  createdAt: number;
  updatedAt: number;
}

/** The search texts of a book and its translations, which a search reads. They follow from these rows. */
export interface BookTextsTable {
  bookId: string;
  searchText: string;
}

export interface BookFilesTable {
  id: string;
  bookId: string;
  languageId: number;
  fileType: string;
  sourceType: string;
  fileName: string;
  fileSizeBytes: number;
  /** Content address of a local file in hex. */
  sha256: string | null;
  cloudUrl: string | null;
  downloadCount: number;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface CoversTable {
  id: string;
  bookId: string;
  languageId: number | null;
  contentType: string;
  width: number;
  height: number;
  fileSizeBytes: number;
  sha256: string;
  createdAt: number;
  updatedAt: number;
}

export interface CatalogueVersionTable {
  id: number;
  version: number;
  /** How many of all changes have raised the versions of single languages; the others count for all languages. */
  byLanguage: Generated<number>;
}

/** How many changes readers of a language could see, of those that are counted by language. */
export interface LanguageVersionsTable {
  languageId: number;
  version: number;
}

/** Publications: channels, and the overrides of sub-languages. */
export interface ChannelsTable {
  id: string;
  name: string;
  slug: string;
  description: string;
  url: string;
  sortOrder: number;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface PublicationsTable {
  bookId: string;
  channelId: string;
  languageId: number;
  createdAt: number;
}

/** An override of the inherited visibility of a book in a sub-language. */
export interface BookVisibilityTable {
  languageId: number;
  bookId: string;
  isVisible: Flag;
  createdAt: number;
}

/** Downloads: contacts, download events and their archives. */
export interface ContactsTable {
  /** Used by millions of events to refer to their contact; never reused. */
  id: Generated<number>;
  /** The contact's id in the API, a UUID. */
  publicId: string;
  /** Lower case; unique. */
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  country: string;
  searchText: string;
  /** The country, folded for search. */
  countryText: Generated<string>;
  firstDownloadAt: number;
  lastDownloadAt: number;
  totalDownloads: number;
}

/** The set of files in a whole-language download; shared by all downloads of the same set. */
export interface ArchivesTable {
  /** SHA-256 of the set in hex: the same files with the same names are the same archive. */
  id: string;
  languageId: number;
  booksCount: number;
  filesCount: number;
  totalBytes: number;
  createdAt: number;
}

export interface ArchiveBooksTable {
  archiveId: string;
  bookId: string;
}

/** An event that was changed or deleted after its insertion: redeemed, anonymised or deleted. */
export interface EventChangesTable {
  revision: Generated<number>;
  eventId: number;
}

/** The consent ledger: statements by readers and decisions by administrators. */
export interface ConsentsTable {
  id: string;
  contactId: number;
  marketing: Flag;
  /** The version of the text that the reader saw. */
  textVersion: string;
  languageCode: string;
  /** Epoch milliseconds; increases with each statement of a contact. */
  givenAt: number;
  /** When the same statement was last repeated without another one in between. */
  repeatedAt: number | null;
  /**
   * The download with whose form it was submitted; null for an administrator's decision, and after the download was
   * anonymised.
   */
  eventId: number | null;
  /** The client address of the form, as IP_STORAGE allows; null after the download was anonymised. */
  ipAddress: string | null;
  /** The administrator who decided; null for a statement from a form. */
  userId: string | null;
  userName: string | null;
}

/** An accepted request for a download. Names and titles are snapshots. */
export interface DownloadEventsTable {
  id: Generated<number>;
  downloadedAt: number;
  /** When the link was first used to download. */
  redeemedAt: number | null;
  /** The entity tag, in quotes, of what was downloaded then; null before, and for a file in the cloud. */
  deliveredVersion: string | null;
  contactId: number | null;
  isDownloadAll: Flag;
  booksCount: number;
  bookId: string | null;
  fileId: string | null;
  archiveId: string | null;
  languageId: number;
  bookTitle: string;
  fileType: string;
  fileName: string;
  languageName: string;
  languageCode: string;
  ipAddress: string | null;
  countryCode: string | null;
  countryName: string | null;
  city: string | null;
  deviceType: string;
  browserName: string;
  browserVersion: string;
  osName: string;
  osVersion: string;
  referrer: string;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  isBot: Flag;
}

export interface Schema extends StoredBytesTables, LibraryTables {
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  languages: LanguagesTable;
  books: BooksTable;
  translations: TranslationsTable;
  book_texts: BookTextsTable;
  book_files: BookFilesTable;
  covers: CoversTable;
  channels: ChannelsTable;
  publications: PublicationsTable;
  book_visibility: BookVisibilityTable;
  catalogue_version: CatalogueVersionTable;
  language_versions: LanguageVersionsTable;
  contacts: ContactsTable;
  archives: ArchivesTable;
  archive_books: ArchiveBooksTable;
  download_events: DownloadEventsTable;
  event_changes: EventChangesTable;
  consents: ConsentsTable;
  audit_log: AuditLogTable;
  recorded_hour: RecordedHourTable;
  installation: InstallationTable;
  secret_fingerprint: SecretFingerprintTable;
  service_id: ServiceIdTable;
  rate_limits: RateLimitsTable;
  imports: ImportsTable;
  import_bytes: ImportBytesTable;
  jobs: JobsTable;
}
