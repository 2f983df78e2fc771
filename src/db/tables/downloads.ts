/** Contacts, download events with their archives, and consents. */
import { describeTable } from "./describe-table.ts";

export const DOWNLOAD_TABLES = {
  contacts: describeTable({
    /** Used by millions of events to refer to their contact; never reused. */
    id: "integer=",
    /** The contact's id in the API, a UUID. */
    publicId: "text",
    /** Lower case; unique. */
    email: "text",
    firstName: "text",
    lastName: "text",
    phone: "text",
    country: "text",
    searchText: "text",
    /** The country, folded for search. */
    countryText: "text=",
    firstDownloadAt: "integer",
    lastDownloadAt: "integer",
    totalDownloads: "integer",
    /** When the owner of the address has confirmed it; null before, and after it was changed. */
    verifiedAt: "integer?",
    /** `ok`, `stopped` by the reader, or `failing`. */
    mailState: "text=",
    /** Letters in a row that the server of the address has rejected for good. */
    mailFailures: "integer=",
    /** Identifies the contact in letters; null before the first, and after the address was changed. */
    mailKey: "text?",
  }),
  /** The set of files in a whole-language download; shared by all downloads of the same set. */
  archives: describeTable({
    /** SHA-256 of the set in hex: the same files with the same names are the same archive. */
    id: "text",
    languageId: "integer",
    booksCount: "integer",
    filesCount: "integer",
    totalBytes: "integer",
    createdAt: "integer",
  }),
  archive_books: describeTable({
    archiveId: "text",
    bookId: "text",
  }),
  /** An accepted request for a download. Names and titles are snapshots. */
  download_events: describeTable({
    id: "integer=",
    downloadedAt: "integer",
    /** When the link was first used to download. */
    redeemedAt: "integer?",
    /** The entity tag, in quotes, of what was downloaded then; null before, and for a file in the cloud. */
    deliveredVersion: "text?",
    contactId: "integer?",
    isDownloadAll: "flag",
    booksCount: "integer",
    bookId: "text?",
    fileId: "text?",
    archiveId: "text?",
    languageId: "integer",
    bookTitle: "text",
    fileType: "text",
    fileName: "text",
    languageName: "text",
    languageCode: "text",
    ipAddress: "text?",
    countryCode: "text?",
    countryName: "text?",
    city: "text?",
    deviceType: "text",
    browserName: "text",
    browserVersion: "text",
    osName: "text",
    osVersion: "text",
    referrer: "text",
    utmSource: "text?",
    utmMedium: "text?",
    utmCampaign: "text?",
    isBot: "flag",
    /** Nothing is delivered until the reader's address is confirmed. */
    isUnconfirmed: "flag=",
  }),
  /** An event that was changed or deleted after its insertion: redeemed, anonymised or deleted. */
  event_changes: describeTable({
    revision: "integer=",
    eventId: "integer",
  }),
  /** The consent ledger: statements by readers and decisions by administrators. */
  consents: describeTable({
    id: "text",
    contactId: "integer",
    marketing: "flag",
    /** The version of the text that the reader saw. */
    textVersion: "text",
    languageCode: "text",
    /** Epoch milliseconds; increases with each statement of a contact. */
    givenAt: "integer",
    /** When the same statement was last repeated without another one in between. */
    repeatedAt: "integer?",
    /**
     * The download with whose form it was submitted; null for an administrator's decision, and after the download was
     * anonymised.
     */
    eventId: "integer?",
    /** The client address of the form, as IP_STORAGE allows; null after the download was anonymised. */
    ipAddress: "text?",
    /** The administrator who decided; null for a statement from a form. */
    userId: "text?",
    userName: "text?",
    /** `pending`: a yes that counts once the address is confirmed; `confirmed`: by the address; null otherwise. */
    confirmation: "text?",
    /** Whether the contact has another address since: then it counts for nothing. */
    formerAddress: "flag=",
  }),
};
