/** The columns between starts: what is written of them, and how they come back. */
import { z } from "zod";
import { ContactNumbers, roomForIds } from "./contact-numbers.ts";
import { Dictionary } from "./dictionary.ts";
import { EventColumns, MOST_DEVICES } from "./event-columns.ts";
import { Items } from "./items.ts";

/** To be raised whenever the same header and columns would mean something else. */
const VERSION = 2;

const item = z.object({
  key: z.string(),
  booksCount: z.int(),
  isAlone: z.boolean(),
  members: z.array(z.int()),
});

const columnsHeader = z.object({
  version: z.literal(VERSION),
  rows: z.int(),
  contacts: z.int(),
  otherContacts: z.array(z.tuple([z.string(), z.int()])),
  books: z.array(z.string()),
  items: z.array(item),
  languages: z.array(z.int()),
  countries: z.array(z.string().nullable()),
  devices: z.array(z.string()),
  earliest: z.int(),
  latest: z.int(),
});
type ColumnsHeader = z.infer<typeof columnsHeader>;

/** What is to be written of columns whose delta is empty. */
export function snapshotOf(columns: EventColumns) {
  const { base, contacts, items, languages, countries, devices, earliest, latest } = columns;
  const header: ColumnsHeader = {
    version: VERSION,
    rows: base.length,
    contacts: contacts.size,
    otherContacts: contacts.others,
    books: [...items.books.words],
    items: [...items.list].map(({ members, ...rest }) => ({ ...rest, members: [...members] })),
    languages: [...languages.words],
    countries: [...countries.words],
    devices: [...devices.words],
    ...{ earliest, latest },
  };
  return { header, lists: [contacts.ids, ...base.columns.map((column) => column.subarray(0, base.length))] };
}

/**
 * Lists to be filled, in the order in which they were written, and the columns when that is done.
 * @throws ZodError when another version has written the header
 */
export function restoring(written: unknown, options: { deltaRows?: number | undefined }) {
  const header = columnsHeader.parse(written);
  const ids = roomForIds(header.contacts);
  const columns = new EventColumns(options);
  columns.base.reserve(header.rows);
  columns.base.length = header.rows;
  return {
    lists: [ids, ...columns.base.columns],
    finish(): EventColumns {
      columns.contacts = new ContactNumbers(ids, header.otherContacts);
      columns.items = new Items(header.books, header.items);
      columns.languages = new Dictionary(header.languages);
      columns.countries = new Dictionary(header.countries);
      columns.devices = new Dictionary(header.devices, MOST_DEVICES);
      columns.earliest = header.earliest;
      columns.latest = header.latest;
      return columns;
    },
  };
}
