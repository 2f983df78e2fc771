/** Makes years of downloads: skewed as readers are, the same for the same seed, written past all repositories. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Insertable } from "kysely";
import { type Connection, openWriter } from "../../src/db/connection.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { DownloadEventsTable } from "../../src/db/schema.ts";

export interface EventWorld {
  events: number;
  contacts: number;
  books: number;
  languages: number;
  countries: number;
  /** Of each language, one after the other. */
  archivesPerLanguage: number;
  /** Epoch milliseconds. */
  from: number;
  until: number;
  seed: number;
}

export const THREE_YEARS: EventWorld = {
  events: 5_000_000,
  contacts: 400_000,
  books: 200,
  languages: 60,
  countries: 120,
  archivesPerLanguage: 4,
  from: Date.UTC(2023, 0, 1),
  until: Date.UTC(2026, 0, 1),
  seed: 1,
};

const ALL_BOOKS_SHARE = 0.1;
const REDEEMED_SHARE = 0.7;
const BOT_SHARE = 0.05;
/** Of events whose contact has been erased. */
const ERASED_SHARE = 0.02;
/** How often somebody stays with the language and the country of their own. */
const FAITHFUL_SHARE = 0.85;

const DEVICES = ["mobile", "desktop", "mobile", "desktop", "mobile", "tablet", "tv", "other"];
const BROWSERS = [
  ["Chrome", "141.0.0.0", "Android", "15"],
  ["Firefox", "143.0", "Linux", "x86_64"],
  ["Mobile Safari", "18.6", "iOS", "18.6"],
  ["Edge", "141.0.0.0", "Windows", "10"],
] as const;

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const idOf = (kind: string, number: number): string =>
  `01a1fb60-1a34-7${kind}-a309-${number.toString(16).padStart(12, "0")}`;
export const bookIdOf = (number: number): string => idOf("b00", number);
const emailOf = (contact: number): string => `reader${contact}@example.org`;
export const countryOf = (number: number): string =>
  String.fromCharCode(65 + Math.floor(number / 26), 65 + (number % 26));
const languageOf = (number: number) => ({
  languageName: `Language ${number}`,
  languageCode: `q${countryOf(number).toLowerCase()}`,
});
const archiveIdOf = (number: number): string => number.toString(16).padStart(64, "0");

/** Of the events, when the indexes are made. The others are added to them: then pages are as full as on a machine at work. */
const INDEXED_AT_ONCE = 0.7;

/** Makes the database at `file`, which isn't there yet, with a world in it. */
export async function generateEvents(file: string, world: EventWorld = THREE_YEARS): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await (await openDatabase(file, dirname(file))).close();
  const connection = openWriter(file);
  // All in one transaction, which nothing needs to undo; the events after the indexes go to pages all over them.
  connection.pragma("journal_mode = off");
  connection.pragma("cache_size = -400000");
  connection.pragma("foreign_keys = off");
  const indexes = connection
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'index' and tbl_name = 'download_events' and sql is not null",
    )
    .all();
  connection.exec("begin immediate");
  for (const { name } of indexes) connection.exec(`drop index ${name}`);
  writeCatalogue(connection, world);
  const events = eventsWriter(connection, world);
  events.write(Math.floor(INDEXED_AT_ONCE * world.events));
  for (const { sql } of indexes) connection.exec(sql);
  events.write(world.events);
  writeContacts(connection, events.facts, world);
  connection.exec("commit");
  connection.pragma("journal_mode = wal");
  connection.close();
}

/** A statement that inserts a row given as a list of values. */
function inserter(connection: Connection, table: string, columns: string) {
  const places = columns.split(",").map(() => "?");
  return connection.prepare<unknown[]>(`insert into ${table} (${columns}) values (${places.join(",")})`);
}

function writeCatalogue(connection: Connection, world: EventWorld): void {
  const { books, languages, archivesPerLanguage, from, until } = world;
  const addBook = inserter(
    connection,
    "books",
    "id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt",
  );
  for (let book = 0; book < books; book += 1) {
    addBook.run(bookIdOf(book), `book-${book}`, `Book ${book}`, "", book, 0, 1, `book ${book}`, from, from);
  }
  const addLanguage = inserter(
    connection,
    "languages",
    "id, code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt",
  );
  const addArchive = inserter(
    connection,
    "archives",
    "id, languageId, booksCount, filesCount, totalBytes, createdAt",
  );
  const addMember = inserter(connection, "archive_books", "archiveId, bookId");
  for (let language = 0; language < languages; language += 1) {
    const { languageCode: code, languageName: name } = languageOf(language);
    addLanguage.run(language + 1, code, code, name, name, "ltr", 0, 1, from, from);
    for (let version = 0; version < archivesPerLanguage; version += 1) {
      const archive = language * archivesPerLanguage + version;
      const members = booksIn(archive, books);
      const createdAt = from + ((until - from) * version) / archivesPerLanguage;
      addArchive.run(archiveIdOf(archive), language + 1, members.length, members.length, 1e9, createdAt);
      for (const book of members) addMember.run(archiveIdOf(archive), bookIdOf(book));
    }
  }
}

/** About half of the books, other ones in each archive. */
function booksIn(archive: number, books: number): number[] {
  const chance = chanceFrom(archive + 1);
  return Array.from({ length: books }, (_, book) => book).filter((book) => book === 0 || chance() < 0.5);
}

interface ContactFacts {
  first: Float64Array;
  last: Float64Array;
  downloads: Uint32Array;
}

