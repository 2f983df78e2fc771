/** Everything that is on record about one person, for that person. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { AGENTS, CHROME, IPHONE, linkTo, listContacts } from "../support/reader.ts";

const pathOf = (id: string | undefined) => `/api/admin/contacts/${id}/personal-data`;

describe("GET /api/admin/contacts/{contactId}/personal-data", () => {
  it("returns 404 for an unknown contact", async () => {
    const analyst = await (await startApp()).make.login("analyst");
    expectProblem(await analyst.get(pathOf("unknown")), 404, { code: "contact_not_found" });
  });

  it("returns contact, consents and downloads with addresses of this person only", async () => {
    const app = await startApp({ TRUST_PROXY: "1" });
    await app.make.language("en", { name: "English" });
    await app.make.published("The Well", "en");
    const reader = app.api.with({ "User-Agent": AGENTS.chrome, "X-Forwarded-For": "192.0.2.7" });
    const asked = { slug: "the-well", languageCode: "en" };
    const link = await linkTo(reader, { ...asked, consent: { marketing: true, textVersion: "1" } });
    app.clock.advance(1000);
    await linkTo(reader, { ...asked, consent: { marketing: false, textVersion: "2" } });
    await linkTo(reader, { ...asked, contact: { email: "ben@example.org", firstName: "Ben" } });
    const phone = {
      "User-Agent": AGENTS.iphone,
      "X-Forwarded-For": "198.51.100.9",
      Referer: "https://a.example/",
    };
    await app.api.get(link, phone);

    const sara = (await listContacts(app)).find(({ email }) => email === contact.email);
    const analyst = await app.make.login("analyst");
    const response = await analyst.get(pathOf(sara?.publicId));
    expect(response.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename=personal-data-${sara?.publicId}.json`,
      "cache-control": "no-store",
    });
    const download = {
      isDownloadAll: 0,
      booksCount: 1,
      countryCode: "",
      countryName: "",
      city: "",
      isBot: 0,
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
      bookTitle: "The Well",
      fileType: "txt",
      fileName: "book.txt",
      languageName: "English",
      languageCode: "en",
    };
    expect(response.body).toEqual({
      contact: (await analyst.get(`/api/admin/contacts/${sara?.publicId}`)).body.contact,
      consent: {
        state: "withdrawn",
        marketing: false,
        textVersion: "2",
        languageCode: "en",
        givenAt: "2026-03-01T12:00:01.000Z",
      },
      consents: [
        {
          marketing: false,
          textVersion: "2",
          languageCode: "en",
          givenAt: "2026-03-01T12:00:01.000Z",
          repeatedAt: null,
          source: "form",
          eventId: "2",
          ipAddress: "192.0.2.7",
          formerAddress: false,
        },
        {
          marketing: true,
          textVersion: "1",
          languageCode: "en",
          givenAt: "2026-03-01T12:00:00.000Z",
          repeatedAt: null,
          source: "form",
          eventId: "1",
          ipAddress: "192.0.2.7",
          formerAddress: false,
        },
      ],
      events: [
        {
          ...download,
          id: "2",
          downloadedAt: "2026-03-01T12:00:01.000Z",
          redeemedAt: null,
          ipAddress: "192.0.2.7",
          ...CHROME,
          referrer: "",
        },
        {
          ...download,
          id: "1",
          downloadedAt: "2026-03-01T12:00:00.000Z",
          redeemedAt: "2026-03-01T12:00:01.000Z",
          ipAddress: "198.51.100.9",
          ...IPHONE,
          referrer: "https://a.example/",
        },
      ],
    });
    expect((await analyst.head(pathOf(sara?.publicId))).status).toBe(200);
  });

  it.each([0, 1000, 2001])("is complete with %i downloads", async (count) => {
    const app = await startApp();
    const events = Array.from({ length: count }, () => ({}));
    const [, id] = await addContacts(app, [{}, { events }, {}]);
    const { body } = await (await app.make.login("analyst")).get(pathOf(id));
    expect(body.consents).toEqual([]);
    expect(body.events.map((event: { id: string }) => Number(event.id))).toEqual(
      Array.from({ length: count }, (_, index) => count + 1 - index),
    );
  });
});
