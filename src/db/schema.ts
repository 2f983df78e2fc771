/** The tables as Kysely sees them. Times are epoch milliseconds UTC, flags 0 or 1; `null` means absent. */
import type { Generated } from "kysely";

/** The stored form of a boolean. */
export type Flag = 0 | 1;

/** Who may come in: users, sessions and API keys. */
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
  /** Some minute's precision is enough: not every request writes. */
  lastSeenAt: number;
  ipAddress: string | null;
  userAgent: string;
}

export interface ApiKeysTable {
  id: string;
  name: string;
  /** SHA-256 of the key in hex; the key itself is never stored. */
  keyHash: string;
  keyPrefix: string;
  /** Permissions, separated by blanks. */
  scopes: string;
  ownerId: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** Who changed what. */
export interface AuditLogTable {
  /** In the order of the changes. */
  id: Generated<number>;
  at: number;
  actorKind: string;
  /** The user or the API key; null for the command line. */
  actorId: string | null;
  actorName: string;
  /** As IP_STORAGE allows. */
  ipAddress: string | null;
  requestId: string | null;
  action: string;
  objectKind: string;
  objectId: string;
  objectName: string;
  /** JSON: `{field: {before?, after?}}` */
  changes: string;
}

/** What there is to give away: languages, books, their translations, files and covers. */
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
  /** Folded title and description, for search. */
  searchText: string;
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
  createdAt: number;
  updatedAt: number;
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
}

/** Where the books are published: channels, and what sub-languages hide. */
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

/** Whether a sub-language shows a book, where that differs from what it inherits. */
export interface BookVisibilityTable {
  languageId: number;
  bookId: string;
  isVisible: Flag;
  createdAt: number;
}

/** Who asked for what: contacts, download events and the archives they refer to. */
export interface ContactsTable {
  /** Of millions of events, each names its contact by this number; it never comes again. */
  id: Generated<number>;
  /** A UUID, by which contacts are known outside. */
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

/** The set of files that a whole-language download holds; shared by all downloads of the same set. */
export interface ArchivesTable {
  /** SHA-256 of the set in hex: the same files under the same names are the same archive. */
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

/** An event that has changed or gone since it was written: a redemption, an erasure, a deletion. */
export interface EventChangesTable {
  revision: Generated<number>;
  eventId: number;
}

/** The ledger of consents: what a reader has stated by a form, and what an administrator has decided. */
export interface ConsentsTable {
  id: string;
  contactId: number;
  marketing: Flag;
  /** Of the text that the reader saw. */
  textVersion: string;
  languageCode: string;
  /** Epoch milliseconds; grows with each statement of a contact. */
  givenAt: number;
  /** When the very same was last stated again, with nothing else in between. */
  repeatedAt: number | null;
  /** The download whose form it came with; null once that has lost its reader, and for an administrator's decision. */
  eventId: number | null;
  /** From which the form came, as IP_STORAGE says; null once the download has lost its reader. */
  ipAddress: string | null;
  /** The administrator who decided; null for what came with a form. */
  userId: string | null;
  userName: string | null;
}

/** One accepted request for a download. Names and titles are kept as they were. */
export interface DownloadEventsTable {
  id: Generated<number>;
  downloadedAt: number;
  /** When the link was first really used. */
  redeemedAt: number | null;
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

/** What the service remembers of its own running. */
export interface RecordedHourTable {
  id: string;
  recordedAt: number;
}

export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  languages: LanguagesTable;
  books: BooksTable;
  translations: TranslationsTable;
  book_files: BookFilesTable;
  covers: CoversTable;
  channels: ChannelsTable;
  publications: PublicationsTable;
  book_visibility: BookVisibilityTable;
  catalogue_version: CatalogueVersionTable;
  contacts: ContactsTable;
  archives: ArchivesTable;
  archive_books: ArchiveBooksTable;
  download_events: DownloadEventsTable;
  event_changes: EventChangesTable;
  consents: ConsentsTable;
  audit_log: AuditLogTable;
  recorded_hour: RecordedHourTable;
}
