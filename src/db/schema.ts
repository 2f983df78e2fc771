/** The tables as Kysely sees them. Times are epoch milliseconds UTC, flags 0 or 1; `null` means absent. */
import type { Generated } from "kysely";

export type Flag = 0 | 1;

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

export interface CatalogueVersionTable {
  id: number;
  version: number;
}

export interface ContactsTable {
  id: string;
  /** Lower case; unique. */
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  country: string;
  searchText: string;
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

/** One accepted request for a download. Names and titles are kept as they were. */
export interface DownloadEventsTable {
  id: Generated<number>;
  downloadedAt: number;
  /** When the link was first really used. */
  redeemedAt: number | null;
  contactId: string | null;
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
}
