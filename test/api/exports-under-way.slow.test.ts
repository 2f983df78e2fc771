/** Long exports while they are being sent: to slow clients, to those who leave, and through what breaks. */
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { eventually } from "../support/eventually.ts";
import { startDownload } from "../support/slow-download.ts";

const EVENTS = "/api/admin/analytics/downloads/export";
const CONTACTS = "/api/admin/contacts/export";
/** Twenty pages of a megabyte: much more than the sockets take by themselves. */
const ROWS = 10_000;
const PAGES = 20;
const TEXT = "x".repeat(2500);

async function start() {
  const app = await startApp();
  const { database } = app.container;
  const [first] = await addContacts(app, [{ firstName: TEXT, events: [{ referrer: TEXT }] }]);
  const copies = sql`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${ROWS})`;
  await database.commit(async () => {
    await sql`insert into contacts ("publicId", email, "firstName", "lastName", phone, country, "searchText",
      "firstDownloadAt", "lastDownloadAt", "totalDownloads") ${copies} select substr(${first}, 1, 24) || substr('000000000000' || i, length(cast(i as text)) + 1), email || i, "firstName", "lastName", phone, country,
      "searchText", "firstDownloadAt", "lastDownloadAt", "totalDownloads" from contacts, n`.execute(
      database.writer,
    );
    await sql`insert into download_events ("downloadedAt", "isDownloadAll", "booksCount", "bookTitle", "fileType",
      "fileName", "languageId", "languageName", "languageCode", "deviceType", "browserName", "browserVersion", "osName", "osVersion",
      referrer, "isBot") ${copies} select "downloadedAt", 0, 1, '', '', '', 1, '', '', 'other', '', '', '', '', referrer, 0
      from download_events, n`.execute(database.writer);
  });
  const { cookie, client } = await createAccount(app, "analyst");
  const read = vi.spyOn(database.csv, "read");
  const begin = (path: string) => startDownload(app.server, path, { cookie });
  return { app, client, read, begin };
}

const linesIn = (bytes: Buffer): number => bytes.toString("latin1").split("\r\n").length - 1;

it("waits for slow clients without delaying other requests", async () => {
  const { client, begin } = await start();
  const slow = [await begin(EVENTS), await begin(CONTACTS)];
  expect((await client.get("/api/admin/contacts?limit=1")).body.pagination.total).toBe(ROWS);
  const { data } = (await client.get("/api/admin/analytics/by-device")).body;
  expect(data.map(({ totalDownloads }: { totalDownloads: number }) => totalDownloads)).toEqual([ROWS - 1, 1]);
  expect(linesIn((await client.get(EVENTS)).body)).toBe(ROWS + 1);
  for (const { finish } of slow) expect(linesIn(await finish())).toBe(ROWS + 1);
});

it.each([EVENTS, CONTACTS])("reads no more when the client disconnects: %s", async (path) => {
  const { app, read, begin } = await start();
  const { leave } = await begin(path);
  leave();
  await eventually(() =>
    expect(app.logged).toContainEqual(expect.objectContaining({ route: path, aborted: true })),
  );
  await Promise.allSettled(read.mock.results.map(({ value }) => value));
  const pages = read.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(read.mock.calls.length).toBe(pages);
  expect(pages).toBeLessThan(PAGES);
});

it.each([EVENTS, CONTACTS])(
  "is cut when the threads stop, so that an incomplete one never looks complete: %s",
  async (path) => {
    const { app, begin } = await start();
    const { response } = await begin(path);
    await app.container.database.csv.close();
    response.on("error", () => {});
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await new Promise((resolve) => response.once("close", resolve).resume());
    expect(response.complete).toBe(false);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(ROWS * TEXT.length);
  },
);
