/** Maps contacts, their consents and their events to API objects. */
import { isoTime, isoTimeOrNull } from "../../lib/time.ts";
import type { ConsentRow, ConsentStateRow } from "../../repositories/consents.repository.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import {
  type ContactEvent,
  contactEvent,
  type PersonalEvent,
  personalEventFields,
} from "../../schemas/analytics.schemas.ts";
import {
  CONFIRMATIONS,
  type Consent,
  type CurrentConsent,
  consent,
  MARKETING_BY_STATE,
  type RecordedConsent,
} from "../../schemas/consents.schemas.ts";
import { type Contact, contact, type ListedContact, MAIL_STATES } from "../../schemas/contacts.schemas.ts";
import { versionOf } from "../shared/record-versions.ts";
import { parseWord } from "../shared/stored-values.ts";

/**
 * @param statedAt time of the latest statement on marketing for the address, which is part of the version; undefined if there is none
 * @param hasLetters whether the state of letters is shown
 */
export const presentContact = (
  { mailState, verifiedAt, ...row }: ContactRow,
  statedAt: number | undefined,
  hasLetters = false,
): Contact =>
  contact.encode({
    ...row,
    ...(hasLetters && {
      mailState: parseWord(MAIL_STATES, mailState),
      verifiedAt: isoTimeOrNull(verifiedAt),
    }),
    id: row.publicId,
    firstDownloadAt: isoTime(row.firstDownloadAt),
    lastDownloadAt: isoTime(row.lastDownloadAt),
    version: versionOf(row.email, row.firstName, row.lastName, row.phone, row.country, statedAt ?? null),
  });

/** A contact of a list, with the current state of the consent. */
export const presentListedContact = (
  row: ContactRow,
  consent: ConsentStateRow | undefined,
  hasLetters: boolean,
): ListedContact => ({
  ...presentContact(row, consent?.givenAt, hasLetters),
  marketing: MARKETING_BY_STATE[consent?.state ?? "none"],
  marketingTextVersion: consent?.textVersion ?? null,
  marketingAt: isoTimeOrNull(consent?.givenAt ?? null),
});

export const presentConsent = ({ confirmation, ...row }: ConsentRow): Consent =>
  consent.encode({
    ...row,
    ...(confirmation !== null && { confirmation: parseWord(CONFIRMATIONS, confirmation) }),
    marketing: row.marketing === 1,
    formerAddress: row.formerAddress === 1,
    givenAt: isoTime(row.givenAt),
    repeatedAt: isoTimeOrNull(row.repeatedAt),
    source: row.userId === null ? "form" : "administrator",
    eventId: row.eventId === null ? null : String(row.eventId),
  });

/** @param text of the version; undefined if it isn't known */
export const presentRecordedConsent = (row: ConsentRow, text: string | undefined): RecordedConsent => ({
  ...presentConsent(row),
  administrator: row.userName,
  text: text ?? null,
});

export const presentCurrentConsent = (row: ConsentStateRow | undefined): CurrentConsent => ({
  state: row?.state ?? "none",
  marketing: row?.state === "agreed",
  textVersion: row?.textVersion ?? null,
  languageCode: row?.languageCode ?? null,
  givenAt: isoTimeOrNull(row?.givenAt ?? null),
});

/** The fields of an event that a contact's history contains. */
export const presentContactEvent = (row: EventRow): ContactEvent =>
  contactEvent.encode(presentPersonalEvent(row));

/**
 * Missing texts are presented as "", because the specification declares them as strings; the `utm` fields are nullable
 * there.
 */
export const presentPersonalEvent = (row: EventRow): PersonalEvent =>
  personalEventFields.encode({
    ...row,
    id: String(row.id),
    downloadedAt: isoTime(row.downloadedAt),
    ipAddress: row.ipAddress ?? "",
    countryCode: row.countryCode ?? "",
    countryName: row.countryName ?? "",
    city: row.city ?? "",
    redeemedAt: isoTimeOrNull(row.redeemedAt),
  });
