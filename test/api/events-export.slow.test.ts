/** The event log as CSV. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { bodyOf, type Client } from "../support/client.ts";
import { addContacts, type GivenEvent } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { idOf } from "../support/ids.ts";
import { readCsv } from "../support/read-csv.ts";

const LOG = "/api/admin/analytics/downloads";
const PATH = `${LOG}/export`;

const HEADER =
  "id,downloadedAt,isDownloadAll,booksCount,ipAddress,countryCode,countryName,city,deviceType," +
  "browserName,browserVersion,osName,osVersion,referrer,utmSource,utmMedium,utmCampaign," +
  "bookTitle,fileType,fileName,languageName,languageCode,contactEmail,contactFirstName,contactLastName," +
  "redeemedAt,isBot\r\n";

const NOON = Date.parse("2026-03-01T12:00:00Z");

async function exported(client: Client, query = ""): Promise<string> {
  return (await bodyOf(client.get(`${PATH}?${query}`))).toString();
}

/** The events of an export, in its order. */
const idsIn = (csv: string): number[] =>
  readCsv(csv)
    .slice(1)
    .map(([id]) => Number(id));

const descending = (most: number, least: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => most - index);

/** One contact with events. */
const addEvents = (app: TestApp, events: readonly GivenEvent[]) => addContacts(app, [{ events }]);
const addSameEvents = (app: TestApp, count: number, event: GivenEvent = {}) =>
  addEvents(
    app,
    Array.from({ length: count }, () => event),
  );

