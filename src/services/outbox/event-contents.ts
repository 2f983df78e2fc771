/** What an event says: read when it is sent, so that the outbox has no person. */

import type { Clock } from "../../adapters/system.ts";
import { isoTime, isoTimeOrNull } from "../../lib/time.ts";
import type { ContactsRepository } from "../../repositories/contacts.repository.ts";
import type {
  CatalogueRepositories,
  RecordRepositories,
  ReportRepositories,
} from "../../repositories/index.ts";
import type { OutboxRow } from "../../repositories/outbox.repository.ts";
import { MARKETING_BY_STATE } from "../../schemas/consents.schemas.ts";
import { Service } from "../shared/service.ts";

interface EventContentsDeps {
  clock: Clock;
  reads: RecordRepositories & CatalogueRepositories;
  consentStates: ReportRepositories["consentStates"];
}

/** Events about a reader: those of an erased one aren't sent. */
const PERSONAL = [
  "download.requested",
  "download.redeemed",
  "contact.created",
  "contact.confirmed",
  "contact.consent_changed",
];

export const isErased = ({ event, contactId }: Pick<OutboxRow, "event" | "contactId">): boolean =>
  contactId === null && PERSONAL.includes(event);

export class EventContents extends Service<EventContentsDeps> {
  /** The body of the request. @param includeContact whether it has the reader's address and name, too */
  async compose(row: OutboxRow, includeContact: boolean): Promise<string> {
    const { event: type, createdAt, sequence, details } = row;
    const known: unknown = JSON.parse(details);
    const data = { ...(await this.#readFacts(row)), ...(typeof known === "object" && known) };
    // Null after an erasure, also in the event that reports it.
    const isPersonal = PERSONAL.includes(type) || type === "contact.erased";
    const contact = isPersonal && includeContact ? { contact: await this.#readContact(row) } : {};
    return JSON.stringify({ type, timestamp: isoTime(createdAt), sequence, data: { ...data, ...contact } });
  }

  async #readFacts(row: OutboxRow): Promise<object> {
    if (row.event === "book.changed") return this.#readBook(row.bookId ?? "");
    // Unless the details name some.
    if (row.event === "catalogue.changed") return { languageCodes: await this.#listLanguages() };
    const contactId = await findPublicId(this.deps.reads.contacts, row.contactId);
    const reader = contactId === undefined ? {} : { contactId };
    return row.eventId === null ? reader : { ...(await this.#readDownload(row.eventId)), ...reader };
  }

  async #readDownload(eventId: number): Promise<object> {
    const { events, books } = this.deps.reads;
    const event = await events.find(eventId);
    if (!event) return { eventId: String(eventId) };
    const book = event.bookId === null ? undefined : await books.find(event.bookId);
    return {
      eventId: String(eventId),
      bookId: event.bookId,
      slug: book?.slug ?? null,
      languageCode: event.languageCode,
      fileType: event.fileType,
      isDownloadAll: event.isDownloadAll,
      booksCount: event.booksCount,
      utmSource: event.utmSource,
      utmMedium: event.utmMedium,
      utmCampaign: event.utmCampaign,
    };
  }

  /** As it is now: several changes may be one event. */
  async #readBook(bookId: string): Promise<object> {
    const { clock, reads } = this.deps;
    const { books, publication } = reads;
    const book = await books.find(bookId);
    const places = await publication.findPlaces([bookId], clock.now());
    const ids = new Set(places.map(({ languageId }) => languageId));
    const publishedLanguages = await this.#listLanguages(ids);
    return { bookId, slug: book?.slug ?? null, isPublished: ids.size > 0, publishedLanguages };
  }

  /** The codes of all languages, or of these. */
  async #listLanguages(ids?: ReadonlySet<number>): Promise<string[]> {
    const rows = await this.deps.reads.languages.list();
    return rows
      .filter(({ id }) => ids === undefined || ids.has(id))
      .map(({ code }) => code)
      .sort();
  }

  async #readContact({ contactId }: OutboxRow): Promise<object | null> {
    const contact = contactId === null ? undefined : await this.deps.reads.contacts.find(contactId);
    if (!contact) return null;
    const { email, firstName, id, verifiedAt } = contact;
    const state = await this.deps.consentStates.findState(id, this.deps.clock.now());
    const marketing = MARKETING_BY_STATE[state?.state ?? "none"];
    return {
      email,
      firstName,
      marketing,
      marketingTextVersion: state?.textVersion ?? null,
      verifiedAt: isoTimeOrNull(verifiedAt),
    };
  }
}

async function findPublicId(contacts: ContactsRepository, id: number | null): Promise<string | undefined> {
  return id === null ? undefined : (await contacts.find(id))?.publicId;
}
