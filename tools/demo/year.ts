/** A made-up year of downloads that ends yesterday, so that the reports have something to show. */
import type { Insertable } from "kysely";
import type { Schema } from "../../src/db/schema.ts";
import { type Connection, openWriter } from "../../src/db/sqlite/connection.ts";
import { createContact } from "../../src/services/contacts/consent-ledger.ts";
import { createSeededRandom, type RandomInt } from "../lib/seeded-random.ts";

const DAY = 86_400_000;
const DAYS = 365;
const EVENTS = 20_000;
const CONTACTS = 2500;

/** Readers come more often from the earlier ones, and read the language. */
const HOMES = [
  { code: "KE", country: "Kenya", city: "Nairobi", reads: "en" },
  { code: "IN", country: "India", city: "Pune", reads: "hi" },
  { code: "EG", country: "Egypt", city: "Cairo", reads: "ar" },
  { code: "MX", country: "Mexico", city: "Oaxaca City", reads: "es" },
  { code: "TW", country: "Taiwan", city: "Taipei", reads: "zh" },
  { code: "SN", country: "Senegal", city: "Dakar", reads: "fr" },
  { code: "TZ", country: "Tanzania", city: "Arusha", reads: "en" },
  { code: "PE", country: "Peru", city: "Cusco", reads: "es" },
  { code: "MA", country: "Morocco", city: "Fes", reads: "ar" },
  { code: "US", country: "United States", city: "El Paso", reads: "es" },
  { code: "NP", country: "Nepal", city: "Pokhara", reads: "hi" },
  { code: "NG", country: "Nigeria", city: "Jos", reads: "en" },
  { code: "FR", country: "France", city: "Lyon", reads: "fr" },
  { code: "CO", country: "Colombia", city: "Cali", reads: "es" },
  { code: "DE", country: "Germany", city: "Leipzig", reads: "en" },
  { code: "AU", country: "Australia", city: "Darwin", reads: "en" },
] as const;
const NAMES = {
  en: ["Grace", "Daniel", "Amina", "Peter"],
  es: ["Lucía", "José", "Rosa", "Andrés"],
  ar: ["عمر", "فاطمة", "سارة", "يوسف"],
  zh: ["美玲", "志明", "淑芬", "建國"],
  hi: ["आशा", "अनिल", "प्रिया", "रवि"],
  fr: ["Amadou", "Fatou", "Claire", "Moussa"],
};
const DEVICES = [
  ["mobile", "Chrome", "141.0.0.0", "Android", "15"],
  ["mobile", "Mobile Safari", "18.6", "iOS", "18.6"],
  ["desktop", "Firefox", "143.0", "Windows", "10"],
  ["tablet", "Chrome", "141.0.0.0", "Android", "14"],
] as const;
const CAMPAIGNS = [
  [null, null, null],
  ["newsletter", "email", "reading-month"],
  ["poster", "qr", "libraries"],
] as const;
const CONSENT_TEXT = "2026-01";

/** A file that readers could have downloaded. */
export interface OfferedFile {
  fileId: string;
  bookId: string;
  bookTitle: string;
  fileType: string;
  fileName: string;
  languageId: number;
  languageName: string;
  languageCode: string;
}

/** The tables of a year. The same for the same day and files. */
export interface Year {
  contacts: (Insertable<Schema["contacts"]> & { id: number })[];
  events: (Insertable<Schema["download_events"]> & { id: number; fileId: string })[];
  consents: Insertable<Schema["consents"]>[];
}

type Home = (typeof HOMES)[number];

/** @param today the day after the last one, in UTC: `2026-03-08` */
export function createYear(files: readonly OfferedFile[], today: string): Year {
  const until = Date.parse(today);
  const roll = createSeededRandom(1 + (until / DAY) * 48_271);
  const homes = Array.from({ length: CONTACTS }, () => pick(HOMES, roll));
  const events = listTimes(until, roll).map((at, index) =>
    createEvent(index + 1, at, { files, homes, roll }),
  );
  const contacts = createContacts(events, homes);
  return { contacts, events, consents: createConsents(events, homes) };
}

/** Writes past the service, whose reports count what they find; it may be running. */
export function writeYear(database: string, { contacts, events, consents }: Year): void {
  const connection = openWriter(database);
  try {
    connection.transaction(() => {
      insert(connection, "contacts", contacts);
      insert(connection, "download_events", events);
      insert(connection, "consents", consents);
      const count = connection.prepare("update book_files set downloadCount = ? where id = ?");
      for (const [fileId, deliveries] of countDeliveries(events)) count.run(deliveries, fileId);
    })();
  } finally {
    connection.close();
  }
}

