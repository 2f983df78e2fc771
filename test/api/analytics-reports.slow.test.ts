/** Reports: their counts, names, order and legacy downloads. */
import { describe, expect, it } from "vitest";
import type { EventFilter } from "../../src/repositories/exports/download-log.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { countBooksBySql, countBySql, countTotalsBySql, type KeyedCounts } from "../support/counts-by-sql.ts";
import { type GivenEvent, givenEvent, openRows } from "../support/event-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { idOf } from "../support/ids.ts";
import { AGENTS, linkTo, linkToAll, listContacts } from "../support/reader.ts";
import { type Query, REPORTS, type Report, readCounts, readRows } from "../support/reports.ts";

const reader = ({ api }: TestApp) => api.with({ "User-Agent": AGENTS.chrome });
const once = { totalDownloads: 1, totalBooks: 1, uniqueContacts: 1, redeemed: 0 };

describe("a report", () => {
  it("reports all errors of the query", async () => {
    const { make } = await startApp();
    const analyst = await make.login("analyst");
    const rejected = async (report: string, query: string, errors: string[]) =>
      expectProblem(await analyst.get(`/api/admin/analytics/${report}?${query}`), 400, { errors });
    const odd =
      "startDate=2026-02-30&endDate=soon&timezone=Mars/Base&languageId=x&countryCode=MEX&deviceType=fridge&includeBots=2&sort=id&fileType=exe&isRedeemed=maybe";
    const errors = [
      "startDate impossible_date",
      "endDate invalid_date",
      "timezone unknown_timezone",
      "languageId invalid_format",
      "countryCode invalid_format",
      "deviceType invalid_value",
      "fileType invalid_value",
      "isRedeemed invalid_value",
      "includeBots invalid_value",
      "sort unknown_field",
    ];
    for (const report of REPORTS) await rejected(report, odd, errors);
    const more = ["granularity invalid_value", "fill invalid_value"];
    await rejected("by-date", `${odd}&granularity=hour&fill=yes`, [...errors, ...more]);
    await rejected("by-book", "bookId=1", ["bookId unknown_field"]);
    const long = "x".repeat(101);
    await rejected("by-country", `languageId=0&bookId=${long}`, ["languageId too_small", "bookId too_big"]);
    await rejected("by-country", "languageId=0&bookId=", ["languageId too_small"]);
    await rejected("by-device", "languageId=2147483648", ["languageId too_big"]);
    await rejected("by-language", "startDate=2026-03-02&endDate=2026-03-01", ["endDate end_before_start"]);
    await rejected("summary", "timezone=BST&includeBots=2&startDate=2026-02-30&bookId=1", [
      "timezone unknown_timezone",
      "includeBots invalid_value",
      "startDate impossible_date",
      "bookId unknown_field",
    ]);
  });

  it("is empty if there are no events", async () => {
    const { make } = await startApp();
    const { id } = await make.language("sw");
    await make.published("The Well", "sw");
    const analyst = await make.login("analyst");
    for (const report of REPORTS) {
      for (const query of [{}, { languageId: String(id), timezone: "Asia/Tokyo" }, { countryCode: "fr" }])
        expect(await readRows(analyst, report, query)).toEqual([]);
    }
  });
});

/** What a download of the whole language 1 or 2 delivers. */
const ARCHIVES = [
  { archiveId: "english", booksCount: 3 },
  { archiveId: "spanish", booksCount: 2 },
];

const visit = (number: number): GivenEvent =>
  givenEvent(`2026-03-01T${String(4 + number).padStart(2, "0")}:30Z`, {
    redeemedAt: number % 2 || null,
    contactId: number % 7 || null,
    languageId: 1 + (number % 5 > 2 ? 1 : 0),
    bookId: idOf(1 + (number % 3)),
    ...(number % 5 === 1 ? ARCHIVES[0] : number % 5 === 3 ? ARCHIVES[1] : {}),
    countryCode: [null, "KE", "IN", "KE"][number % 4] ?? null,
    deviceType: ["mobile", "mobile", "desktop"][number % 3] ?? "",
    isBot: number % 6 === 5 ? 1 : 0,
    fileType: ["epub", "pdf", "zip"][number % 4] ?? "",
    utmSource: number % 3 === 0 ? null : "news, letter",
    utmMedium: number % 8 === 0 ? "email" : null,
    utmCampaign: [null, "Spring", "spring", "100%"][number % 4] ?? null,
  });

