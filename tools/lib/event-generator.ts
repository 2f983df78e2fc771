/** Makes years of downloads: skewed as readers are, the same for the same seed, written past all repositories. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Insertable } from "kysely";
import type { Schema } from "../../src/db/schema.ts";
import { type Connection, openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { BOOK_TEXTS } from "./catalogue-generator.ts";
import { createSeededRandom } from "./seeded-random.ts";

export const EVENTS = 5_000_000;
/** Their addresses are `reader0@example.org` and so on. */
export const CONTACTS = 400_000;
const BOOKS = 200;
const LANGUAGES = 60;
const COUNTRIES = 120;
/** Of each language, one after the other. */
const ARCHIVES_PER_LANGUAGE = 4;
const FROM = Date.UTC(2023, 0, 1);
const UNTIL = Date.UTC(2026, 0, 1);
const SEED = 1;

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

/** Numbers from 0 up to 1, the same for the same seed. */
function createChance(seed: number): () => number {
  const roll = createSeededRandom(seed);
  return () => roll(2 ** 30) / 2 ** 30;
}

const idOf = (kind: string, number: number): string =>
  `01a1fb60-1a34-7${kind}-a309-${number.toString(16).padStart(12, "0")}`;
export const bookIdOf = (number: number): string => idOf("b00", number);
export const countryOf = (number: number): string =>
  String.fromCharCode(65 + Math.floor(number / 26), 65 + (number % 26));
const languageOf = (number: number) => ({
  languageName: `Language ${number}`,
  languageCode: `q${countryOf(number).toLowerCase()}`,
});
const archiveIdOf = (number: number): string => number.toString(16).padStart(64, "0");

/** Makes the database at `file`, which isn't there yet, with three years of events in it. */
export async function generateEvents(file: string, events = EVENTS): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await (await openSqlite(file, dirname(file))).close();
  const connection = openWriter(file);
  // All in one transaction, which nothing needs to undo; the indexes are made in the end.
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
  writeCatalogue(connection);
  writeEvents(connection, events);
  for (const { sql } of indexes) connection.exec(sql);
  writeContacts(connection);
  connection.exec("commit");
  connection.pragma("journal_mode = wal");
  connection.close();
}

/** A statement that inserts a row given as a list of values. */
function createInserter(connection: Connection, table: string, columns: string) {
  const places = columns.split(",").map(() => "?");
  return connection.prepare<unknown[]>(`insert into ${table} (${columns}) values (${places.join(",")})`);
}

function writeCatalogue(connection: Connection): void {
  const addBook = createInserter(
    connection,
    "books",
    "id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt",
  );
  for (let book = 0; book < BOOKS; book += 1) {
    addBook.run(bookIdOf(book), `book-${book}`, `Book ${book}`, "", book, 0, 1, `book ${book}`, FROM, FROM);
  }
  connection.exec(BOOK_TEXTS);
  const addLanguage = createInserter(
    connection,
    "languages",
    "id, code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt",
  );
  const addArchive = createInserter(
    connection,
    "archives",
    "id, languageId, booksCount, filesCount, totalBytes, createdAt",
  );
  const addMember = createInserter(connection, "archive_books", "archiveId, bookId");
  for (let language = 0; language < LANGUAGES; language += 1) {
    const { languageCode: code, languageName: name } = languageOf(language);
    addLanguage.run(language + 1, code, code, name, name, "ltr", 0, 1, FROM, FROM);
    for (let version = 0; version < ARCHIVES_PER_LANGUAGE; version += 1) {
      const archive = language * ARCHIVES_PER_LANGUAGE + version;
      const members = listBooks(archive);
      const createdAt = FROM + ((UNTIL - FROM) * version) / ARCHIVES_PER_LANGUAGE;
      addArchive.run(archiveIdOf(archive), language + 1, members.length, members.length, 1e9, createdAt);
      for (const book of members) addMember.run(archiveIdOf(archive), bookIdOf(book));
    }
  }
}

/** About half of the books, other ones in each archive. */
function listBooks(archive: number): number[] {
  const chance = createChance(archive + 1);
  return Array.from({ length: BOOKS }, (_, book) => book).filter((book) => book === 0 || chance() < 0.5);
}

/** With the columns of the first. */
function writeEvents(connection: Connection, events: number): void {
  const next = createEventRows(events);
  const first = next(0);
  const add = createInserter(connection, "download_events", Object.keys(first).join());
  add.run(Object.values(first));
  for (let event = 1; event < events; event += 1) add.run(Object.values(next(event)));
}

/** Makes the row of an event; events come in the order of their times. */
function createEventRows(events: number) {
  const chance = createChance(SEED);
  const skewed = (count: number) => Math.floor(count * chance() ** 2);
  const deliver = createDeliveries(chance);
  const homes = Array.from({ length: CONTACTS }, () => [skewed(LANGUAGES), skewed(COUNTRIES)]);
  return (event: number): Insertable<Schema["download_events"]> => {
    const progress = (event + chance()) / events;
    const at = Math.floor(FROM + (UNTIL - FROM) * progress);
    const contact = skewed(CONTACTS);
    const [home = 0, homeCountry = 0] = homes[contact] ?? [];
    const language = chance() < FAITHFUL_SHARE ? home : skewed(LANGUAGES);
    const country = chance() < FAITHFUL_SHARE ? homeCountry : skewed(COUNTRIES);
    const contactId = chance() < ERASED_SHARE ? null : contact + 1;
    const delivered = deliver(language, progress);
    return {
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
      ...createDevices(chance),
      referrer: "https://books.example.org/",
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
      isBot: chance() < BOT_SHARE ? 1 : 0,
    };
  };
}

/** What a reader gets: all books of the language as they are then, or one of all. */
function createDeliveries(chance: () => number) {
  const counts = Array.from(
    { length: LANGUAGES * ARCHIVES_PER_LANGUAGE },
    (_, archive) => listBooks(archive).length,
  );
  return (language: number, progress: number) => {
    if (chance() >= ALL_BOOKS_SHARE) return oneBook(Math.floor(BOOKS * chance() ** 2));
    const version = Math.floor(progress * ARCHIVES_PER_LANGUAGE) % ARCHIVES_PER_LANGUAGE;
    const archive = language * ARCHIVES_PER_LANGUAGE + version;
    return allBooks(archiveIdOf(archive), counts[archive] ?? 0);
  };
}

function createDevices(chance: () => number) {
  const deviceType = DEVICES[Math.floor(chance() * DEVICES.length)] ?? "other";
  const browser = BROWSERS[Math.floor(chance() * BROWSERS.length)] ?? BROWSERS[0];
  const [browserName, browserVersion, osName, osVersion] = browser;
  return { deviceType, browserName, browserVersion, osName, osVersion };
}

type Delivery = Pick<
  Schema["download_events"],
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

function writeContacts(connection: Connection): void {
  const add = createInserter(
    connection,
    "contacts",
    "id, publicId, email, firstName, lastName, phone, country, searchText, firstDownloadAt, lastDownloadAt, totalDownloads",
  );
  for (let contact = 0; contact < CONTACTS; contact += 1) {
    const [email, name] = [`reader${contact}@example.org`, `Sara ${contact}`];
    const searchText = `${email} ${name}`.toLowerCase();
    add.run(contact + 1, idOf("c00", contact), email, name, "Reader", "", "", searchText, FROM, UNTIL, 12);
  }
}
