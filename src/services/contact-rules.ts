/** Contacts: a stranger who names a known e-mail can fill what is empty, and change nothing. */
import type { ContactsTable } from "../db/schema.ts";
import { foldForSearch } from "../lib/text.ts";
import type { ContactForm } from "../schemas/public.schemas.ts";

export function newContact(id: string, form: ContactForm, now: number): ContactsTable {
  const { email, firstName, lastName, phone, country } = form;
  return {
    id,
    email,
    firstName,
    lastName,
    phone,
    country,
    searchText: searchTextOf(form),
    firstDownloadAt: now,
    lastDownloadAt: now,
    totalDownloads: 1,
  };
}

export function contactChange(known: ContactsTable, form: ContactForm, now: number): Partial<ContactsTable> {
  const filled = {
    firstName: known.firstName || form.firstName,
    lastName: known.lastName || form.lastName,
    phone: known.phone || form.phone,
    country: known.country || form.country,
  };
  return {
    ...filled,
    searchText: searchTextOf({ ...filled, email: known.email }),
    lastDownloadAt: now,
    totalDownloads: known.totalDownloads + 1,
  };
}

const searchTextOf = ({ email, firstName, lastName, phone }: Omit<ContactForm, "country">): string =>
  foldForSearch(`${firstName} ${lastName}\n${email}\n${phone}`);