/** By file. */
function countDeliveries(events: Year["events"]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fileId, redeemedAt } of events)
    if (redeemedAt !== null) counts.set(fileId, (counts.get(fileId) ?? 0) + 1);
  return counts;
}

function insert(connection: Connection, table: string, rows: readonly object[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const places = columns.map((column) => `@${column}`);
  const add = connection.prepare(`insert into ${table} (${columns.join()}) values (${places.join()})`);
  for (const row of rows) add.run(row);
}

/** The earlier an item stands, the more often it is taken. @throws Error for an empty list */
function pick<Item>(list: readonly Item[], roll: RandomInt): Item {
  const item = list[Math.min(roll(list.length), roll(list.length))];
  if (item === undefined) throw new Error("there is nothing to pick");
  return item;
}

/** More and more over the year, and fewer at weekends; ascending. */
function listTimes(until: number, roll: RandomInt): number[] {
  const times: number[] = [];
  while (times.length < EVENTS) {
    const day = roll(4) > 0 ? Math.max(roll(DAYS), roll(DAYS)) : roll(DAYS);
    const at = until - (DAYS - day) * DAY + roll(DAY);
    if (new Date(at).getUTCDay() % 6 > 0 || roll(5) < 3) times.push(at);
  }
  return times.sort((one, other) => one - other);
}

interface Source {
  files: readonly OfferedFile[];
  /** By contact, whose ids begin with 1. */
  homes: readonly Home[];
  roll: RandomInt;
}

function createEvent(id: number, downloadedAt: number, { files, homes, roll }: Source) {
  const contact = Math.min(roll(CONTACTS), roll(CONTACTS));
  const { code, country, city, reads } = homes[contact] ?? HOMES[0];
  const known = files.filter(({ languageCode }) => languageCode === reads);
  // Some read another language than their neighbours.
  const file = pick(known.length > 0 && roll(8) > 0 ? known : files, roll);
  const [deviceType, browserName, browserVersion, osName, osVersion] = pick(DEVICES, roll);
  const [utmSource, utmMedium, utmCampaign] = pick(CAMPAIGNS, roll);
  return {
    id,
    downloadedAt,
    redeemedAt: roll(10) < 8 ? downloadedAt + 2000 + roll(60_000) : null,
    deliveredVersion: null,
    contactId: contact + 1,
    isDownloadAll: 0 as const,
    booksCount: 1,
    ...file,
    archiveId: null,
    ipAddress: null,
    countryCode: code,
    countryName: country,
    city,
    deviceType,
    browserName,
    browserVersion,
    osName,
    osVersion,
    referrer: "",
    utmSource,
    utmMedium,
    utmCampaign,
    isBot: 0 as const,
  };
}

type Event = ReturnType<typeof createEvent>;

const idOf = (kind: string, number: number): string =>
  `01a1fb60-1a34-7${kind}-a309-${number.toString(16).padStart(12, "0")}`;

/** Those who occur in the events, with the times and the number of their downloads. */
function createContacts(events: readonly Event[], homes: readonly Home[]): Year["contacts"] {
  const contacts = new Map<number, Year["contacts"][number]>();
  for (const { contactId: id, downloadedAt, countryName: country } of events) {
    const known = contacts.get(id);
    if (known) {
      known.lastDownloadAt = downloadedAt;
      known.totalDownloads += 1;
      continue;
    }
    const names = NAMES[homes[id - 1]?.reads ?? "en"];
    const firstName = names[id % names.length] ?? "";
    const form = { email: `reader${id}@example.org`, firstName, lastName: "", phone: "", country };
    contacts.set(id, { id, ...createContact(idOf("c00", id), form, downloadedAt) });
  }
  return [...contacts.values()];
}

/** With the first download of most, and more often for newsletters than against them. */
function createConsents(events: readonly Event[], homes: readonly Home[]): Year["consents"] {
  const firsts = new Map<number, Event>();
  for (const event of events) if (!firsts.has(event.contactId)) firsts.set(event.contactId, event);
  return [...firsts.values()]
    .filter(({ contactId }) => contactId % 4 > 0)
    .map(({ id, contactId, downloadedAt }) => ({
      id: idOf("d00", contactId),
      contactId,
      marketing: contactId % 4 === 1 ? (0 as const) : (1 as const),
      textVersion: CONSENT_TEXT,
      languageCode: homes[contactId - 1]?.reads ?? "en",
      givenAt: downloadedAt,
      repeatedAt: null,
      eventId: id,
      ipAddress: null,
      userId: null,
      userName: null,
    }));
}
