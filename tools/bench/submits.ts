/** Durable submits a second over HTTP, against a bare better-sqlite3 loop of the same statements, one commit each. */
import { join } from "node:path";
import type { Database as Connection } from "better-sqlite3";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { measureResponsesPerSecond } from "./http-load.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, compare, countRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const SECONDS = 3;
export const SUBMIT_LOAD = {
  path: "/api/download/submit",
  connections: 64,
  seconds: SECONDS,
  status: 200,
  headers: {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    slug: "book-number-7",
    languageCode: "es",
    fileType: "pdf",
    contact: { email: "[<id>]@example.org", firstName: "Sara" },
  }),
};
const ROUNDS = 5;

export async function run(): Promise<BenchRow[]> {
  using folder = temporaryFolder("bench-submits");
  const service = await startMeasured(SERVICE_PROCESS, ["service", "1000"], serviceFacts);
  try {
    const { port } = service.facts;
    const file = join(folder.path, "raw.sqlite");
    await (await openSqlite(file, folder.path)).close();
    const raw = openWriter(file);
    const measured = await compare(
      ROUNDS,
      () => measureResponsesPerSecond({ ...SUBMIT_LOAD, port }),
      async () => measureRaw(raw, SECONDS * 1000),
    );
    raw.close();
    return [countRow("submits, 64 connections, against one raw commit each", measured, 1)];
  } finally {
    await service.stop();
  }
}

let number = 0;

/** What one submit of an unknown reader writes: look for the contact, insert it, insert the event. */
function measureRaw(raw: Connection, milliseconds: number): number {
  const find = raw.prepare<[string], { id: number }>("select * from contacts where email = ?");
  const addContact = raw.prepare<unknown[], { id: number }>(
    "insert into contacts (publicId, email, firstName, lastName, phone, country, searchText, firstDownloadAt, lastDownloadAt, totalDownloads) values (?, ?, ?, '', '', '', ?, ?, ?, 1) returning id",
  );
  const addEvent = raw.prepare(
    `insert into download_events (downloadedAt, contactId, isDownloadAll, booksCount, bookId, fileId, languageId, bookTitle, fileType, fileName, languageName, languageCode, ipAddress, deviceType, browserName, browserVersion, osName, osVersion, referrer, isBot)
     values (?, ?, 0, 1, ?, ?, 2, 'Title 7 in es', 'pdf', 'book-7.pdf', 'es', 'es', '127.0.0.1', 'desktop', 'Firefox', '140.0', 'Linux', 'x86_64', '', 0) returning id`,
  );
  const id = "01a1fb60-1a34-772b-a309-dba157e20a81";
  const start = performance.now();
  let commits = 0;
  while (performance.now() - start < milliseconds) {
    number += 1;
    const now = Date.now();
    const email = `reader${number}@example.org`;
    raw.exec("begin immediate");
    const contact = find.get(email) ?? addContact.get(crypto.randomUUID(), email, "Sara", "sara", now, now);
    addEvent.get(now, contact?.id, id, id);
    raw.exec("commit");
    commits += 1;
  }
  return commits / ((performance.now() - start) / 1000);
}