/** Twenty visits, one in each hour of a day in UTC from 04:30 on: some of whole languages, some of bots. */
async function dayOfVisits() {
  const app = await startApp();
  const rows = openRows(app);
  await rows.insertArchive("english", [idOf(1), idOf(2), idOf(3)]);
  await rows.insertArchive("spanish", [idOf(1), idOf(3)]);
  for (let number = 0; number < 20; number += 1) await rows.insert(visit(number));
  return { app, rows, analyst: await app.make.login("analyst") };
}

type Visits = Awaited<ReturnType<typeof dayOfVisits>>;

/** Expects each report on a query to have the counts of a filter in SQL. All events of it are of one day. */
async function expectAsSql({ app, analyst }: Visits, query: Query, filter: EventFilter): Promise<void> {
  const { read } = app.container.database;
  const counted = (rows: readonly KeyedCounts[]) =>
    new Map(
      rows.map(({ key, downloads, books, contacts, redeemed }) => [
        key ?? "",
        { totalDownloads: downloads, totalBooks: books, uniqueContacts: contacts, redeemed },
      ]),
    );
  const found = (report: Report) => readCounts(analyst, report, query);
  expect(await found("by-language")).toEqual(counted(await countBySql(read, "languageId", filter)));
  expect(await found("by-country")).toEqual(counted(await countBySql(read, "countryCode", filter)));
  expect(await found("by-device")).toEqual(counted(await countBySql(read, "deviceType", filter)));
  const total = await countTotalsBySql(read, filter);
  expect(total.downloads).toBeGreaterThan(0);
  expect([...(await found("by-date")).values()]).toEqual([...counted([{ key: "", ...total }]).values()]);
  if (!filter.bookId) expect(await found("by-book")).toEqual(counted(await countBooksBySql(read, filter)));
}

describe("the reports on a day", () => {
  const tokyoMidnight = Date.parse("2026-03-01T15:00Z");
  it.each<[Query, EventFilter]>([
    [{}, { includeBots: false }],
    [{ includeBots: "true" }, { includeBots: true }],
    [
      { languageId: "1", countryCode: "ke" },
      { languageId: 1, countryCode: "KE", includeBots: false },
    ],
    [
      { bookId: idOf(2), deviceType: "mobile" },
      { bookId: idOf(2), deviceType: "mobile", includeBots: false },
    ],
    [{ fileType: "epub" }, { fileType: "epub", includeBots: false }],
    [
      { utmSource: "news, letter", isRedeemed: "true" },
      { utmSource: "news, letter", isRedeemed: true, includeBots: false },
    ],
    [
      { utmMedium: "email", isRedeemed: "false", includeBots: "true" },
      { utmMedium: "email", isRedeemed: false, includeBots: true },
    ],
    [{ utmCampaign: "Spring" }, { utmCampaign: "Spring", includeBots: false }],
    [
      { timezone: "Asia/Tokyo", startDate: "2026-03-02" },
      { from: tokyoMidnight, includeBots: false },
    ],
    [
      { timezone: "Asia/Tokyo", endDate: "2026-03-01" },
      { until: tokyoMidnight, includeBots: false },
    ],
    [
      { startDate: "2026-03-01T09:30:00Z", endDate: "2026-03-01T13:30:00Z", includeBots: "true" },
      {
        from: tokyoMidnight - 5.5 * 3_600_000,
        until: tokyoMidnight - 1.5 * 3_600_000 + 1,
        includeBots: true,
      },
    ],
  ])("have the same counts as SQL, also after changes: %j", async (query, filter) => {
    const visits = await dayOfVisits();
    await expectAsSql(visits, query, filter);
    const { rows } = visits;
    await rows.change([7, 9], { redeemedAt: 1, countryCode: "KE", deviceType: "mobile" });
    await rows.change(await rows.findIds(({ contactId }) => contactId === 3), { contactId: null });
    await rows.remove([2, 11, 16]);
    await rows.insert(givenEvent("2026-03-01T12:00Z", { contactId: 5, languageId: 3 }));
    await expectAsSql(visits, query, filter);
  });
});

