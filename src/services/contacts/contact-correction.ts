/** Corrects contacts and their consents, and deletes contacts. */
import type { Clock } from "../../adapters/system.ts";
import { conflict } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import type { Author } from "../../repositories/change.ts";
import type { ConsentRow } from "../../repositories/consents.repository.ts";
import type { ContactRow, ContactsRepository } from "../../repositories/contacts.repository.ts";
import type { EventsRepository } from "../../repositories/events.repository.ts";
import type { ChangeRecords, RecordRepositories } from "../../repositories/index.ts";
import type { Contact, ContactUpdate } from "../../schemas/contacts.schemas.ts";
import type { UnwrittenRedemptions } from "../downloads/unwritten-redemptions.ts";
import { invalidField } from "../shared/catalogue-lookup.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { type RecordDeps, Service } from "../shared/service.ts";
import {
  type ConsentLedger,
  createContactTexts,
  ERASED_READER,
  findContact,
  type KnownTexts,
  type Statement,
} from "./consent-ledger.ts";
import { eraseContacts } from "./erase-contacts.ts";
import { presentContact } from "./presenters.ts";

interface ContactCorrectionDeps {
  change: ChangeRecords;
  ledger: ConsentLedger;
  clock: Clock;
  /** Whether letters are written. */
  hasLetters: boolean;
}

export class ContactCorrection extends Service<ContactCorrectionDeps> {
  /**
   * Updates the given fields. A decision about marketing is always added to the consent ledger, even if it repeats the
   * previous one. It is one for the address that the contact has then.
   * @throws AppError 400 if a consent refers to no text or to an invalid one; 404 if the contact doesn't exist; 409 if
   * another contact has the e-mail address, or the reader has stopped letters
   */
  async correct(
    by: Author,
    publicId: string,
    { marketing, textVersion, ...given }: ContactUpdate,
    expected?: ExpectedVersions,
  ): Promise<Contact> {
    return this.deps.change(by, async (repositories) => {
      const { contacts, consents } = repositories;
      const before = await findContact(contacts, publicId);
      const stated = await consents.listCurrent(before.id);
      assertVersion(expected, presentContact(before, stated.at(-1)?.givenAt));
      assertMayWrite(before, given);
      const corrected = { ...before, ...pickGivenFields(given), ...lettersOf(before, given) };
      await assertFreeAddress(contacts, corrected);
      const after = { ...corrected, ...createContactTexts(corrected) };
      await contacts.update(before.id, after);
      const known = after.email === before.email ? stated : [];
      if (after.email !== before.email) await leaveAddress(repositories, before.id);
      const decision = await this.#decide(by, repositories, { before, known, marketing, textVersion });
      if (!decision && known.length < stated.length) {
        const at = this.deps.clock.now();
        await repositories.outbox.add({ event: "contact.consent_changed", at, contactId: before.id });
      }
      const states = {
        before: { ...before, consent: stated.at(-1) ?? null },
        after: { ...after, consent: decision ?? known.at(-1) ?? null },
      };
      const statedAt = decision ? await consents.findLatestTime(before.id) : known.at(-1)?.givenAt;
      const response = presentContact(after, statedAt, this.deps.hasLetters);
      const object = { kind: "contact", id: publicId, name: publicId } as const;
      return { response, change: { action: "update", object, ...states } };
    });
  }

  /** Adds the decision to the ledger. @returns undefined if there is none */
  async #decide(
    by: Author,
    repositories: RecordRepositories,
    { before, known, marketing, textVersion }: Asked,
  ): Promise<Statement | undefined> {
    if (marketing === undefined) return undefined;
    const { ledger, clock } = this.deps;
    const texts = await ledger.readKnownTexts(repositories.consentTexts);
    const decision = decide(by, before, { marketing, textVersion, known, texts });
    await ledger.add(repositories, decision, clock.now());
    return decision;
  }
}

/** What a correction says about marketing. */
interface Asked extends Pick<ContactUpdate, "marketing" | "textVersion"> {
  before: ContactRow;
  /** The statements for the address that the contact gets, or keeps; oldest first. */
  known: readonly ConsentRow[];
}

/** What was agreed, and the letters that wait, belong to the former address. */
async function leaveAddress({ consents, letters }: RecordRepositories, contactId: number): Promise<void> {
  await letters.forgetContact(contactId);
  await consents.leaveAddress(contactId);
}

/** Another address is another mailbox: what was said and what failed at the former one doesn't count there. */
function lettersOf(before: ContactRow, { email, mailState }: Pick<ContactUpdate, "email" | "mailState">) {
  if (email !== undefined && email !== before.email)
    return { verifiedAt: null, mailState: "ok", mailFailures: 0, mailKey: null };
  return mailState === undefined ? {} : { mailFailures: 0 };
}

