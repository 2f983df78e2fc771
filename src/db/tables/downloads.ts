/** Who asked for what: contacts, download events and the archives they refer to. */
import type { Generated } from "kysely";
import type { Flag } from "./flag.ts";

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

/** What a reader has agreed to, as often as they said it. */
export interface ConsentsTable {
  id: string;
  contactId: number;
  marketing: Flag;
  /** Of the text that the reader saw. */
  textVersion: string;
  languageCode: string;
  givenAt: number;
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