describe("the counts of a report", () => {
  it("include each request immediately, and its redemption", async () => {
    const app = await startApp();
    const { book } = await app.make.published("The Well", "en");
    const analyst = await app.make.login("analyst");
    const ofBook = async () => (await readCounts(analyst, "by-book")).get(book.id);
    const devices = () => readCounts(analyst, "by-device");

    const link = await linkTo(reader(app), { slug: "the-well", languageCode: "en" });
    expect(await ofBook()).toEqual(once);
    expect(await devices()).toEqual(new Map([["desktop", once]]));
    // Who really downloads is another device than the one that asked.
    await app.api.get(link, { "User-Agent": AGENTS.iphone });
    expect(await ofBook()).toEqual({ ...once, redeemed: 1 });
    expect(await devices()).toEqual(new Map([["mobile", { ...once, redeemed: 1 }]]));
    await app.api.get(link, { "User-Agent": AGENTS.iphone });
    expect(await ofBook()).toEqual({ ...once, redeemed: 1 });

    await linkToAll(reader(app), "en", { ...contact, email: "other@example.org" });
    expect(await ofBook()).toEqual({ totalDownloads: 1, totalBooks: 2, uniqueContacts: 2, redeemed: 1 });
  });

  it("keep the downloads of an erased contact, without counting a contact", async () => {
    const { app, client: admin } = await startWithAdmin();
    await app.make.published("The Well", "en");
    await linkTo(reader(app), { slug: "the-well", languageCode: "en" });
    expect(await readCounts(admin, "by-country")).toEqual(new Map([["", once]]));
    const [person] = await listContacts(app);
    expect((await admin.delete(`/api/admin/contacts/${person?.publicId}`)).status).toBe(200);
    expect(await readCounts(admin, "by-country")).toEqual(new Map([["", { ...once, uniqueContacts: 0 }]]));
  });

  it("exclude the events of a language only if it is deleted with its events", async () => {
    const { app, client: admin, make } = await startWithAdmin();
    const [english, spanish] = [await make.language("en"), await make.language("es")];
    await make.published("The Well", "en");
    await make.published("The Tree", "es");
    await linkTo(reader(app), { slug: "the-well", languageCode: "en" });
    await linkToAll(reader(app), "es");
    expect((await readRows(admin, "by-language")).length).toBe(2);
    await admin.delete(`/api/admin/languages/${spanish.id}`);
    expect([...(await readCounts(admin, "by-language")).keys()].sort()).toEqual([english.id, spanish.id]);
    await admin.delete(`/api/admin/languages/${english.id}?mode=delete_all`);
    for (const report of REPORTS) expect((await readRows(admin, report)).length, report).toBe(1);
    expect([...(await readCounts(admin, "by-language")).keys()]).toEqual([spanish.id]);
  });
});

/** A book of each kind: alone, within a language, both; the reader comes from Kenya. */
async function readBooks() {
  const app = await startApp();
  const { make } = app;
  const english = await make.language("en", { name: "English" });
  const spanish = await make.language("es", { name: "Spanish", legacyDownloadCount: 70 });
  const { book: well } = await make.published("The Well", "en");
  const { book: tree } = await make.published("The Tree", "es");
  const old = await make.book("An old book", { legacyDownloadCount: 500 });
  await linkTo(reader(app), { slug: "the-well", languageCode: "en" });
  await linkToAll(reader(app), "en");
  await linkToAll(reader(app), "es");
  return { app, english, spanish, well, tree, old, admin: await app.admin() };
}

const titles = async (admin: Client, query = {}) =>
  (await readRows(admin, "by-book", query)).map(({ bookTitle, totalBooks }) => [bookTitle, totalBooks]);

