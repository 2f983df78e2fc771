/** Records downloads: the contact and the event when a link is requested, and the reader when it is delivered. */
import type { Place } from "../../adapters/geo-ip/database.ts";
import type { GeoIp } from "../../adapters/geo-ip/geo-ip.ts";
import type { Clock, NewId } from "../../adapters/system.ts";
import { type Device, detectDevice } from "../../adapters/user-agents.ts";
import type { MailSettings } from "../../config.ts";
import { currentRequest } from "../../db/request-scope.ts";
import type { Schema } from "../../db/schema.ts";
import { type AddressStorage, reduceAddress } from "../../lib/ip-address.ts";
import type { ContactRow } from "../../repositories/contacts.repository.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type {
  RecordRepositories,
  UnauditedRepositories,
  WriteIndependent,
  WriteRecords,
} from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { isSameVersion } from "../../repositories/publication.repository.ts";
import type { ConfirmationRule } from "../../schemas/confirmations.schemas.ts";
import type { ConsentForm } from "../../schemas/consents.schemas.ts";
import type { Campaign, ContactForm } from "../../schemas/download-requests.schemas.ts";
import type { ConfirmationRules } from "../confirmations/confirmation-rules.ts";
import { type ConsentLedger, createContact, findFilledFields } from "../contacts/consent-ledger.ts";
import type { LetterWriter } from "../letters/letter-writer.ts";
import type { Client, Reader } from "../shared/actor.ts";
import type { CatalogueScope } from "../shared/catalogue-versions.ts";
import { Service } from "../shared/service.ts";
import type { ArchivePlan } from "./archive-plan.ts";
import { type RequestedEvent, unavailableFile, unknownLink } from "./download-links.ts";
import { putSet, type Redemption, writeRedemption } from "./redemptions.ts";
import type { UnwrittenRedemptions } from "./unwritten-redemptions.ts";

/** The requested file of a book, or all files of a plan, with current titles and names. */
export interface DownloadRequest {
  language: LanguageRow;
  bookId: string | null;
  fileId: string | null;
  plan?: ArchivePlan;
  bookTitle: string;
  fileType: string;
  fileName: string;
}

/** The requester, and the campaign that led to the request. */
export interface Requester {
  /** As the form describes it, or the known contact of an earlier request. */
  contact: ContactForm | KnownContact;
  consent?: ConsentForm | undefined;
  campaign: Campaign;
  client: Client;
}

type ReachedContact = Pick<ContactRow, "id" | "email" | "mailState">;

interface KnownContact {
  id: number;
  /** Whether the earlier request waits for a confirmation of the address. */
  isUnconfirmed: 0 | 1;
}

/** Of the letter that follows from a request. */
interface LetterFacts {
  rule: ConfirmationRule;
  known: ReachedContact;
  eventId: number;
  at: number;
  client: Client;
}

/** A request as it is written. */
interface RequestRecord {
  request: DownloadRequest;
  requester: Requester;
  catalogueVersion: CatalogueScope;
  /** Epoch milliseconds. */
  at: number;
  reader: Facts;
}

/** The delivered file, or all files of a plan. */
interface DeliveredFiles {
  language: LanguageRow;
  /** The entity tag of the delivered bytes, in quotes; null if this service doesn't know them. */
  version: string | null;
  fileIds: readonly string[];
  plan?: ArchivePlan;
}

interface DownloadRecordsDeps {
  write: WriteRecords;
  writeIndependent: WriteIndependent;
  ledger: ConsentLedger;
  geoIp: GeoIp;
  addressStorage: AddressStorage;
  /** Undefined: no letters are written. */
  letters: { writer: LetterWriter; settings: Pick<MailSettings, "sendsLinks"> } | undefined;
  rules: ConfirmationRules;
  newId: NewId;
  clock: Clock;
  unwritten: Pick<UnwrittenRedemptions, "find" | "add" | "noteWritten">;
}

