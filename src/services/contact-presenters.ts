/** How contacts leave the service, field by field. */
import { isoTime, isoTimeOrNull } from "../lib/time.ts";
import type { ConsentStateRow } from "../repositories/consent-states.ts";
import type { ConsentRow } from "../repositories/consents.repository.ts";
import type { ContactRow } from "../repositories/contacts.repository.ts";
import type { EventRow } from "../repositories/events.repository.ts";
import type { Consent, CurrentConsent, RecordedConsent } from "../schemas/consents.schemas.ts";
import type { Contact, ContactEvent } from "../schemas/contacts.schemas.ts";
import { presentPersonalEvent } from "./presenters.ts";

export const presentContact = (row: ContactRow): Contact => ({
  id: row.publicId,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  phone: row.phone,
  country: row.country,
  firstDownloadAt: isoTime(row.firstDownloadAt),
  lastDownloadAt: isoTime(row.lastDownloadAt),
  totalDownloads: row.totalDownloads,
});

export const presentConsent = (row: ConsentRow): Consent => ({
  marketing: row.marketing === 1,
  textVersion: row.textVersion,
  languageCode: row.languageCode,
  givenAt: isoTime(row.givenAt),
  repeatedAt: isoTimeOrNull(row.repeatedAt),
  source: row.userId === null ? "form" : "administrator",
  eventId: row.eventId === null ? null : String(row.eventId),
  ipAddress: row.ipAddress,
});

export const presentRecordedConsent = (row: ConsentRow): RecordedConsent => ({
  ...presentConsent(row),
  administrator: row.userName,
});

export const presentCurrentConsent = (row: ConsentStateRow | undefined): CurrentConsent => ({
  state: row?.state ?? "none",
  marketing: row?.state === "agreed",
  textVersion: row?.textVersion ?? null,
  languageCode: row?.languageCode ?? null,
  givenAt: isoTimeOrNull(row?.givenAt ?? null),
});

/** The part that a contact's history shows. */
export function presentContactEvent(row: EventRow): ContactEvent {
  const event = presentPersonalEvent(row);
  return {
    id: event.id,
    downloadedAt: event.downloadedAt,
    isDownloadAll: event.isDownloadAll,
    booksCount: event.booksCount,
    countryCode: event.countryCode,
    countryName: event.countryName,
    city: event.city,
    deviceType: event.deviceType,
    browserName: event.browserName,
    bookTitle: event.bookTitle,
    fileType: event.fileType,
    languageName: event.languageName,
    languageCode: event.languageCode,
  };
}
