/**
 * Letters and events: what a form takes that writes both, against one that writes none; and letters a second to a mail
 * server on this machine, with the memory that they take while 100,000 of them wait. A service on these rows alone takes more
 * than the bound.
 */
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { receiveLetters } from "../lib/delivery-receivers.ts";
import { listen } from "../lib/listening.ts";
import { ServerProcess } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { Administrator } from "./administrator.ts";
import { measureResponsesPerSecond } from "./http-load.ts";
import { IMAGE_ENVIRONMENT } from "./measured-process.ts";
import { readProcessorMs } from "./processor-time.ts";
import { type RealServer, readMemory, withRealServer } from "./real-server.ts";
import { type BenchRow, boundRow, compare, countRow } from "./row.ts";
import { SUBMIT_LOAD } from "./submits.ts";

const ROUNDS = 20;
/** Short: what one client has waiting is counted by each of its forms. */
const LOAD = { ...SUBMIT_LOAD, connections: 16, seconds: 1 };
const MOST_FOR_BOTH = 1.15;
const WAITING = 100_000;
const MEASURED_LETTERS = 1000;
const LEAST_LETTERS = 50;
const MAX_MEGABYTES = 150;
const SAMPLE_MS = 100;
const SETTLE_MS = 5000;

const MAIL = { user: "bench", password: "bench" };
const mailSettings = (port: number) => ({
  PUBLIC_BASE_URL: "https://books.example.org",
  SMTP_URL: `smtp://${MAIL.user}:${MAIL.password}@127.0.0.1:${port}`,
  MAIL_FROM: "books@example.org",
  MAIL_LINK: "true",
});

export async function run(): Promise<BenchRow[]> {
  return [await measureForms(), ...(await measureLetters())];
}

/** Each round has a client of its own: once a day's worth of its letters waits, none is written for it. */
const BEHIND_PROXY = { TRUST_PROXY: "loopback" };
let clients = 0;

/** What is written, not what is delivered: letters wait for the limit of the hour, and the receiver of events is silent. */
async function measureForms(): Promise<BenchRow> {
  await using opened = new AsyncDisposableStack();
  const silent = opened.use(await listenSilently());
  const variables = {
    ...mailSettings(silent.port),
    WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${silent.port}`,
    MAIL_PER_HOUR: "1",
    ...BEHIND_PROXY,
  };
  return await withRealServer(variables, (both) =>
    withRealServer(BEHIND_PROXY, async (none) => {
      const admin = await prepare(both);
      await prepare(none);
      const url = `http://127.0.0.1:${silent.port}/hook`;
      await admin.addWebhook({ url, events: ["download.requested", "contact.created"] });
      const { ours, other, ratio } = await compare(
        ROUNDS,
        () => measureForm(both),
        () => measureForm(none),
      );
      return {
        what: "processor time of a form with a letter and two events, against one without",
        ours: `${Math.round(ours * 1000)} µs`,
        other: `${Math.round(other * 1000)} µs`,
        ratio: Number(ratio.toFixed(2)),
        bound: `at most ${MOST_FOR_BOTH}`,
        ok: ratio <= MOST_FOR_BOTH,
      };
    }),
  );
}

async function prepare({ port }: RealServer): Promise<Administrator> {
  const admin = await Administrator.of(port);
  await admin.addLanguage("es");
  const link = { sourceType: "url", cloudUrl: "https://files.example.org/7.pdf", fileName: "7.pdf" };
  await admin.sendBulk([
    {
      titleEn: "Book number 7",
      slug: "book-number-7",
      translations: [{ languageCode: "es", title: "Libro 7" }],
      files: [{ languageCode: "es", fileType: "pdf", ...link }],
    },
  ]);
  return admin;
}

/** Milliseconds, of all threads. */
async function measureForm({ port, pid }: RealServer): Promise<number> {
  clients += 1;
  const headers = { ...LOAD.headers, "X-Forwarded-For": `192.0.2.${clients}` };
  const begin = readProcessorMs(pid);
  const forms = (await measureResponsesPerSecond({ ...LOAD, headers, port })) * LOAD.seconds;
  return (readProcessorMs(pid) - begin) / forms;
}

