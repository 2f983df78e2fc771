/** A million contacts, of whom half have agreed to something. */
import { dirname } from "node:path";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { isoTime } from "../../src/lib/time.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;
const NAMES = ["Sara", "Müller", "José", "Иван", "Wei", "Fatima", "=Ben", 'Ann "Annie"', "Núria, jr.", "حسن"];
const COUNTRIES = ["Germany", "", "Kenya", "", "Brazil"];

function createContactRow(number: number) {
  const tail = String(number).padStart(12, "0");
  const firstDownloadAt = START + number * MINUTE;
  return {
    publicId: `01a1fb60-1a34-772b-a309-${tail}`,
    email: `reader${number}@example.org`,
    firstName: NAMES[number % NAMES.length] ?? "",
    lastName: `Surname ${number % 5000}`,
    phone: number % 3 === 0 ? `+49 30 ${tail}` : "",
    country: COUNTRIES[number % COUNTRIES.length] ?? "",
    firstDownloadAt,
    lastDownloadAt: firstDownloadAt + (number % 100) * MINUTE,
    totalDownloads: 1 + (number % 20),
  };
}

/** Of every other contact: true and false in turn. */
const marketingOf = (number: number): boolean | undefined =>
  number % 2 === 1 ? number % 4 === 1 : undefined;
const CONSENT = ["2026-01", "es"] as const;

/** A contact as it goes out. */
export function createExportedContact(number: number): (string | number | null)[] {
  const { firstDownloadAt, lastDownloadAt, totalDownloads, ...texts } = createContactRow(number);
  const last = isoTime(lastDownloadAt);
  const marketing = marketingOf(number);
  const state = marketing ? "agreed" : "declined";
  const consent =
    marketing === undefined ? [null, null, null, null, null] : [`${marketing}`, ...CONSENT, last, state];
  return [...Object.values(texts), isoTime(firstDownloadAt), last, totalDownloads, ...consent];
}

/** Makes the database at `file`, which isn't there yet. */
export async function generateContacts(file: string, contacts: number): Promise<void> {
  await (await openSqlite(file, dirname(file))).close();
  addContacts(file, 0, contacts);
}

/** @param first the number of the first one @param end that after the last one */
export function addContacts(file: string, first: number, end: number): void {
  const connection = openWriter(file);
  const addContact = connection.prepare(
    `insert into contacts (publicId, email, firstName, lastName, phone, country, firstDownloadAt, lastDownloadAt, totalDownloads, searchText)
     values (:publicId, :email, :firstName, :lastName, :phone, :country, :firstDownloadAt, :lastDownloadAt, :totalDownloads, lower(:email))`,
  );
  const addConsent = connection.prepare(
    "insert into consents (id, contactId, marketing, textVersion, languageCode, givenAt) values (?, ?, ?, ?, ?, ?)",
  );
  connection.exec("begin");
  for (let number = first; number < end; number += 1) {
    const row = createContactRow(number);
    const { lastInsertRowid: id } = addContact.run(row);
    const marketing = marketingOf(number);
    if (marketing !== undefined)
      addConsent.run(row.publicId, id, Number(marketing), ...CONSENT, row.lastDownloadAt);
  }
  connection.exec("commit");
  connection.close();
}