export class DownloadRecords extends Service<DownloadRecordsDeps> {
  /**
   * Writes the contact and the event in one transaction. Throws 404 if a known contact was erased in the meantime, and
   * 404 `file_unavailable` if the requested files are no longer published.
   * @param catalogueVersion the version in which the files were looked up, or an earlier one
   * @returns the event
   */
  async addRequest(
    request: DownloadRequest,
    requester: Requester,
    catalogueVersion: CatalogueScope,
  ): Promise<RequestedEvent> {
    const { contact, client } = requester;
    const [at, reader] = [this.deps.clock.now(), this.#collectFacts(client)];
    const put = (repositories: UnauditedRepositories) =>
      this.#putRequest(repositories, { request, requester, catalogueVersion, at, reader });
    // Requests of different contacts may write the same archive, and a known contact is also found by its address.
    const isShared = request.plan !== undefined || "id" in contact;
    const eventId = await (isShared ? this.deps.write(put) : this.deps.writeIndependent(contact.email, put));
    if (eventId === undefined) throw unavailableFile();
    return { id: eventId, downloadedAt: at };
  }

  /** @returns undefined if nothing was written: an error would make the other requests of its savepoint start again */
  async #putRequest(
    repositories: UnauditedRepositories,
    { request, requester, catalogueVersion, at, reader }: RequestRecord,
  ): Promise<number | undefined> {
    const { contacts, events } = repositories;
    // The catalogue can change until the transaction begins. Costs one statement for all requests of a savepoint.
    const version = await repositories.publication.readVersionOncePerSavepoint();
    const isKnown = isSameVersion(version, catalogueVersion) && at < catalogueVersion.dueNext;
    if (!isKnown && !(await isPublished(repositories, request, at))) return undefined;
    const { contact, consent, campaign } = requester;
    const { language, plan } = request;
    const form = "id" in contact ? await findKnownContact(contacts, contact.id) : contact;
    const rule = this.deps.rules.ruleOf(language);
    const isWithheld = rule === "required" ? (1 as const) : (0 as const);
    if (plan) await putSet(events, createSet(plan, language), at);
    const counting = createContact(this.deps.newId(), form, at);
    const counted = contacts.countDownload(counting);
    // Sent together: on PostgreSQL every wait is a round trip, and all writers wait for it.
    const isUnconfirmed = "id" in contact ? contact.isUnconfirmed : isWithheld;
    const columns = { ...requestColumns(request), ...reader, ...campaignColumns(campaign), isUnconfirmed };
    const added = events.insertRequest({ email: form.email, downloadedAt: at, redeemedAt: null, ...columns });
    const [known, { id: eventId, contactId }] = await Promise.all([counted, added]);
    if (known.email !== form.email || known.id !== contactId)
      throw new Error("The database has not returned the rows of several requests in order");
    const isNew = known.publicId === counting.publicId;
    const created = isNew ? [{ event: "contact.created", at, contactId } as const] : [];
    await repositories.outbox.add(...created, { event: "download.requested", at, eventId, contactId });
    // A renewed link isn't written to the reader, who has the page with it.
    if (!("id" in contact))
      await this.#writeLetter(repositories, { rule, known, eventId, at, client: requester.client });
    const filled = findFilledFields(known, form);
    if (filled) await contacts.update(known.id, filled);
    if (consent) {
      const through = { eventId, ipAddress: reader.ipAddress, languageCode: language.code };
      const statement = { contactId: known.id, ...formStatement(consent, rule), ...through };
      await this.deps.ledger.add(repositories, statement, at);
    }
    return eventId;
  }

