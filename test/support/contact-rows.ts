/** Contacts and download events as they would be after years: from many countries, at many times. */

import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Schema } from "../../src/db/schema.ts";
import { createContact } from "../../src/services/contacts/consent-ledger.ts";
import type { TestApp } from "./app.ts";
import { CHROME } from "./reader.ts";

type App = Pick<TestApp, "container">;
export type GivenEvent = Partial<Insertable<Schema["download_events"]>>;

/** A contact with one event for each of those given, which tell what isn't usual; the rest follows from them. */
export interface GivenContact extends Partial<Insertable<Schema["contacts"]>> {
  events?: readonly GivenEvent[];
}

/** What is usual of one. */
export const EVENT: Omit<Insertable<Schema["download_events"]>, "contactId" | "downloadedAt"> = {
  redeemedAt: null,
  isDownloadAll: 0,
  booksCount: 1,
  bookId: null,
  fileId: null,
  archiveId: null,
  languageId: 1,
  bookTitle: "The Well",
  fileType: "txt",
  fileName: "well.txt",
  languageName: "English",
  languageCode: "en",
  ipAddress: "192.0.2.7",
  countryCode: null,
  countryName: null,
  city: null,
  ...CHROME,
  referrer: "https://example.org/",
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  isBot: 0,
};

/** Writes contacts with their events, in their order. @returns what the API knows the contacts by */
export function addContacts(
  { container: { database, clock } }: App,
  given: readonly GivenContact[],
): Promise<string[]> {
  return database.commit(async () => {
    const ids: string[] = [];
    for (const { events: ownEvents = [{}], ...more } of given) {
      const now = clock.now();
      const times = ownEvents.map(({ downloadedAt = now }) => downloadedAt);
      const { publicId = randomUUID() } = more;
      const form = {
        email: `${publicId}@example.org`,
        firstName: "Sara",
        lastName: "",
        phone: "",
        country: "",
      };
      const row = {
        ...createContact(publicId, { ...form, ...more }, now),
        ...(times.length > 0 && { firstDownloadAt: Math.min(...times), lastDownloadAt: Math.max(...times) }),
        totalDownloads: ownEvents.length,
        ...more,
      };
      const inserted = database.writer.insertInto("contacts").values(row).returning("id");
      const { id: contactId } = await inserted.executeTakeFirstOrThrow();
      for (const event of ownEvents) await addEvent(database, { contactId, downloadedAt: now, ...event });
      ids.push(publicId);
    }
    return ids;
  });
}

/** Call this inside `commit`. */
export const addEvent = (
  { writer }: TestApp["container"]["database"],
  event: GivenEvent & Pick<Insertable<Schema["download_events"]>, "contactId" | "downloadedAt">,
) =>
  writer
    .insertInto("download_events")
    .values({ ...EVENT, ...event })
    .execute();
