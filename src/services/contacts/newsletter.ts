/** Contacts who agreed to marketing, in the columns that newsletter programs import. */
import { isoTime } from "../../lib/time.ts";
import type { ContactFilter } from "../../repositories/contacts-list.ts";
import type { ContactsExport, Subscriber } from "../../repositories/exports/contacts-export.ts";
import type { NewsletterFormat } from "../../schemas/contacts.schemas.ts";
import type { CsvCell, CsvPage } from "../shared/results.ts";

/** Contacts scanned per page. */
const PAGE_ROWS = 500;

interface Columns {
  names: readonly string[];
  cellsOf(subscriber: Subscriber): CsvCell[];
}

const formatName = ({ firstName, lastName }: Subscriber): string => `${firstName} ${lastName}`.trim();

const attributesOf = ({ country, languageCode, textVersion, givenAt }: Subscriber): string =>
  JSON.stringify({
    country,
    languageCode,
    marketingTextVersion: textVersion,
    marketingAt: isoTime(givenAt),
  });

export const NEWSLETTER_COLUMNS: Readonly<Record<NewsletterFormat, Columns>> = {
  listmonk: {
    names: ["email", "name", "attributes"],
    cellsOf: (subscriber) => [subscriber.email, formatName(subscriber), attributesOf(subscriber)],
  },
  mailchimp: {
    names: ["Email Address", "First Name", "Last Name", "Phone Number", "Tags"],
    cellsOf: ({ email, firstName, lastName, phone, languageCode }) => [
      ...[email, firstName, lastName, phone],
      languageCode,
    ],
  },
};

/** Each page is read when it is requested, newest contact first. */
export async function* newsletterPages(
  contacts: ContactsExport,
  filter: ContactFilter,
  format: NewsletterFormat,
): AsyncGenerator<CsvPage, void> {
  let after: number | undefined;
  do {
    const upTo = await contacts.findPageEnd(PAGE_ROWS, filter, after);
    const subscribers = await contacts.subscribers(filter, { after, upTo });
    yield subscribers.map(NEWSLETTER_COLUMNS[format].cellsOf);
    after = upTo;
  } while (after !== undefined);
}