async function measureLetters(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const dataDir = opened.use(temporaryFolder("bench-outbox")).path;
  await writeWaiting(dataDir);
  const without = await measureWithoutLetters(dataDir);
  const mailServer = opened.use(await receiveLetters(MAIL));
  const settings = { ...mailSettings(mailServer.proxy.port), MAIL_PER_HOUR: "1000000" };
  const watched = opened.use(await startOn(dataDir, settings));
  while (mailServer.delivered.size === 0) await sleep(SAMPLE_MS);
  const first = mailServer.delivered.size;
  const [begin, processorMs] = [performance.now(), readProcessorMs(watched.pid)];
  let peak = 0;
  while (mailServer.delivered.size < first + MEASURED_LETTERS) {
    peak = Math.max(peak, readMemory(watched));
    await sleep(SAMPLE_MS);
  }
  const letters = mailServer.delivered.size - first;
  const perSecond = letters / ((performance.now() - begin) / 1000);
  const perProcessorSecond = letters / ((readProcessorMs(watched.pid) - processorMs) / 1000);
  const rowOf = (what: string, ours: number) =>
    countRow(what, { ours, other: LEAST_LETTERS, ratio: ours / LEAST_LETTERS }, 1);
  return [
    rowOf("letters to a mail server on this machine, against the bound", perSecond),
    rowOf("the same in a second of the service's processor time", perProcessorSecond),
    boundRow(
      `more memory while ${MEASURED_LETTERS} of ${WAITING} letters leave than without a mail server`,
      (peak - without) / 1e6,
      "MB",
      MAX_MEGABYTES,
    ),
  ];
}

async function startOn(dataDir: string, settings: Readonly<Record<string, string>>) {
  const server = new ServerProcess({ ...IMAGE_ENVIRONMENT, ...settings, DATA_DIR: dataDir });
  const { base } = await server.waitUntilReady();
  return {
    port: Number(new URL(base).port),
    pid: server.pid ?? Number.NaN,
    async [Symbol.asyncDispose]() {
      await server.stop();
    },
  };
}

/** Once it has read the rows that are kept in memory. */
async function measureWithoutLetters(dataDir: string): Promise<number> {
  await using watched = await startOn(dataDir, {});
  await sleep(SETTLE_MS);
  return readMemory(watched);
}

/** Letters to as many readers, each with the link that was asked for. */
async function writeWaiting(dataDir: string): Promise<void> {
  const file = join(dataDir, DATABASE_FILE);
  await (await openSqlite(file, dataDir)).close();
  const raw = openWriter(file);
  const now = Date.now();
  raw.exec(`
    begin immediate;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${WAITING})
    insert into contacts (publicId, email, firstName, lastName, phone, country, searchText, firstDownloadAt, lastDownloadAt,
        totalDownloads)
      select 'bench-' || n, 'reader' || n || '@example.org', 'Sara', '', '', '', 'sara', ${now}, ${now}, 1 from numbers;
    insert into download_events (downloadedAt, contactId, isDownloadAll, booksCount, languageId, bookTitle, fileType, fileName,
        languageName, languageCode, ipAddress, deviceType, browserName, browserVersion, osName, osVersion, referrer, isBot)
      select ${now}, id, 0, 1, 2, 'Sent', 'pdf', 'sent.pdf', 'es', 'es', '127.0.0.1', 'desktop', 'Firefox', '140.0', 'Linux',
        'x86_64', '', 0 from contacts;
    insert into outbox (id, event, contactId, eventId, details, state, revision, createdAt, dueAt, dueWithin, attempts)
      select 'letter-' || id, 'letter.download', contactId, id, '{}', 'waiting', 0, ${now}, ${now}, 0, 0 from download_events;
    commit`);
  raw.close();
}

/** Takes connections and says nothing. */
async function listenSilently(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer();
  return {
    port: await listen(server),
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