  /** One letter: the link, or the button that confirms the address and leads to it. */
  async #writeLetter(
    repositories: UnauditedRepositories,
    { rule, known, eventId, at, client }: LetterFacts,
  ): Promise<void> {
    const { letters } = this.deps;
    const isConfirmation = rule !== "off";
    if (!letters || known.mailState !== "ok" || !(isConfirmation || letters.settings.sendsLinks)) return;
    const { id: contactId, email } = known;
    const kind = isConfirmation ? "letter.confirmation" : "letter.download";
    await letters.writer.add(repositories, { kind, at, contactId, eventId, email, address: client.address });
  }

  /**
   * The first delivery to a person completes the event and counts the files. Bots, prefetches and later deliveries
   * change nothing. Never throws: a full disk must not prevent the delivery. What can't be written waits.
   */
  async addDelivery(event: EventRow, reader: Reader, delivered: DeliveredFiles): Promise<void> {
    const facts = this.#collectFacts(reader);
    if (event.redeemedAt !== null || reader.isPrefetch || facts.isBot === 1) return;
    const { write, unwritten } = this.deps;
    const redemption = unwritten.find(event) ?? this.#createRedemption(event, facts, delivered);
    try {
      await write((repositories) => writeRedemption(repositories, redemption));
      unwritten.noteWritten(event.id);
    } catch (error) {
      // Nothing is delivered to a client that has left.
      if (currentRequest()?.clientHasLeft) return;
      await unwritten.add(redemption, error);
    }
  }

  #createRedemption(event: EventRow, facts: Facts, delivered: DeliveredFiles): Redemption {
    const { version, fileIds, plan } = delivered;
    // The client that downloads determines the reader's facts; the referrer of the request is kept only if the delivery
    // has none.
    const seen = { ...facts, referrer: facts.referrer || event.referrer };
    return {
      eventId: event.id,
      requestedAt: event.downloadedAt,
      contactId: event.contactId,
      redeemedAt: this.deps.clock.now(),
      deliveredVersion: version,
      fileIds: plan ? [] : [...fileIds],
      // An erased reader leaves nothing in the file of what waits.
      seen: event.contactId === null ? { ...seen, ipAddress: null, referrer: "" } : seen,
      set: plan && createSet(plan, delivered.language),
    };
  }

  #collectFacts({ address, userAgent, referrer }: Client): Facts {
    const { isBot, ...device } = detectDevice(userAgent);
    return {
      ...device,
      isBot: isBot ? 1 : 0,
      // Uses the full address, even if less of it is stored.
      ...this.deps.geoIp.locate(address),
      ipAddress: reduceAddress(address, this.deps.addressStorage),
      referrer: referrer.slice(0, MAX_REFERRER),
    };
  }
}

/** An event must not outlive the deletion of its language with all events. */
async function isPublished(
  { publication }: UnauditedRepositories,
  { language, bookId, fileId }: DownloadRequest,
  at: number,
): Promise<boolean> {
  if (bookId === null || fileId === null) return publication.isActiveLanguage(language.id);
  return publication.isPublishedFile({ bookId, languageId: language.id }, fileId, at);
}

async function findKnownContact(contacts: RecordRepositories["contacts"], id: number): Promise<ContactForm> {
  const known = await contacts.find(id);
  if (!known) throw unknownLink();
  return known;
}

const requestColumns = ({ language, plan, ...file }: DownloadRequest) => ({
  ...file,
  isDownloadAll: plan ? (1 as const) : (0 as const),
  booksCount: plan ? plan.bookIds.length : 1,
  archiveId: plan ? plan.id : null,
  languageId: language.id,
  languageName: language.name,
  languageCode: language.code,
});

const campaignColumns = ({ utm_source, utm_medium, utm_campaign }: Campaign) => ({
  utmSource: utm_source || null,
  utmMedium: utm_medium || null,
  utmCampaign: utm_campaign || null,
});

/** Where readers confirm their address, a yes waits for that. */
const formStatement = ({ marketing, textVersion }: ConsentForm, rule: ConfirmationRule) => ({
  marketing: marketing ? (1 as const) : (0 as const),
  textVersion,
  userId: null,
  userName: null,
  confirmation: marketing && rule !== "off" ? "pending" : null,
});

const createSet = ({ id, bookIds, members, totalBytes }: ArchivePlan, { id: languageId }: LanguageRow) => {
  const fileIds = members.map(({ file }) => file.id);
  return { id, languageId, bookIds, fileIds, totalBytes };
};

/** The reader's location and device, as an event stores them. */
type Facts = Omit<Device, "isBot"> &
  Place &
  Pick<Schema["download_events"], "ipAddress" | "referrer" | "isBot">;

const MAX_REFERRER = 500;
