/** Contacts who agreed to marketing, in the columns that newsletter programs import. */
import { isoTime } from "../../lib/time.ts";
import type {
  ContactsExport,
  ContactsExportFilter,
  Subscriber,
} from "../../repositories/exports/contacts-export.ts";
import type { NewsletterFormat } from "../../schemas/contacts.schemas.ts";
import type { CsvCell, CsvPage } from "../shared/results.ts";

/** Contacts scanned per page. */
const PAGE_ROWS = 500;

interface Columns {
  names: readonly string[];
  /** @param hasLetters whether it says that addresses are confirmed */
  cellsOf(subscriber: Subscriber, hasLetters: boolean): CsvCell[];
}

const formatName = ({ firstName, lastName }: Subscriber): string => `${firstName} ${lastName}`.trim();

const attributesOf = (
  { country, languageCode, textVersion, givenAt, verifiedAt }: Subscriber,
  hasLetters: boolean,
): string =>
  JSON.stringify({
    country,
    languageCode,
    marketingTextVersion: textVersion,
    marketingAt: isoTime(givenAt),
    ...(hasLetters && { confirmed: verifiedAt !== null }),
  });

export const NEWSLETTER_COLUMNS: Readonly<Record<NewsletterFormat, Columns>> = {
  listmonk: {
    names: ["email", "name", "attributes"],
    cellsOf: (subscriber, hasLetters) => [
      ...[subscriber.email, formatName(subscriber)],
      attributesOf(subscriber, hasLetters),
    ],
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
  filter: ContactsExportFilter,
  format: NewsletterFormat,
): AsyncGenerator<CsvPage, void> {
  let after: number | undefined;
  do {
    const upTo = await contacts.findPageEnd(PAGE_ROWS, filter, after);
    const subscribers = await contacts.subscribers(filter, { after, upTo });
    yield subscribers.map((each) => NEWSLETTER_COLUMNS[format].cellsOf(each, filter.hasLetters));
    after = upTo;
  } while (after !== undefined);
}
