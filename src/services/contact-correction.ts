/** Corrects a contact, and settles what counts of their consents. */
import type { Clock } from "../adapters/clock.ts";
import { givenFields } from "../lib/objects.ts";
import type { Author } from "../repositories/change.ts";
import type { ConsentRow } from "../repositories/consents.repository.ts";
import type { ContactRow } from "../repositories/contacts.repository.ts";
import type { ChangeRecords } from "../repositories/index.ts";
import type { Contact, ContactUpdate } from "../schemas/contacts.schemas.ts";
import { invalidField } from "./catalogue-lookup.ts";
import type { ConsentLedger, Statement } from "./consent-ledger.ts";
import { presentContact } from "./contact-presenters.ts";
import { contactByPublicId, contactTexts } from "./contact-rules.ts";

export class ContactCorrection {
  readonly #change: ChangeRecords;
  readonly #ledger: ConsentLedger;
  readonly #clock: Clock;

  constructor(deps: { change: ChangeRecords; ledger: ConsentLedger; clock: Clock }) {
    this.#change = deps.change;
    this.#ledger = deps.ledger;
    this.#clock = deps.clock;
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
    const row = await this.#change(by, async ({ contacts, consents }) => {
      const before = await contactByPublicId(contacts, publicId);
      const corrected = { ...before, ...givenFields(given) };
      const after = { ...corrected, ...contactTexts(corrected) };
      await contacts.update(before.id, after);
      const object = { kind: "contact", id: publicId, name: publicId } as const;
      if (marketing === undefined) {
        return { answer: after, change: { action: "update", object, before, after } };
      }
      const known = await consents.listOf(before.id);
      const decision = this.#decision(by, before, { marketing, textVersion, known });
      await this.#ledger.add(consents, decision, this.#clock.now());
      const states = {
        before: { ...before, consent: known.at(-1) ?? null },
        after: { ...after, consent: decision },
      };
      return { answer: after, change: { action: "update", object, ...states } };
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
    const agreed = known.findLast((row) => row.marketing === 1 && this.#ledger.isKnownText(row.textVersion));
    const text = textVersion ?? (marketing ? agreed : last)?.textVersion;
    if (marketing && text === undefined) {
      throw invalidField(
        "textVersion",
        "is needed: this contact has agreed to no text that counts",
        "text_version_needed",
      );
    }
    if (marketing && text !== undefined && !this.#ledger.isKnownText(text)) {
      const message = `must be one of CONSENT_TEXT_VERSIONS: a yes to “${text}” doesn't count`;
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
