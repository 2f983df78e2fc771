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
