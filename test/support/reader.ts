import type { EventRow } from "../../src/repositories/events.repository.ts";
import type { TestApp } from "./app.ts";
import { bodyOf, type Client } from "./client.ts";
import { contact } from "./factory.ts";

/** What browsers and others say of themselves. */
export const AGENTS = {
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  googlebot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  curl: "curl/8.5.0",
  wget: "Wget/1.21.4",
};

/** What the service reads from two of them. */
export const CHROME = {
  deviceType: "desktop",
  browserName: "Chrome",
  browserVersion: "126.0.0.0",
  osName: "Windows",
  osVersion: "10",
};
export const IPHONE = {
  deviceType: "mobile",
  browserName: "Mobile Safari",
  browserVersion: "17.5",
  osName: "iOS",
  osVersion: "17.5",
};

/** Asks for one book. @returns the path of the link */
export async function linkTo(api: Client, request: Record<string, unknown>): Promise<string> {
  return (await bodyOf(api.post("/api/download/submit", { contact, ...request }))).downloadUrl;
}

/** Asks for everything in a language. @returns the path of the link */
export async function linkToAll(api: Client, languageCode: string, asks = contact): Promise<string> {
  return (await bodyOf(api.post("/api/download/submit-all", { contact: asks, languageCode }))).downloadUrl;
}

type App = Pick<TestApp, "container">;

/** All events, the oldest first. */
export const listEvents = ({ container: { database } }: App): Promise<EventRow[]> =>
  database.read.selectFrom("download_events").selectAll().orderBy("id").execute();

export async function findOnlyEvent(app: App): Promise<EventRow> {
  const events = await listEvents(app);
  const [event] = events;
  if (!event || events.length > 1) throw new Error(`There are ${events.length} events`);
  return event;
}

export const listContacts = ({ container: { database } }: App) =>
  database.read.selectFrom("contacts").selectAll().orderBy("email").execute();

/** How often each file was delivered, by its id. */
export async function downloadCounts({ container: { database } }: App): Promise<Record<string, number>> {
  const rows = await database.read.selectFrom("book_files").select(["id", "downloadCount"]).execute();
  return Object.fromEntries(rows.map(({ id, downloadCount }) => [id, downloadCount]));
}
