/** Erases a person: contact and consents go, and the events stay without whom they were by. */
import type { Author } from "../repositories/change.ts";
import type { ContactsRepository } from "../repositories/contacts.repository.ts";
import type { EventsRepository } from "../repositories/events.repository.ts";
import type { ChangeRecords, WriteRecords } from "../repositories/index.ts";
import { contactByPublicId, ERASED_READER } from "./contact-rules.ts";

/** Events that are changed in one transaction: they lie far apart, and a disk may have to be asked for each. */
const EVENTS_AT_ONCE = 25;

export class ContactErasure {
  readonly #contacts: ContactsRepository;
  readonly #write: WriteRecords;
  readonly #change: ChangeRecords;

  constructor(uses: { contacts: ContactsRepository; write: WriteRecords; change: ChangeRecords }) {
    this.#contacts = uses.contacts;
    this.#write = uses.write;
    this.#change = uses.change;
  }

  /**
   * One transaction for whoever has few events. Of many, all but the last lose their reader before it: when that is cut
   * short the contact is still there, and the next try goes on.
   */
  async erase(by: Author, publicId: string): Promise<void> {
    const { id } = await contactByPublicId(this.#contacts, publicId);
    while (await this.#write(({ events }) => eraseSomeOfMany(events, id)));
    await this.#change(by, async ({ contacts, events }) => {
      const before = await contactByPublicId(contacts, publicId);
      // Those that have come in between.
      while (await eraseSomeOfMany(events, id));
      await events.update(await events.idsOfContact(id, EVENTS_AT_ONCE), ERASED_READER);
      await contacts.delete(id);
      const object = { kind: "contact", id: publicId, name: publicId } as const;
      return { answer: undefined, change: { action: "delete", object, before } };
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