/** @throws AppError 409 `letters_stopped` */
function assertMayWrite(
  before: ContactRow,
  { email, mailState }: Pick<ContactUpdate, "email" | "mailState">,
): void {
  const isSameAddress = email === undefined || email === before.email;
  if (mailState !== undefined && before.mailState === "stopped" && isSameAddress)
    throw conflict("letters_stopped", "The reader has stopped letters, and alone can allow them again.");
}

/** A consent refers to the given text version, or else to the latest valid one to which the contact agreed. */
function decide(
  by: Author,
  contact: ContactRow,
  { marketing, textVersion, known, texts }: Pick<ContactUpdate, "textVersion"> & Known,
): Statement {
  const last = known.at(-1);
  const agreed = known.findLast((row) => row.marketing === 1 && texts.has(row.textVersion));
  const text = textVersion ?? (marketing ? agreed : last)?.textVersion;
  if (marketing && text === undefined) {
    throw invalidField(
      "textVersion",
      "is required: this contact has no consent to an accepted text",
      "text_version_needed",
    );
  }
  if (marketing && text !== undefined && !texts.has(text)) {
    const message = `must be one of CONSENT_TEXT_VERSIONS or of the library; “${text}” is not`;
    throw invalidField("textVersion", message, "unknown_text_version");
  }
  return {
    contactId: contact.id,
    marketing: marketing ? 1 : 0,
    textVersion: text ?? "",
    languageCode: last?.languageCode ?? "",
    eventId: null,
    ipAddress: null,
    userId: by.id ?? "",
    userName: by.name,
    confirmation: null,
  };
}

/** @throws AppError 409 `email_taken` */
async function assertFreeAddress(contacts: ContactsRepository, { id, email }: ContactRow): Promise<void> {
  const other = await contacts.findByEmail(email);
  if (other && other.id !== id) throw conflict("email_taken", "Another contact has this e-mail address.");
}

interface Known {
  marketing: boolean;
  /** All previous statements for the address, oldest first. */
  known: readonly ConsentRow[];
  texts: KnownTexts;
}

/** Events per transaction. They are scattered over the table, so each can need a disk access. */
const EVENTS_AT_ONCE = 25;

interface ContactErasureDeps extends Pick<RecordDeps, "write" | "change" | "clock"> {
  contacts: ContactsRepository;
  /** Also has data about readers. */
  unwritten: Pick<UnwrittenRedemptions, "forget">;
}

export class ContactErasure extends Service<ContactErasureDeps> {
  /**
   * Deletes a contact with few events in one transaction. For a contact with many events, most events are anonymised in
   * earlier transactions: if that is interrupted, the contact still exists and the next attempt continues. The first
   * transaction that changes something compares the version.
   */
  async erase(by: Author, publicId: string, expected?: ExpectedVersions): Promise<void> {
    const { id } = await findContact(this.deps.contacts, publicId);
    const hasBegun = await this.deps.write(async (repositories) => {
      await assertContactVersion(repositories, publicId, expected);
      return eraseSomeOfMany(repositories.events, id);
    });
    while (hasBegun && (await this.deps.write(({ events }) => eraseSomeOfMany(events, id))));
    await this.deps.change(by, async (repositories) => {
      const { events } = repositories;
      const before = await assertContactVersion(repositories, publicId, hasBegun ? undefined : expected);
      // Events that were added since.
      while (await eraseSomeOfMany(events, id));
      await events.update(await events.listIdsOfContact(id, EVENTS_AT_ONCE), ERASED_READER);
      await eraseContacts(repositories, [id], this.deps.clock.now());
      const object = { kind: "contact", id: publicId, name: publicId } as const;
      const { mailState: _, ...known } = before;
      return { response: undefined, change: { action: "delete", object, before: known } };
    });
    await this.deps.unwritten.forget(id);
  }
}

/** @throws AppError 404, 412 */
async function assertContactVersion(
  { contacts, consents }: Pick<RecordRepositories, "contacts" | "consents">,
  publicId: string,
  expected: ExpectedVersions,
): Promise<ContactRow> {
  const row = await findContact(contacts, publicId);
  if (expected !== undefined) {
    assertVersion(expected, presentContact(row, await consents.findLatestTime(row.id)));
  }
  return row;
}

/** @returns false if there are few events, which are left unchanged */
async function eraseSomeOfMany(events: EventsRepository, contactId: number): Promise<boolean> {
  const ids = await events.listIdsOfContact(contactId, EVENTS_AT_ONCE + 1);
  if (ids.length <= EVENTS_AT_ONCE) return false;
  await events.update(ids.slice(0, EVENTS_AT_ONCE), ERASED_READER);
  return true;
}