const names = async (admin: Client, query = {}) =>
  (await readRows(admin, "by-language", query)).map((row) => [
    row.languageCode,
    row.languageName,
    row.totalDownloads,
  ]);

describe("the rows of a report", () => {
  it("have the documented fields in the documented order", async () => {
    const { admin, english, spanish, well, tree, old } = await readBooks();
    const none = { totalDownloads: 0, totalBooks: 0, uniqueContacts: 0, redeemed: 0 };
    expect(await readRows(admin, "by-book")).toEqual([
      { bookId: well.id, bookTitle: "The Well", ...once, totalBooks: 2, legacyDownloads: 0 },
      { bookId: tree.id, bookTitle: "The Tree", ...once, totalDownloads: 0, legacyDownloads: 0 },
      { bookId: old.id, bookTitle: "An old book", ...none, legacyDownloads: 500 },
    ]);
    expect(await readRows(admin, "by-language")).toEqual([
      {
        languageId: english.id,
        languageCode: "en",
        languageName: "English",
        ...once,
        totalDownloads: 2,
        totalBooks: 2,
        legacyDownloads: 0,
      },
      {
        languageId: spanish.id,
        languageCode: "es",
        languageName: "Spanish",
        ...once,
        legacyDownloads: 70,
      },
    ]);
    const three = { ...once, totalDownloads: 3, totalBooks: 3 };
    expect(await readRows(admin, "by-country")).toEqual([{ countryCode: "", countryName: "", ...three }]);
    expect(await readRows(admin, "by-device")).toEqual([{ deviceType: "desktop", ...three }]);
    expect(await readRows(admin, "by-date")).toEqual([{ date: "2026-03-01", ...three }]);
  });

  it("include items that were downloaded only in an earlier system, if there is no filter", async () => {
    const { admin, spanish } = await readBooks();
    for (const query of [{ timezone: "Asia/Tokyo" }, { includeBots: "true" }])
      expect((await titles(admin, query)).at(-1)).toEqual(["An old book", 0]);
    for (const query of [
      { startDate: "2026-03-01" },
      { endDate: "2026-03-01" },
      { languageId: String(spanish.id) },
      { countryCode: "KE" },
      { deviceType: "desktop" },
    ]) {
      const found = await titles(admin, query);
      expect(found, JSON.stringify(query)).not.toContainEqual(["An old book", 0]);
      expect(found.length > 0).toBe(!("countryCode" in query));
    }
    expect(await names(admin, { startDate: "2026-03-02" })).toEqual([]);
  });

  it("have current names or, for deleted items, the last known ones", async () => {
    const { admin, english, spanish, well, tree } = await readBooks();
    await admin.put(`/api/admin/books/${well.id}`, { titleEn: "The Deep Well" });
    await admin.put(`/api/admin/books/${tree.id}`, { titleEn: "The Old Tree" });
    await admin.put(`/api/admin/languages/${english.id}`, { name: "Inglish", code: "en-GB" });
    await admin.delete(`/api/admin/books/${well.id}`);
    expect(await titles(admin, { startDate: "2026-03-01" })).toEqual([
      ["The Deep Well", 2],
      ["The Old Tree", 1],
    ]);
    for (const { id } of [well, tree]) await admin.delete(`/api/admin/books/${id}?permanent=true`);
    await admin.delete(`/api/admin/languages/${spanish.id}`);
    expect(await titles(admin, { startDate: "2026-03-01" })).toEqual([
      ["The Deep Well", 2],
      ["The Old Tree", 1],
    ]);
    expect(await names(admin)).toEqual([
      ["en-GB", "Inglish", 2],
      ["es", "Spanish", 1],
    ]);
  });

  it("are ordered by downloads, then by name", async () => {
    const app = await startApp();
    for (const title of ["éclair", "Zebra", "Dune", "apple"]) await app.make.published(title, "en");
    for (const slug of ["eclair", "zebra", "dune", "apple", "dune"])
      await linkTo(reader(app), { slug, languageCode: "en" });
    const found = await titles(await app.admin());
    expect(found.map(([title]) => title)).toEqual(["Dune", "apple", "éclair", "Zebra"]);
  });
});