describe("GET /api/admin/analytics/downloads/export", () => {
  it("reports all errors of the query", async () => {
    const { make } = await startApp();
    const odd = "languageId=0&countryCode=MEX&includeBots=2&endDate=never&timezone=Mars/Base&delimiter=pipe";
    const response = await (await make.login("analyst")).get(`${PATH}?bom=yes&raw=2&limit=1&${odd}`);
    expectProblem(response, 400, { code: "invalid_input" });
    const paths = response.body.errors.map(({ path }: { path: string }) => path);
    expect([...new Set(paths)].sort()).toEqual([
      "bom",
      "countryCode",
      "delimiter",
      "endDate",
      "includeBots",
      "languageId",
      "limit",
      "raw",
      "timezone",
    ]);
  });

  it("has exactly the values of the event log", async () => {
    const app = await startApp();
    await addContacts(app, [
      {
        email: "asha@example.org",
        firstName: 'Asha "the first"',
        lastName: "Rao, Dr.",
        events: [
          {
            downloadedAt: NOON,
            redeemedAt: NOON + 90_500,
            countryCode: "IN",
            countryName: "India",
            city: "Pune",
            utmSource: "s",
            utmMedium: "m",
            utmCampaign: "línea\nnueva",
          },
          {
            downloadedAt: NOON + 1,
            isDownloadAll: 1,
            booksCount: 2,
            bookTitle: "All books",
            fileType: "zip",
            fileName: "es.zip",
            ipAddress: null,
            contactId: null,
            isBot: 1,
            deviceType: "bot",
            browserName: "",
            browserVersion: "",
            osName: "",
            osVersion: "",
            referrer: "",
            languageName: "Español",
            languageCode: "es",
          },
        ],
      },
    ]);
    const first =
      "1,2026-03-01T12:00:00.000Z,0,1,192.0.2.7,IN,India,Pune,desktop,Chrome,126.0.0.0,Windows,10," +
      'https://example.org/,s,m,"línea\nnueva",The Well,txt,well.txt,English,en,' +
      'asha@example.org,"Asha ""the first""","Rao, Dr.",2026-03-01T12:01:30.500Z,0\r\n';
    const bot = "2,2026-03-01T12:00:00.001Z,1,2,,,,,bot,,,,,,,,,All books,zip,es.zip,Español,es,,,,,1\r\n";
    const analyst = await app.make.login("analyst");
    expect(await exported(analyst, "includeBots=true")).toBe(`\u{FEFF}${HEADER}${bot}${first}`);
    expect(await exported(analyst, "bom=0")).toBe(HEADER + first);
    expect(await exported(analyst, "startDate=2027-01-01")).toBe(`\u{FEFF}${HEADER}`);
  });

  it("has every event once, newest first, regardless of equal times and page limits", async () => {
    const app = await startApp();
    const times = Array.from({ length: 1501 }, (_, index) => NOON + (index < 400 ? 0 : 1));
    await addEvents(app, [
      ...times.map((downloadedAt) => ({ downloadedAt })),
      // The clock has jumped back.
      { downloadedAt: NOON - 1 },
    ]);
    const analyst = await app.make.login("analyst");
    expect(idsIn(await exported(analyst))).toEqual([...descending(1501, 401), ...descending(400, 1), 1502]);
  });

  it.each([500, 1000])("ends after full pages: %i events", async (count) => {
    const app = await startApp();
    await addSameEvents(app, count);
    expect(idsIn(await exported(await app.make.login("analyst")))).toEqual(descending(count, 1));
  });

  it("applies the filters of the event log on every page", async () => {
    const app = await startApp();
    await addEvents(
      app,
      Array.from({ length: 1300 }, (_, index) => ({
        downloadedAt: NOON + index * 60_000,
        languageId: 1 + (index % 3),
        countryCode: index % 2 === 0 ? "IN" : null,
        deviceType: index % 5 === 0 ? "tablet" : "mobile",
        isBot: index % 7 === 0 ? 1 : 0,
        bookId: idOf(index % 4 === 0 ? 1 : 2),
      })),
    );
    const analyst = await app.make.login("analyst");
    const day = "startDate=2026-03-02&endDate=2026-03-02&timezone=Asia/Kolkata";
    for (const query of [
      "languageId=2",
      "countryCode=in",
      "deviceType=tablet",
      `bookId=${idOf(1)}`,
      "includeBots=true",
      day,
      `includeBots=true&languageId=1&countryCode=IN&bookId=${idOf(1)}&deviceType=tablet&${day}`,
      "languageId=9",
    ]) {
      const listed: number[] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { body } = await analyst.get(`${LOG}?${query}&limit=200&page=${page}`);
        listed.push(...body.downloads.map(({ id }: { id: string }) => Number(id)));
        pages = body.pagination.totalPages;
      }
      expect(idsIn(await exported(analyst, query)), query).toEqual(listed);
    }
  });

  it("has every event that existed throughout exactly once, regardless of concurrent changes", async () => {
    const app = await startApp();
    await addSameEvents(app, 4000, { downloadedAt: NOON });
    const { analytics } = app.container.services;
    const query = { includeBots: true, bom: false, raw: false, delimiter: "comma" } as const;
    let text = "";
    let pages = 0;
    const { pages: exportedPages } = await analytics.exportDownloads(query);
    for await (const page of exportedPages) {
      text += page.toString();
      pages += 1;
      if (pages > 1) continue;
      await addSameEvents(app, 700, { downloadedAt: NOON });
      const { database } = app.container;
      // Among them events at which pages end.
      await database.commit(() =>
        database.writer.deleteFrom("download_events").where("id", "<", 1000).where("id", ">", 10).execute(),
      );
    }
    expect(pages).toBeGreaterThan(6);
    expect(idsIn(HEADER + text)).toEqual([...descending(4000, 1000), ...descending(10, 1)]);
  });

  it("has a file name with its date range, isn't cached, and supports HEAD", async () => {
    const { make } = await startApp();
    const analyst = await make.login("analyst");
    const { headers } = await analyst.get(`${PATH}?startDate=2026-03-01&endDate=2026-03-31T10:00:00Z`);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": "attachment; filename=downloads-from-2026-03-01-to-2026-03-31.csv",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const head = await analyst.head(PATH);
    expect(head.status).toBe(200);
    expect(head.headers["content-disposition"]).toBe("attachment; filename=downloads-all-2026-03-01.csv");
  });

  it("protects spreadsheets from formulas unless raw output is requested", async () => {
    const app = await startApp();
    const sent = {
      referrer: "=1+1",
      utmSource: "+41a",
      utmMedium: " @sum",
      utmCampaign: "\t-1",
      city: "＝1",
    };
    await addContacts(app, [{ firstName: "=2", lastName: "\u00a0=3", events: [sent] }]);
    const analyst = await app.make.login("analyst");
    const cells = async (query: string) => {
      const [names = [], record = []] = readCsv(await exported(analyst, `bom=0&${query}`));
      return [...Object.keys(sent), "contactFirstName", "contactLastName"].map(
        (name) => record[names.indexOf(name)],
      );
    };
    const texts = [...Object.values(sent), "=2", "\u00a0=3"];
    // Behind a tab a new cell may begin.
    expect(await cells("")).toEqual(texts.map((text) => `'${text.replace("\t-", "\t'-")}`));
    expect(await cells("raw=1")).toEqual(texts);
  });
});
