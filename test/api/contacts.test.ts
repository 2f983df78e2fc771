/** The contacts: who may see them, in which order, page by page, and one of them with their downloads. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { AGENTS, linkTo, linkToAll } from "../support/reader.ts";

const PATH = "/api/admin/contacts";
const HOUR = 3_600_000;

/** What the list has of a contact without a statement on marketing. */
const silent = { marketing: "unknown", marketingTextVersion: null, marketingAt: null };

const asha = {
  email: "asha@example.org",
  firstName: "Asha",
  lastName: "Rao",
  phone: "+91 22 1234567",
  country: "India",
};

/** Asha asks for a book and later for a whole language; Ben for the book in between. */
async function scene() {
  const app = await startApp();
  await app.make.language("en", { name: "English" });
  await app.make.published("The Well", "en");
  const api = app.api.with({ "User-Agent": AGENTS.chrome, Referer: "https://example.org/" });
  const ask = (contact: object) => linkTo(api, { slug: "the-well", languageCode: "en", contact });
  await ask(asha);
  app.clock.advance(HOUR);
  await ask({ email: "ben@example.org", firstName: "Ben" });
  app.clock.advance(HOUR);
  const response = await api.post("/api/download/submit-all", { languageCode: "en", contact: asha });
  expect(response.status).toBe(200);
  return { app, api, analyst: await app.make.login("analyst") };
}

describe("GET /api/admin/contacts", () => {
  it("is empty without contacts", async () => {
    const analyst = await (await startApp()).make.login("analyst");
    const response = await analyst.get(PATH);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.body).toEqual({
      contacts: [],
      pagination: { page: 1, limit: 50, total: 0, totalPages: 0 },
    });
  });

  it("lists contacts with their download counts, most recent first", async () => {
    const { analyst } = await scene();
    const { body } = await analyst.get(PATH);
    expect(body).toEqual({
      contacts: [
        {
          id: expect.any(String),
          ...asha,
          firstDownloadAt: "2026-03-01T12:00:00.000Z",
          lastDownloadAt: "2026-03-01T14:00:00.000Z",
          totalDownloads: 2,
          version: expect.any(String),
          ...silent,
        },
        {
          id: expect.any(String),
          email: "ben@example.org",
          firstName: "Ben",
          lastName: "",
          phone: "",
          country: "",
          firstDownloadAt: "2026-03-01T13:00:00.000Z",
          lastDownloadAt: "2026-03-01T13:00:00.000Z",
          totalDownloads: 1,
          version: expect.any(String),
          ...silent,
        },
      ],
      pagination: { page: 1, limit: 50, total: 2, totalPages: 1 },
    });
    expect(Object.keys(body.contacts[0])).toEqual([
      "id",
      "email",
      "firstName",
      "lastName",
      "phone",
      "country",
      "firstDownloadAt",
      "lastDownloadAt",
      "totalDownloads",
      "version",
      "marketing",
      "marketingTextVersion",
      "marketingAt",
    ]);
  });

  it("has pages in a total order", async () => {
    const app = await startApp();
    const ids = await addContacts(
      app,
      Array.from({ length: 5 }, () => ({})),
    );
    const analyst = await app.make.login("analyst");
    const page = async (query: string) => {
      const { contacts, pagination } = (await analyst.get(`${PATH}?${query}`)).body;
      return { ids: contacts.map(({ id }: { id: string }) => id), pagination };
    };
    const all = ids.toReversed();
    expect((await page("limit=2")).ids).toEqual(all.slice(0, 2));
    expect((await page("limit=2&page=3")).ids).toEqual(all.slice(4));
    expect(await page("limit=2&page=4")).toEqual({
      ids: [],
      pagination: { page: 4, limit: 2, total: 5, totalPages: 3 },
    });
    expect((await page("limit=1000")).pagination).toMatchObject({ limit: 200, totalPages: 1 });
  });
});

describe("GET /api/admin/contacts/{contactId}", () => {
  it("returns the contact with their own downloads, newest first, in exactly the fields of a history", async () => {
    const { api, analyst } = await scene();
    await linkToAll(api, "en");
    const { contacts } = (await analyst.get(`${PATH}?search=asha`)).body;
    const { marketing, marketingTextVersion, marketingAt, ...listed } = contacts[0];
    expect({ marketing, marketingTextVersion, marketingAt }).toEqual(silent);
    const response = await analyst.get(`${PATH}/${listed.id}`);
    expect(response.status).toBe(200);
    const place = { countryCode: "", countryName: "", city: "" };
    const device = { deviceType: "desktop", browserName: "Chrome" };
    expect(response.body).toEqual({
      contact: listed,
      consent: {
        state: "none",
        marketing: false,
        textVersion: null,
        languageCode: null,
        givenAt: null,
      },
      consents: [],
      events: [
        {
          id: "3",
          downloadedAt: "2026-03-01T14:00:00.000Z",
          isDownloadAll: 1,
          booksCount: 1,
          ...place,
          ...device,
          bookTitle: "All books",
          fileType: "zip",
          languageName: "English",
          languageCode: "en",
        },
        {
          id: "1",
          downloadedAt: "2026-03-01T12:00:00.000Z",
          isDownloadAll: 0,
          booksCount: 1,
          ...place,
          ...device,
          bookTitle: "The Well",
          fileType: "txt",
          languageName: "English",
          languageCode: "en",
        },
      ],
    });
  });

  it("returns at most the latest thousand downloads, by their time", async () => {
    const app = await startApp();
    const now = app.clock.now();
    // The clock was put back in between: the last one written isn't the newest.
    const events = Array.from({ length: 1003 }, (_, index) => ({ downloadedAt: now + ((index + 5) % 1003) }));
    const [id] = await addContacts(app, [{ events }]);
    const { body } = await (await app.make.login("analyst")).get(`${PATH}/${id}`);
    const times = body.events.map(({ downloadedAt }: { downloadedAt: string }) => Date.parse(downloadedAt));
    expect(times).toEqual(Array.from({ length: 1000 }, (_, index) => now + 1002 - index));
  });
});
