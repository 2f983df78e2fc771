/** Holds the event log, the contacts and their exports against what the readers of a day did. */
import { expect } from "vitest";
import type { Client } from "../client.ts";
import { contact } from "../factory.ts";
import { readCsv } from "../read-csv.ts";
import type { Deed } from "./replay.ts";
import { bodyOf, type CountedScene, type DayScene } from "./scene.ts";

/** Event by event, newest first. */
export async function expectLog({ admin, deeds, bots }: CountedScene): Promise<void> {
  const events = await allPages(admin, `/api/admin/analytics/downloads?${bots}`, "downloads");
  const expected = deeds.toReversed().map(eventOf);
  expect(events.map((event) => pick(event, expected[0] ?? {}))).toEqual(expected);
  const csv = await bodyOf(admin, `/api/admin/analytics/downloads/export?bom=0&${bots}`);
  const exported = expected.map(({ contactEmail, countryCode }) => [contactEmail, countryCode]);
  expect(columnsOf(csv, ["contactEmail", "countryCode"])).toEqual(exported);
}

function eventOf({ at, redeemedAt, bookId, seat, ...deed }: Deed) {
  return {
    downloadedAt: timeOf(at),
    redeemedAt: redeemedAt === null ? null : timeOf(redeemedAt),
    isDownloadAll: bookId === null ? 1 : 0,
    booksCount: deed.bookIds.length,
    bookTitle: deed.bookTitle,
    languageCode: deed.languageCode,
    utmSource: deed.utmSource,
    contactEmail: deed.email,
    contactFirstName: contact.firstName,
    ipAddress: seat.address,
    countryCode: seat.countryCode,
    city: "",
    deviceType: seat.deviceType,
    isBot: seat.deviceType === "bot" ? 1 : 0,
  };
}

/** Each with all requests that it ever made, and found by the countries of its form and of its events. */
export async function expectContacts({ admin, deeds }: DayScene): Promise<void> {
  const asked = Map.groupBy(deeds, ({ email }) => email);
  const contacts = await allPages(admin, "/api/admin/contacts", "contacts");
  const found = new Map(contacts.map(({ email, totalDownloads }) => [email, totalDownloads]));
  expect(found).toEqual(new Map([...asked].map(([email, requests]) => [email, requests.length])));
  const csv = await bodyOf(admin, "/api/admin/contacts/export?bom=0");
  expect(columnsOf(csv, ["email"]).flat().sort()).toEqual([...asked.keys()].sort());

  for (const [name, code] of [
    ["Kenya", "KE"],
    ["br", "BR"],
    ["Germany", "DE"],
    ["japan", "JP"],
    ["Narnia", "-"],
  ]) {
    const there = deeds.filter(({ country, seat }) => country === name || seat.countryCode === code);
    const page = await bodyOf(admin, `/api/admin/contacts?limit=1&country=${name}`);
    expect(page.pagination.total, name).toBe(new Set(there.map(({ email }) => email)).size);
  }
}

type Item = Record<string, unknown>;

async function allPages(admin: Client, path: string, name: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const separator = path.includes("?") ? "&" : "?";
    const body = await bodyOf(admin, `${path}${separator}limit=200&page=${page}`);
    items.push(...body[name]);
    if (page < body.pagination.totalPages) continue;
    expect(items.length).toBe(body.pagination.total);
    return items;
  }
}

function columnsOf(csv: Buffer, names: readonly string[]): (string | undefined)[][] {
  const [header = [], ...records] = readCsv(csv.toString());
  return records.map((record) => names.map((name) => record[header.indexOf(name)]));
}

/** The fields of an item that another one has. */
const pick = (item: Item, like: object): Item =>
  Object.fromEntries(Object.keys(like).map((name) => [name, item[name]]));

const timeOf = (at: number): string => new Date(at).toISOString();