/** Inserts events as `eventsOf` makes them, with the columns of the first. */
function eventInserter(connection: Connection): (row: Insertable<DownloadEventsTable>) => void {
  let add: ReturnType<typeof inserter> | undefined;
  return (row) => {
    add ??= inserter(connection, "download_events", Object.keys(row).join());
    add.run(Object.values(row));
  };
}

function eventsWriter(connection: Connection, world: EventWorld) {
  const add = eventInserter(connection);
  const facts: ContactFacts = {
    first: new Float64Array(world.contacts),
    last: new Float64Array(world.contacts),
    downloads: new Uint32Array(world.contacts),
  };
  const next = eventsOf(world);
  let event = 0;
  return {
    facts,
    /** Goes on until there are so many. */
    write(events: number): void {
      for (; event < events; event += 1) {
        const { contact, at, row } = next(event);
        add(row);
        facts.first[contact] ||= at;
        facts.last[contact] = at;
        facts.downloads[contact] = (facts.downloads[contact] ?? 0) + 1;
      }
    },
  };
}

/** Makes the row of an event; events come in the order of their times. */
function eventsOf(world: EventWorld) {
  const chance = chanceFrom(world.seed);
  const skewed = (count: number) => Math.floor(count * chance() ** 2);
  const deliver = deliveriesOf(world, chance);
  const homes = Array.from({ length: world.contacts }, () => [
    skewed(world.languages),
    skewed(world.countries),
  ]);
  return (event: number) => {
    const progress = (event + chance()) / world.events;
    const at = Math.floor(world.from + (world.until - world.from) * progress);
    const contact = skewed(world.contacts);
    const [home = 0, homeCountry = 0] = homes[contact] ?? [];
    const language = chance() < FAITHFUL_SHARE ? home : skewed(world.languages);
    const country = chance() < FAITHFUL_SHARE ? homeCountry : skewed(world.countries);
    const contactId = chance() < ERASED_SHARE ? null : contact + 1;
    const delivered = deliver(language, progress);
    const row: Insertable<DownloadEventsTable> = {
      downloadedAt: at,
      redeemedAt: chance() < REDEEMED_SHARE ? at + 5000 : null,
      contactId,
      ...delivered,
      fileId: delivered.bookId,
      languageId: language + 1,
      ...languageOf(language),
      ipAddress: contactId === null ? null : `203.0.${contact % 256}.${(contact >>> 8) % 256}`,
      countryCode: countryOf(country),
      countryName: `Country ${country}`,
      city: `City ${contact % 1000}`,
      ...deviceBy(chance),
      referrer: "https://books.example.org/",
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
      isBot: chance() < BOT_SHARE ? 1 : 0,
    };
    return { contact, at, row };
  };
}

/** What a reader gets: all books of the language as they are then, or one of all. */
function deliveriesOf({ languages, archivesPerLanguage, books }: EventWorld, chance: () => number) {
  const counts = Array.from(
    { length: languages * archivesPerLanguage },
    (_, archive) => booksIn(archive, books).length,
  );
  return (language: number, progress: number) => {
    if (chance() >= ALL_BOOKS_SHARE) return oneBook(Math.floor(books * chance() ** 2));
    const version = Math.floor(progress * archivesPerLanguage) % archivesPerLanguage;
    const archive = language * archivesPerLanguage + version;
    return allBooks(archiveIdOf(archive), counts[archive] ?? 0);
  };
}

function deviceBy(chance: () => number) {
  const deviceType = DEVICES[Math.floor(chance() * DEVICES.length)] ?? "other";
  const browser = BROWSERS[Math.floor(chance() * BROWSERS.length)] ?? BROWSERS[0];
  const [browserName, browserVersion, osName, osVersion] = browser;
  return { deviceType, browserName, browserVersion, osName, osVersion };
}

type Delivery = Pick<
  DownloadEventsTable,
  "isDownloadAll" | "booksCount" | "bookId" | "archiveId" | "bookTitle" | "fileType" | "fileName"
>;

const oneBook = (book: number): Delivery => ({
  isDownloadAll: 0,
  booksCount: 1,
  bookId: bookIdOf(book),
  archiveId: null,
  bookTitle: `Book ${book}`,
  fileType: "epub",
  fileName: `book-${book}.epub`,
});

const allBooks = (archiveId: string, booksCount: number): Delivery => ({
  isDownloadAll: 1,
  booksCount,
  bookId: null,
  archiveId,
  bookTitle: "All books",
  fileType: "zip",
  fileName: "books.zip",
});

/** Also those who never downloaded anything: they may yet. */
function writeContacts(
  connection: Connection,
  { first, last, downloads }: ContactFacts,
  { from }: EventWorld,
): void {
  const add = inserter(
    connection,
    "contacts",
    "id, publicId, email, firstName, lastName, phone, country, searchText, firstDownloadAt, lastDownloadAt, totalDownloads",
  );
  for (const [contact, count] of downloads.entries()) {
    const [email, name] = [emailOf(contact), `Sara ${contact}`];
    const searchText = `${email} ${name}`.toLowerCase();
    const times = [first[contact] || from, last[contact] || from];
    add.run(contact + 1, idOf("c00", contact), email, name, "Reader", "", "", searchText, ...times, count);
  }
}

if (import.meta.main) {
  const [file = "", events = THREE_YEARS.events] = process.argv.slice(2);
  await generateEvents(file, { ...THREE_YEARS, events: Number(events) });
}
