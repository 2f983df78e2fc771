/** The columns between starts: what is written of them, and how they come back. */
import { z } from "zod";
import { Dictionary } from "./dictionary.ts";
import { EventColumns } from "./event-columns.ts";
import { Items } from "./items.ts";

/** To be raised whenever the same header and columns would mean something else. */
const VERSION = 3;

const item = z.object({
  key: z.string(),
  booksCount: z.int(),
  isAlone: z.boolean(),
  members: z.array(z.int()),
});

const columnsHeader = z.object({
  version: z.literal(VERSION),
  rows: z.int(),
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
  const { base, items, languages, countries, devices, earliest, latest } = columns;
  const header: ColumnsHeader = {
    version: VERSION,
    rows: base.length,
    books: [...items.books.words],
    items: [...items.list].map(({ members, ...rest }) => ({ ...rest, members: [...members] })),
    languages: [...languages.words],
    countries: [...countries.words],
    devices: [...devices.words],
    earliest,
    latest,
  };
  return { header, lists: base.columns.map((column) => column.subarray(0, base.length)) };
}

/**
 * The columns that a header is about, with room for their rows: `base.columns` are to be filled as they were written.
 * @throws ZodError when another version has written the header
 */
export function columnsFrom(written: unknown, options: { deltaRows?: number | undefined }): EventColumns {
  const { rows, books, items, languages, countries, devices, earliest, latest } =
    columnsHeader.parse(written);
  const columns = new EventColumns(options);
  columns.items = new Items(books, items);
  columns.languages = new Dictionary(languages);
  columns.countries = new Dictionary(countries);
  columns.devices = new Dictionary(devices);
  columns.hold("items", items.length - 1);
  columns.hold("languages", languages.length - 1);
  columns.hold("countries", countries.length - 1);
  columns.hold("devices", devices.length - 1);
  columns.base.reserve(rows);
  columns.base.length = rows;
  columns.earliest = earliest;
  columns.latest = latest;
  return columns;
}
