/** Corrects a contact, and settles what counts of their consents. */
import type { Clock } from "../../adapters/system.ts";
import { givenFields } from "../../lib/collections.ts";
import type { Author } from "../../repositories/change.ts";
import type { ConsentRow } from "../../repositories/consents.repository.ts";
import type { ContactRow, ContactsRepository } from "../../repositories/contacts.repository.ts";
import type { EventsRepository } from "../../repositories/events.repository.ts";
import type { ChangeRecords, WriteRecords } from "../../repositories/index.ts";
import type { Contact, ContactUpdate } from "../../schemas/contacts.schemas.ts";
import { invalidField } from "../catalogue/catalogue-lookup.ts";
import {
  type ConsentLedger,
  contactByPublicId,
  contactTexts,
  ERASED_READER,
  type Statement,
} from "./consent-ledger.ts";
import { presentContact } from "./contacts.service.ts";

interface ContactCorrectionDeps {
  change: ChangeRecords;
  ledger: ConsentLedger;
  clock: Clock;
}

export class ContactCorrection {
  readonly #deps: ContactCorrectionDeps;

  constructor(deps: ContactCorrectionDeps) {
    this.#deps = deps;
  }

  /**
   * Changes the fields that are given. A decision about marketing is added to the ledger of consents, also when it is
   * the same as before.
   * @throws AppError 400 when a yes refers to no text, or to one that doesn't count; 404 when there is no such contact
   */
  async correct(
    by: Author,
    publicId: string,
    { marketing, textVersion, ...given }: ContactUpdate,
  ): Promise<Contact> {
    const row = await this.#deps.change(by, async ({ contacts, consents }) => {
      const before = await contactByPublicId(contacts, publicId);
      const corrected = { ...before, ...givenFields(given) };
      const after = { ...corrected, ...contactTexts(corrected) };
      await contacts.update(before.id, after);
      const object = { kind: "contact", id: publicId, name: publicId } as const;
      if (marketing === undefined) {
        return { response: after, change: { action: "update", object, before, after } };
      }
      const known = await consents.listOf(before.id);
      const decision = this.#decision(by, before, { marketing, textVersion, known });
      await this.#deps.ledger.add(consents, decision, this.#deps.clock.now());
      const states = {
        before: { ...before, consent: known.at(-1) ?? null },
        after: { ...after, consent: decision },
      };
      return { response: after, change: { action: "update", object, ...states } };
    });
    return presentContact(row);
  }

  /** A yes refers to the text that the contact agreed to last, of those that count, unless it names one. */
  #decision(
    by: Author,
    contact: ContactRow,
    { marketing, textVersion, known }: Pick<ContactUpdate, "textVersion"> & Known,
  ): Statement {
    const last = known.at(-1);
    const agreed = known.findLast(
      (row) => row.marketing === 1 && this.#deps.ledger.isKnownText(row.textVersion),
    );
    const text = textVersion ?? (marketing ? agreed : last)?.textVersion;
    if (marketing && text === undefined) {
      throw invalidField(
        "textVersion",
        "is required: this contact has no consent to an accepted text",
        "text_version_needed",
      );
    }
    if (marketing && text !== undefined && !this.#deps.ledger.isKnownText(text)) {
      const message = `must be one of CONSENT_TEXT_VERSIONS; “${text}” is not`;
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
    };
  }
}

interface Known {
  marketing: boolean;
  /** All statements so far, the oldest first. */
  known: readonly ConsentRow[];
}

/** Events that are changed in one transaction: they lie far apart, and a disk may have to be asked for each. */
const EVENTS_AT_ONCE = 25;

interface ContactErasureDeps {
  contacts: ContactsRepository;
  write: WriteRecords;
  change: ChangeRecords;
}

export class ContactErasure {
  readonly #deps: ContactErasureDeps;

  constructor(deps: ContactErasureDeps) {
    this.#deps = deps;
  }

  /**
   * One transaction for whoever has few events. Of many, all but the last lose their reader before it: when that is cut
   * short the contact is still there, and the next try goes on.
   */
  async erase(by: Author, publicId: string): Promise<void> {
    const { id } = await contactByPublicId(this.#deps.contacts, publicId);
    while (await this.#deps.write(({ events }) => eraseSomeOfMany(events, id)));
    await this.#deps.change(by, async ({ contacts, events }) => {
      const before = await contactByPublicId(contacts, publicId);
      // Those that have come in between.
      while (await eraseSomeOfMany(events, id));
      await events.update(await events.idsOfContact(id, EVENTS_AT_ONCE), ERASED_READER);
      await contacts.delete(id);
      const object = { kind: "contact", id: publicId, name: publicId } as const;
      return { response: undefined, change: { action: "delete", object, before } };
    });
  }
}

/** @returns false when there are few, which are left as they are */
async function eraseSomeOfMany(events: EventsRepository, contactId: number): Promise<boolean> {
  const ids = await events.idsOfContact(contactId, EVENTS_AT_ONCE + 1);
  if (ids.length <= EVENTS_AT_ONCE) return false;
  await events.update(ids.slice(0, EVENTS_AT_ONCE), ERASED_READER);
  return true;
}
