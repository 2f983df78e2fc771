/** The consent ledger: every statement is kept, within a bound that never removes an effective one. */
import type { NewId } from "../../adapters/system.ts";
import { notFound } from "../../errors.ts";
import { digitsOf, foldForSearch, searchTextOf } from "../../lib/text.ts";
import type { ConsentRow, ConsentsRepository } from "../../repositories/consents.repository.ts";
import type { ContactRow, ContactsRepository } from "../../repositories/contacts.repository.ts";
import type { ContactForm } from "../../schemas/download-requests.schemas.ts";

/** Statements of one contact that come with forms, after an administrator's latest decision. */
export const MOST_STATEMENTS = 50;

/** What is stated, about whom, and by what way. */
export type Statement = Omit<ConsentRow, "id" | "givenAt" | "repeatedAt">;

interface ConsentLedgerDeps {
  newId: NewId;
  textVersions: readonly string[];
}

export class ConsentLedger {
  readonly #deps: ConsentLedgerDeps;

  /** @param deps.textVersions whose yes counts; empty: of all texts */
  constructor(deps: ConsentLedgerDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a statement after all others of the contact, also when two come at once or the clock has been put back. One that
   * a form repeats is not added again; of too many, the oldest goes that decides nothing.
   */
  async add(consents: ConsentsRepository, statement: Statement, now: number): Promise<void> {
    const known = await consents.listOf(statement.contactId);
    const last = known.at(-1);
    const lastAt = last && (last.repeatedAt ?? last.givenAt);
    if (last && lastAt !== undefined && isRepeated(last, statement)) {
      await consents.setRepeatedAt(last.id, Math.max(now, lastAt));
      return;
    }
    const givenAt = lastAt === undefined ? now : Math.max(now, lastAt + 1);
    const row = { id: this.#deps.newId(), ...statement, givenAt, repeatedAt: null };
    await consents.insert(row);
    const surplus = this.#surplus([...known, row]);
    if (surplus) await consents.delete(surplus.id);
  }

  /**
   * What can go of too many statements, the oldest first. The state depends on the first yes, the last yes, the last no
   * and the last statement alone, now and after anything that is still to come: they stay.
   */
  #surplus(rows: readonly ConsentRow[]): ConsentRow | undefined {
    const recent = rows.slice(rows.findLastIndex(({ userId }) => userId !== null) + 1);
    if (recent.length <= MOST_STATEMENTS) return undefined;
    const isYes = (row: ConsentRow) => row.marketing === 1 && this.isKnownText(row.textVersion);
    const deciding = new Set([
      recent.find(isYes),
      recent.findLast(isYes),
      recent.findLast(({ marketing }) => marketing === 0),
      recent.at(-1),
    ]);
    return recent.find((row) => !deciding.has(row));
  }

  /** Whether a yes to this version of the text counts. */
  isKnownText(textVersion: string): boolean {
    return this.#deps.textVersions.length === 0 || this.#deps.textVersions.includes(textVersion);
  }
}

/** The same statement by a form, without another one in between. Decisions by administrators are never merged. */
const isRepeated = (last: ConsentRow, statement: Statement): boolean =>
  last.userId === null &&
  statement.userId === null &&
  last.marketing === statement.marketing &&
  last.textVersion === statement.textVersion &&
  last.languageCode === statement.languageCode;

/** Contacts: a stranger who names a known e-mail can fill what is empty, and change nothing. */
export function newContact(publicId: string, form: ContactForm, now: number): Omit<ContactRow, "id"> {
  const { email, firstName, lastName, phone, country } = form;
  return {
    publicId,
    email,
    firstName,
    lastName,
    phone,
    country,
    ...contactTexts(form),
    firstDownloadAt: now,
    lastDownloadAt: now,
    totalDownloads: 1,
  };
}

export function contactChange(known: ContactRow, form: ContactForm, now: number): Partial<ContactRow> {
  const filled = {
    firstName: known.firstName || form.firstName,
    lastName: known.lastName || form.lastName,
    phone: known.phone || form.phone,
    country: known.country || form.country,
  };
  return {
    ...filled,
    ...contactTexts({ ...filled, email: known.email }),
    // Also right when the clock has been put back.
    firstDownloadAt: Math.min(known.firstDownloadAt, now),
    lastDownloadAt: Math.max(known.lastDownloadAt, now),
    totalDownloads: known.totalDownloads + 1,
  };
}

export async function contactByPublicId(contacts: ContactsRepository, publicId: string): Promise<ContactRow> {
  const row = await contacts.findByPublicId(publicId);
  if (!row) throw notFound("contact_not_found", "Contact not found.");
  return row;
}

/** What an old event loses. */
export const OLD_READER = { contactId: null, ipAddress: null };

/**
 * What an event loses with its contact, or never has when it is redeemed later: the address of a page may name its
 * reader.
 */
export const ERASED_READER = { ...OLD_READER, referrer: "" };

/** What a contact is found by: names, e-mail address, phone as written and in bare digits, country. */
export const contactTexts = ({ email, firstName, lastName, phone, country }: ContactForm) => {
  const texts = [`${firstName} ${lastName}`, email, phone, digitsOf(phone), country];
  return {
    searchText: searchTextOf([...new Set(texts)].filter((text) => text !== "")),
    countryText: foldForSearch(country),
  };
};
