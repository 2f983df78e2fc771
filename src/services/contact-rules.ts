/** Contacts: a stranger who names a known e-mail can fill what is empty, and change nothing. */
import { notFound } from "../errors.ts";
import { digitsOf, foldForSearch, searchTextOf } from "../lib/text.ts";
import type { ContactRow, ContactsRepository } from "../repositories/contacts.repository.ts";
import type { ContactForm } from "../schemas/download-requests.schemas.ts";

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
  if (!row) throw notFound("contact_not_found", "There is no such contact.");
  return row;
}

/** What an old event loses. */
export const OLD_READER = { contactId: null, ipAddress: null };

/** What an event loses with its contact, or never has when it is redeemed later: the address of a page may name its reader. */
export const ERASED_READER = { ...OLD_READER, referrer: "" };

/** What a contact is found by: names, e-mail address, phone as written and in bare digits, country. */
export const contactTexts = ({ email, firstName, lastName, phone, country }: ContactForm) => {
  const texts = [`${firstName} ${lastName}`, email, phone, digitsOf(phone), country];
  return {
    searchText: searchTextOf([...new Set(texts)].filter((text) => text !== "")),
    countryText: foldForSearch(country),
  };
};
