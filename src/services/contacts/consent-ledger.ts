/** The consent ledger keeps every statement, up to a limit that never removes an effective one. */
import type { NewId } from "../../adapters/system.ts";
import { notFound } from "../../errors.ts";
import { createSearchText, extractDigits, foldForSearch } from "../../lib/text.ts";
import {
  type ConsentRow,
  type ConsentsRepository,
  isForCurrentAddress,
  PENDING_MS,
} from "../../repositories/consents.repository.ts";
import type { ContactRow, ContactsRepository } from "../../repositories/contacts.repository.ts";
import type { ConsentTextsRepository } from "../../repositories/library.repository.ts";
import type { OutboxRepository } from "../../repositories/outbox.repository.ts";
import type { ContactForm } from "../../schemas/download-requests.schemas.ts";
import { Service } from "../shared/service.ts";

/** Number of statements from forms that are kept for an address after the latest decision by an administrator. */
export const MAX_STATEMENTS = 50;

/** The statement, its contact and its source. */
export type Statement = Omit<ConsentRow, "id" | "givenAt" | "repeatedAt" | "formerAddress">;

interface ConsentRepositories {
  consents: ConsentsRepository;
  outbox: Pick<OutboxRepository, "add">;
  consentTexts: Pick<ConsentTextsRepository, "listVersions">;
}

/** The versions to which a consent is valid. */
export interface KnownTexts {
  has(textVersion: string): boolean;
}

interface ConsentLedgerDeps {
  newId: NewId;
  /** Versions to which a consent is valid, besides those of the library; empty: all. */
  textVersions: readonly string[];
}

export class ConsentLedger extends Service<ConsentLedgerDeps> {
  /**
   * Adds a statement as the contact's latest, even if two arrive at once or the clock was set back. A repeated form
   * statement isn't added again. Above the limit, the oldest statement without effect is deleted.
   */
  async add(
    { consents, consentTexts, outbox }: ConsentRepositories,
    statement: Statement,
    now: number,
  ): Promise<void> {
    const known = await consents.listOf(statement.contactId);
    const last = known.at(-1);
    const lastAt = last && (last.repeatedAt ?? last.givenAt);
    if (last && lastAt !== undefined && isRepeated(last, statement)) {
      await consents.update(last.id, { repeatedAt: Math.max(now, lastAt) });
      return;
    }
    const givenAt = lastAt === undefined ? now : Math.max(now, lastAt + 1);
    const row: ConsentRow = {
      id: this.deps.newId(),
      ...statement,
      givenAt,
      repeatedAt: null,
      formerAddress: 0,
    };
    await consents.insert(row);
    const { contactId } = statement;
    await outbox.add({ event: "contact.consent_changed", at: now, contactId });
    const counted = known.filter(isForCurrentAddress);
    if (counted.length < MAX_STATEMENTS) return;
    const surplus = findSurplus([...counted, row], await this.readKnownTexts(consentTexts));
    if (surplus) await consents.delete(surplus.id);
  }

  /** The owner of the address has confirmed it: so is a yes that waits for it, if that is the latest statement. */
  async confirm(
    repositories: ConsentRepositories,
    { contactId, at, ipAddress }: { contactId: number; at: number; ipAddress: string | null },
  ): Promise<void> {
    const last = (await repositories.consents.listCurrent(contactId)).at(-1);
    if (last?.confirmation !== "pending" || (last.repeatedAt ?? last.givenAt) <= at - PENDING_MS) return;
    const { marketing, textVersion, languageCode, eventId } = last;
    const said = { contactId, marketing, textVersion, languageCode, confirmation: "confirmed" };
    // Without its download, the statement isn't connected with an address either.
    const source = { eventId, ipAddress: eventId === null ? null : ipAddress, userId: null, userName: null };
    await this.add(repositories, { ...said, ...source }, at);
  }

