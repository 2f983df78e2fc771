/** The contacts as CSV. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { idOf } from "../support/ids.ts";
import { readCsv } from "../support/read-csv.ts";
import { linkTo } from "../support/reader.ts";

const PATH = "/api/admin/contacts/export";

const COLUMNS = [
  "id",
  "email",
  "firstName",
  "lastName",
  "phone",
  "country",
  "firstDownloadAt",
  "lastDownloadAt",
  "totalDownloads",
  "consentMarketing",
  "consentTextVersion",
  "consentLanguageCode",
  "consentGivenAt",
  "consentState",
  "marketing",
  "marketingTextVersion",
  "marketingAt",
];

/** The records of an export but the header. */
async function records(app: TestApp, query = ""): Promise<string[][]> {
  const response = await (await app.make.login("analyst")).get(`${PATH}?bom=0&${query}`);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const [header, ...rest] = readCsv(response.body.toString());
  expect(header).toEqual(COLUMNS);
  return rest;
}

describe("GET /api/admin/contacts/export", () => {
  it("reports all errors of the query", async () => {
    const { make } = await startApp();
    const response = await (await make.login("analyst")).get(
      `${PATH}?bom=yes&raw=2&languageId=0&endDate=never&page=1`,
    );
    expectProblem(response, 400, { code: "invalid_input" });
    expect(response.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "bom",
      "endDate",
      "languageId",
      "page",
      "raw",
    ]);
  });

  it("has the values of the list and the latest consent of each contact, newest contact first", async () => {
    const app = await startApp();
    await app.make.published("The Well", "en");
    const { book } = await app.make.published("El pozo", "es-MX");
    await linkTo(app.api, {
      slug: "the-well",
      languageCode: "en",
      contact: { ...contact, country: "Kenya" },
    });
    const consent = { marketing: true, textVersion: "2026-03" };
    app.clock.advance(1000);
    await linkTo(app.api, { slug: "the-well", languageCode: "en", consent });
    app.clock.advance(1000);
    const refusal = { marketing: false, textVersion: "2026-04" };
    await linkTo(app.api, { bookId: book.id, languageCode: "es-mx", consent: refusal });
    app.clock.advance(1000);
    await linkTo(app.api, { slug: "the-well", languageCode: "en" });
    await linkTo(app.api, {
      slug: "the-well",
      languageCode: "en",
      contact: { email: "ben@example.org", firstName: 'Ben, the "second"' },
    });
    expect(await records(app)).toEqual([
      [
        expect.any(String),
        "ben@example.org",
        'Ben, the "second"',
        "",
        "",
        "",
        "2026-03-01T12:00:03.000Z",
        "2026-03-01T12:00:03.000Z",
        "1",
        "",
        "",
        "",
        "",
        "",
        "unknown",
        "",
        "",
      ],
      [
        expect.any(String),
        contact.email,
        contact.firstName,
        "",
        "",
        "Kenya",
        "2026-03-01T12:00:00.000Z",
        "2026-03-01T12:00:03.000Z",
        "4",
        "false",
        "2026-04",
        "es-MX",
        "2026-03-01T12:00:02.000Z",
        "withdrawn",
        "withdrawn",
        "2026-04",
        "2026-03-01T12:00:02.000Z",
      ],
    ]);
  });

  it("has every contact once, regardless of the number of pages and of the filter", async () => {
    const app = await startApp();
    const ids = await addContacts(
      app,
      Array.from({ length: 2501 }, (_, index) => ({
        firstName: index % 10 === 0 ? "Tenth" : "Other",
        events: index === 7 ? [{ languageId: 2 }] : [],
      })),
    );
    const newestFirst = ids.toReversed();
    expect((await records(app)).map(([id]) => id)).toEqual(newestFirst);
    expect(await records(app, "search=tenth")).toHaveLength(251);
    expect((await records(app, "languageId=2")).map(([id]) => id)).toEqual([ids[7]]);
  });

  it.each([500, 1000])("ends after full pages: %i contacts", async (count) => {
    const app = await startApp();
    await addContacts(
      app,
      Array.from({ length: count }, () => ({ events: [] })),
    );
    expect(await records(app)).toHaveLength(count);
  });

  it("has a contact once who agreed twice in one millisecond: with the last consent", async () => {
    const app = await startApp();
    await app.make.published("The Well", "en");
    for (const textVersion of ["1", "2", "3"]) {
      await linkTo(app.api, {
        slug: "the-well",
        languageCode: "en",
        consent: { marketing: true, textVersion },
      });
    }
    expect((await records(app)).map((record) => record.slice(9, 11))).toEqual([["true", "3"]]);
  });

  it("contains each contact's consent state", async () => {
    const app = await startApp({ CONSENT_TEXT_VERSIONS: "1" });
    await app.make.published("The Well", "en");
    const said: Record<string, [boolean, string][]> = {
      none: [],
      declined: [[false, "1"]],
      agreed: [
        [false, "1"],
        [true, "1"],
      ],
      withdrawn: [
        [true, "1"],
        [false, "1"],
      ],
      conflict: [
        [true, "1"],
        [false, "1"],
        [true, "1"],
      ],
      unknown_text: [[true, "2"]],
    };
    for (const [state, statements] of Object.entries(said)) {
      const asked = { slug: "the-well", languageCode: "en" };
      const reader = { email: `${state}@example.org`, firstName: state };
      await linkTo(app.api, { ...asked, contact: reader });
      for (const [marketing, textVersion] of statements)
        await linkTo(app.api, { ...asked, contact: reader, consent: { marketing, textVersion } });
    }
    const cells = (await records(app)).map((record) => [record[2], record[9], record[13]]);
    expect(cells.reverse()).toEqual([
      ["none", "", ""],
      ["declined", "false", "declined"],
      ["agreed", "true", "agreed"],
      ["withdrawn", "false", "withdrawn"],
      ["conflict", "false", "conflict"],
      ["unknown_text", "false", "unknown_text"],
    ]);
  });

  it("has every contact that existed throughout exactly once, regardless of concurrent changes", async () => {
    const app = await startApp();
    await addContacts(
      app,
      Array.from({ length: 3500 }, (_, index) => ({ publicId: idOf(index), events: [] })),
    );
    const { contacts } = app.container.services;
    let text = "";
    let pages = 0;
    for await (const page of (
      await contacts.export({ bom: false, raw: false, delimiter: "comma", format: "csv" })
    ).pages) {
      text += page.toString();
      pages += 1;
      if (pages > 1) continue;
      await addContacts(app, [{ publicId: idOf(4000), events: [] }]);
      const { database } = app.container;
      await database.commit(() =>
        database.writer
          .deleteFrom("contacts")
          .where("publicId", "<", idOf(900))
          .where("publicId", ">=", idOf(10))
          .execute(),
      );
    }
    const stayed = Array.from({ length: 3500 }, (_, index) => 3499 - index).filter((n) => n >= 900 || n < 10);
    expect(readCsv(text).map(([contactId]) => contactId)).toEqual(stayed.map(idOf));
  });

  it("contains only the header if no contact matches", async () => {
    const { make } = await startApp();
    const response = await (await make.login("analyst")).get(`${PATH}?search=unknown`);
    expect(response.body.toString()).toBe(`\u{FEFF}${COLUMNS.join(",")}\r\n`);
  });

  it("has a file name with its date range, and isn't cached", async () => {
    const { make } = await startApp();
    const analyst = await make.login("analyst");
    const { headers } = await analyst.get(`${PATH}?startDate=2026-03-01&endDate=2026-03-31`);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": "attachment; filename=contacts-from-2026-03-01-to-2026-03-31.csv",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const nameOf = async (query: string) =>
      (await analyst.head(`${PATH}?${query}`)).headers["content-disposition"]?.replace(/.*filename=/, "");
    expect(await nameOf("")).toBe("contacts-all-2026-03-01.csv");
    expect(await nameOf("delimiter=tab&raw=1&bom=0")).toBe("contacts-all-2026-03-01.csv");
    expect(await nameOf("country=KE")).toBe("contacts-filtered-2026-03-01.csv");
    expect(await nameOf("marketing=withdrawn")).toBe("contacts-marketing-withdrawn-2026-03-01.csv");
    expect(await nameOf("format=listmonk")).toBe("contacts-listmonk-marketing-2026-03-01.csv");
    expect(await nameOf("format=mailchimp&marketing=yes&timezone=Asia/Tokyo")).toBe(
      "contacts-mailchimp-marketing-2026-03-01.csv",
    );
    expect(await nameOf("format=listmonk&search=a&endDate=2026-03-01")).toBe(
      "contacts-listmonk-marketing-filtered-to-2026-03-01.csv",
    );
    const { entries } = (await (await make.login("admin")).get("/api/admin/audit?action=export&limit=1"))
      .body;
    expect(entries[0].objectName).toBe("contacts-listmonk-marketing-filtered-to-2026-03-01.csv");
  });

  it("protects spreadsheets from formulas unless raw output is requested", async () => {
    const app = await startApp();
    const names = ["=1+1", "+41a", "-x", "@sum", "\u3000=1", "＝1", 'he said "=1"'];
    await addContacts(
      app,
      names.map((firstName) => ({ firstName, lastName: "=2", phone: "+1+2" })),
    );
    const newestFirst = names.toReversed();
    const guarded = newestFirst.map((name) => (name.startsWith("he") ? name : `'${name}`));
    expect((await records(app)).map((record) => record.slice(2, 5))).toEqual(
      guarded.map((name) => [name, "'=2", "'+1+2"]),
    );
    expect((await records(app, "raw=1")).map((record) => record.slice(2, 5))).toEqual(
      newestFirst.map((name) => [name, "=2", "+1+2"]),
    );
  });
});
