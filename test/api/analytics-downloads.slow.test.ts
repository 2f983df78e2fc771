/** The log of download events. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { openRows } from "../support/event-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { AGENTS, CHROME, IPHONE, linkTo, linkToAll, listContacts } from "../support/reader.ts";

const PATH = "/api/admin/analytics/downloads";

/** Moves the clock to a time. */
const goTo = ({ clock }: TestApp, time: string) => clock.advance(Date.parse(time) - clock.now());

/** Two languages with a book of its own each and one that both have. */
async function scene() {
  const app = await startApp({ TRUST_PROXY: "1" });
  const { make } = app;
  const english = await make.language("en", { name: "English" });
  const spanish = await make.language("es", { name: "Spanish" });
  const well = await make.published("The Well", "en");
  await make.textFile(well.book.id, "es", "pozo", "pozo.txt");
  const tree = await make.published("The Tree", "es");
  return { app, api: app.api, english, spanish, well: well.book, tree: tree.book };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Five requests, one an hour from noon on; their numbers are their order. */
async function fiveRequests({ app, api }: Scene): Promise<Client> {
  const chrome = api.with({ "User-Agent": AGENTS.chrome });
  const requests = [
    () => linkTo(chrome, { slug: "the-well", languageCode: "en" }),
    () => linkTo(chrome, { slug: "the-well", languageCode: "es" }),
    () => linkTo(api.with({ "User-Agent": AGENTS.iphone }), { slug: "the-tree", languageCode: "es" }),
    () => linkToAll(chrome, "es"),
    () => linkTo(api.with({ "User-Agent": AGENTS.googlebot }), { slug: "the-well", languageCode: "en" }),
  ];
  for (const [index, request] of requests.entries()) {
    goTo(app, `2026-03-01T${12 + index}:00:00Z`);
    await request();
  }
  return app.make.login("analyst");
}

/** The numbers of the events that a query finds, in its order. */
async function found(analyst: Client, query = ""): Promise<number[]> {
  const response = await analyst.get(`${PATH}?${query}`);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const { total, limit } = response.body.pagination;
  expect(Math.min(total, limit)).toBe(response.body.downloads.length);
  return response.body.downloads.map(({ id }: { id: string }) => Number(id));
}

describe("GET /api/admin/analytics/downloads", () => {
  it("is empty without downloads", async () => {
    const analyst = await (await startApp()).make.login("analyst");
    const response = await analyst.get(PATH);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.body).toEqual({
      downloads: [],
      pagination: { page: 1, limit: 50, total: 0, totalPages: 0 },
    });
  });

  it("lists what was requested, by which contact, and whether it was downloaded", async () => {
    const { app, api, well, spanish } = await scene();
    const form = api.with({ "User-Agent": AGENTS.chrome, Referer: "https://example.org/" });
    const person = {
      email: "asha@example.org",
      firstName: "Asha",
      lastName: "Rao",
      phone: "1",
      country: "India",
    };
    const asked = { bookId: well.id, languageCode: "es", contact: person };
    const { body } = await form.post("/api/download/submit?utm_source=s&utm_medium=m&utm_campaign=c", asked);
    app.clock.advance(90_500);
    await api.get(body.downloadUrl, { "User-Agent": AGENTS.iphone, "X-Forwarded-For": "192.0.2.9" });
    await linkToAll(form, "es");

    const [asha, sara] = await listContacts(app);
    const log = await (await app.make.login("analyst")).get(PATH);
    expect(log.body.downloads).toEqual([
      {
        id: "2",
        downloadedAt: "2026-03-01T12:01:30.500Z",
        isDownloadAll: 1,
        booksCount: 2,
        ipAddress: "127.0.0.1",
        countryCode: "",
        countryName: "",
        city: "",
        ...CHROME,
        referrer: "https://example.org/",
        utmSource: null,
        utmMedium: null,
        utmCampaign: null,
        bookTitle: "All books",
        fileType: "zip",
        fileName: "es.zip",
        languageName: "Spanish",
        languageCode: "es",
        contactEmail: contact.email,
        contactFirstName: contact.firstName,
        contactLastName: "",
        redeemedAt: null,
        isBot: 0,
        bookId: null,
        languageId: spanish.id,
        contactId: sara?.publicId,
      },
      {
        id: "1",
        downloadedAt: "2026-03-01T12:00:00.000Z",
        isDownloadAll: 0,
        booksCount: 1,
        ipAddress: "192.0.2.9",
        countryCode: "",
        countryName: "",
        city: "",
        ...IPHONE,
        referrer: "https://example.org/",
        utmSource: "s",
        utmMedium: "m",
        utmCampaign: "c",
        bookTitle: "The Well",
        fileType: "txt",
        fileName: "pozo.txt",
        languageName: "Spanish",
        languageCode: "es",
        contactEmail: "asha@example.org",
        contactFirstName: "Asha",
        contactLastName: "Rao",
        redeemedAt: "2026-03-01T12:01:30.500Z",
        isBot: 0,
        bookId: well.id,
        languageId: spanish.id,
        contactId: asha?.publicId,
      },
    ]);
  });

  it("keeps titles and names as they were when book, language and contact change or are deleted", async () => {
    const it = await scene();
    await fiveRequests(it);
    const admin = await it.app.admin();
    const before = (await admin.get(PATH)).body.downloads;
    await admin.put(`/api/admin/books/${it.well.id}`, { titleEn: "Renamed" });
    await admin.put(`/api/admin/languages/${it.english.id}`, { name: "Inglish", code: "en-GB" });
    await admin.delete(`/api/admin/languages/${it.spanish.id}`);
    expect((await admin.get(PATH)).body.downloads).toEqual(before);

    for (const { publicId } of await listContacts(it.app))
      await admin.delete(`/api/admin/contacts/${publicId}`);
    const erased = {
      contactEmail: "",
      contactFirstName: "",
      contactLastName: "",
      ipAddress: "",
      contactId: null,
    };
    expect((await admin.get(PATH)).body.downloads).toEqual(
      before.map((event: object) => ({ ...event, ...erased })),
    );
  });

  it("lists the newest first, in pages", async () => {
    const it = await scene();
    const analyst = await fiveRequests(it);
    expect(await found(analyst)).toEqual([4, 3, 2, 1]);
    expect(await found(analyst, "limit=3")).toEqual([4, 3, 2]);
    const second = await analyst.get(`${PATH}?limit=3&page=2`);
    expect(second.body.downloads).toMatchObject([{ id: "1" }]);
    expect(second.body.pagination).toEqual({ page: 2, limit: 3, total: 4, totalPages: 2 });
    const past = await analyst.get(`${PATH}?page=9`);
    expect(past.body).toEqual({
      downloads: [],
      pagination: { page: 9, limit: 50, total: 4, totalPages: 1 },
    });
    // At the same moment the later one comes first; a clock that jumps back doesn't hide events.
    await linkTo(it.api, { slug: "the-well", languageCode: "en" });
    await linkTo(it.api, { slug: "the-well", languageCode: "en" });
    goTo(it.app, "2026-03-01T12:30:00Z");
    await linkTo(it.api, { slug: "the-well", languageCode: "en" });
    expect(await found(analyst, "limit=200")).toEqual([7, 6, 4, 3, 2, 8, 1]);
  });

  it("filters by language, book, country and device, and by all of them together", async () => {
    const it = await scene();
    const analyst = await fiveRequests(it);
    await openRows(it.app).change([1, 3], { countryCode: "MX" });
    expect(await found(analyst, `languageId=${it.english.id}`)).toEqual([1]);
    expect(await found(analyst, `languageId=${it.spanish.id}`)).toEqual([4, 3, 2]);
    // A whole-language download delivers each of its books.
    expect(await found(analyst, `bookId=${it.tree.id}`)).toEqual([4, 3]);
    expect(await found(analyst, `bookId=${it.well.id}`)).toEqual([4, 2, 1]);
    expect(await found(analyst, `bookId=${it.well.id}&languageId=${it.english.id}`)).toEqual([1]);
    expect(await found(analyst, "bookId=unknown")).toEqual([]);
    expect(await found(analyst, "countryCode=mx")).toEqual([3, 1]);
    expect(await found(analyst, "deviceType=mobile")).toEqual([3]);
    expect(await found(analyst, "deviceType=mobile&countryCode=MX")).toEqual([3]);
    expect(await found(analyst, "deviceType=desktop&countryCode=MX")).toEqual([1]);
    expect(await found(analyst, "countryCode=FR")).toEqual([]);
  });

  it("excludes bots unless they are requested", async () => {
    const it = await scene();
    const analyst = await fiveRequests(it);
    expect(await found(analyst, "includeBots=true")).toEqual([5, 4, 3, 2, 1]);
    expect(await found(analyst, "includeBots=false")).toEqual([4, 3, 2, 1]);
    expect(await found(analyst, "includeBots=true&deviceType=bot")).toEqual([5]);
    expectProblem(await analyst.get(`${PATH}?includeBots=yes`), 400);
  });

  it("interprets days in the time zone, and points in time exactly", async () => {
    const it = await scene();
    const { app, api } = it;
    // Berlin puts its clock forward on 29 March: that day begins at 23:00 UTC and has 23 hours.
    for (const time of [
      "2026-03-28T22:59:59.999Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T21:59:59.999Z",
      "2026-03-29T22:00:00.000Z",
      "2026-03-29T23:59:59.999Z",
    ]) {
      goTo(app, time);
      await linkTo(api, { slug: "the-well", languageCode: "en" });
    }
    const analyst = await app.make.login("analyst");
    const berlin = "timezone=Europe/Berlin";
    expect(await found(analyst, "startDate=2026-03-29&endDate=2026-03-29")).toEqual([5, 4, 3]);
    expect(await found(analyst, `startDate=2026-03-29&endDate=2026-03-29&${berlin}`)).toEqual([3, 2]);
    expect(await found(analyst, `startDate=2026-03-30&${berlin}`)).toEqual([5, 4]);
    expect(await found(analyst, `endDate=2026-03-28&${berlin}`)).toEqual([1]);
    expect(await found(analyst, "startDate=2026-03-28T23:00:00Z&endDate=2026-03-29T21:59:59.999Z")).toEqual([
      3, 2,
    ]);
    expect(
      await found(analyst, "startDate=2026-03-29T00:00:00%2B01:00&endDate=2026-03-29T22:00:00Z"),
    ).toEqual([4, 3, 2]);
    expect(await found(analyst, "startDate=2027-01-01")).toEqual([]);
  });

  it("reports all errors of the query", async () => {
    const { make } = await startApp();
    const analyst = await make.login("analyst");
    const odd = "page=0&limit=1e3&languageId=-1&countryCode=MEX&includeBots=yes&sort=id&bookId=a&bookId=b";
    const response = await analyst.get(
      `${PATH}?startDate=2026-02-30&endDate=yesterday&timezone=Mars/Base&${odd}`,
    );
    expectProblem(response, 400, { code: "invalid_input" });
    const fieldErrors = response.body.errors.map(
      ({ path, code }: Record<string, string>) => `${path} ${code}`,
    );
    expect(fieldErrors).toEqual(
      expect.arrayContaining([
        "startDate impossible_date",
        "endDate invalid_date",
        "timezone unknown_timezone",
        "sort unknown_field",
      ]),
    );
    const paths = response.body.errors.map(({ path }: { path: string }) => path);
    expect([...new Set(paths)].sort()).toEqual([
      "bookId",
      "countryCode",
      "endDate",
      "includeBots",
      "languageId",
      "limit",
      "page",
      "sort",
      "startDate",
      "timezone",
    ]);
    const long = `startDate=${"2".repeat(41)}&endDate=yesterday&timezone=${"M".repeat(65)}`;
    expectProblem(await analyst.get(`${PATH}?${long}`), 400, {
      errors: ["startDate too_big", "endDate invalid_date", "timezone too_big"],
    });
    const twice = await analyst.get(`${PATH}?startDate=a&startDate=b&endDate=yesterday&timezone=Mars`);
    expectProblem(twice, 400, {
      errors: ["startDate invalid_type", "endDate invalid_date", "timezone unknown_timezone"],
    });
    for (const timezone of ["%20", "%00"]) {
      const unnamed = await analyst.get(`${PATH}?startDate=2026-03-01&timezone=${timezone}`);
      expectProblem(unnamed, 400);
      expect(unnamed.body.errors).toMatchObject([{ path: "timezone" }]);
    }
    expectProblem(await analyst.get(`${PATH}?countryCode=ß`), 400, {
      errors: ["countryCode invalid_format"],
    });
    const backwards = await analyst.get(`${PATH}?startDate=2026-03-02&endDate=2026-03-01`);
    expectProblem(backwards, 400, { errors: ["endDate end_before_start"] });
    const notOurs = await analyst.get(`${PATH}?timezone=BST&startDate=2026-03-01T10:00:00`);
    expectProblem(notOurs, 400, { errors: ["timezone unknown_timezone", "startDate invalid_date"] });
  });
});