  /** The texts of which a version is enough for a valid consent: configured ones, and those of the library. */
  async readKnownTexts(consentTexts: ConsentRepositories["consentTexts"]): Promise<KnownTexts> {
    const { textVersions } = this.deps;
    if (textVersions.length === 0) return { has: () => true };
    return new Set([...textVersions, ...(await consentTexts.listVersions())]);
  }
}

/**
 * The oldest statement that can be deleted. What was confirmed last, and since then the first yes, the last yes, the last
 * no and the last statement determine the current state and the state after any later statement, so they are kept.
 */
function findSurplus(rows: readonly ConsentRow[], texts: KnownTexts): ConsentRow | undefined {
  const recent = rows.slice(rows.findLastIndex(({ userId }) => userId !== null) + 1);
  if (recent.length <= MAX_STATEMENTS) return undefined;
  const isYes = ({ marketing, confirmation, textVersion }: ConsentRow) =>
    marketing === 1 && confirmation !== "pending" && texts.has(textVersion);
  const since = recent.slice(
    Math.max(
      recent.findLastIndex(({ confirmation }) => confirmation === "confirmed"),
      0,
    ),
  );
  const deciding = new Set([
    since[0]?.confirmation === "confirmed" ? since[0] : undefined,
    since.find(isYes),
    since.findLast(isYes),
    since.findLast(({ marketing }) => marketing === 0),
    since.at(-1),
  ]);
  return recent.find((row) => !deciding.has(row));
}

/** Whether a form repeats the latest statement for this address. Decisions by administrators are never merged. */
const isRepeated = (last: ConsentRow, statement: Statement): boolean =>
  isForCurrentAddress(last) &&
  last.userId === null &&
  statement.userId === null &&
  last.marketing === statement.marketing &&
  last.textVersion === statement.textVersion &&
  last.languageCode === statement.languageCode &&
  last.confirmation === statement.confirmation;

/**
 * Contact data from forms. An unauthenticated sender who knows a contact's e-mail address can fill in missing fields
 * but can't change existing ones.
 */
export function createContact(publicId: string, form: ContactForm, now: number): NewContact {
  const { email, firstName, lastName, phone, country } = form;
  return {
    publicId,
    email,
    firstName,
    lastName,
    phone,
    country,
    ...createContactTexts(form),
    firstDownloadAt: now,
    lastDownloadAt: now,
    totalDownloads: 1,
  };
}

/** What has no default. */
type NewContact = Omit<ContactRow, "id" | "verifiedAt" | "mailState" | "mailFailures" | "mailKey">;

/** The fields that the form fills in; undefined if there are none. */
export function findFilledFields(known: ContactForm, form: ContactForm): Partial<ContactRow> | undefined {
  const { firstName, lastName, phone, country } = known;
  const filled = {
    firstName: firstName || form.firstName,
    lastName: lastName || form.lastName,
    phone: phone || form.phone,
    country: country || form.country,
  };
  const isSame =
    filled.firstName === firstName &&
    filled.lastName === lastName &&
    filled.phone === phone &&
    filled.country === country;
  return isSame ? undefined : { ...filled, ...createContactTexts({ ...filled, email: known.email }) };
}

export async function findContact(contacts: ContactsRepository, publicId: string): Promise<ContactRow> {
  const row = await contacts.findByPublicId(publicId);
  if (!row) throw notFound("contact_not_found", "Contact not found.");
  return row;
}

/** The fields that are cleared in an old event. */
export const OLD_READER = { contactId: null, ipAddress: null };

/**
 * The fields that are cleared when the contact of an event is deleted, and that a later delivery doesn't set: the
 * address of a page can identify the reader.
 */
export const ERASED_READER = { ...OLD_READER, referrer: "" };

/** The texts that a contact search matches: names, e-mail address, phone as written and digits only, country. */
export const createContactTexts = ({ email, firstName, lastName, phone, country }: ContactForm) => {
  const texts = [`${firstName} ${lastName}`, email, phone, extractDigits(phone), country];
  return {
    searchText: createSearchText([...new Set(texts)].filter((text) => text !== "")),
    countryText: foldForSearch(country),
  };
};
