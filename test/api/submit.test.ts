/** The form that asks for one book. */
import { describe, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { AGENTS, CHROME, findOnlyEvent, listContacts, listEvents } from "../support/reader.ts";

const PATH = "/api/download/submit";
const MINUTE = 60_000;

/** One book in Spanish, with a file. */
async function scene(variables = {}) {
  const app = await startApp(variables);
  const language = await app.make.language("es", { name: "Spanish" });
  const book = await app.make.book("The Well", {
    translations: [{ languageCode: "es", title: "El pozo" }],
  });
  const file = await app.make.textFile(book.id, "es", "pozo", "El pozo.txt");
  const request = { slug: "the-well", languageCode: "es", contact };
  const submit = (more: object = {}, query = "") => app.api.post(`${PATH}${query}`, { ...request, ...more });
  return { app, api: app.api, language, book, file, request, submit };
}

async function addPdf(app: TestApp, bookId: string): Promise<{ id: string }> {
  const bytes = Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
  const response = await (await app.admin()).upload("post", `/api/admin/books/${bookId}/files`, {
    fields: { languageCode: "es", fileType: "pdf" },
    file: { bytes, name: "El pozo.pdf" },
  });
  expect(response.status).toBe(201);
  return response.body;
}

describe("POST /api/download/submit", () => {
  it("returns a link, and records contact and event", async () => {
    const { app, api, language, book, file, submit } = await scene();
    const campaign = "?utm_source=newsletter&utm_medium=e-mail&utm_campaign=Frühling&gclid=1";
    const response = await api
      .with({ "User-Agent": AGENTS.chrome, Referer: "https://example.org/libros?x=1" })
      .post(`${PATH}${campaign}`, { bookId: book.id, languageCode: "ES", contact });
    expect(response.status).toBe(200);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.body).toEqual({
      downloadUrl: expect.stringMatching(/^\/api\/download\/[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresAt: "2026-03-01T12:10:00.000Z",
      fileName: "El pozo [es].txt",
      fileSizeBytes: 4,
      fileType: "txt",
    });
    expect((await api.get(response.body.downloadUrl)).body.toString()).toBe("pozo");

    const [reader] = await listContacts(app);
    expect(reader).toEqual({
      id: 1,
      publicId: expect.any(String),
      ...contact,
      lastName: "",
      phone: "",
      country: "",
      searchText: "sara\nreader@example.org",
      countryText: "",
      firstDownloadAt: app.clock.now(),
      lastDownloadAt: app.clock.now(),
      totalDownloads: 1,
      verifiedAt: null,
      mailState: "ok",
      mailFailures: 0,
      mailKey: null,
    });
    expect(await findOnlyEvent(app)).toMatchObject({
      downloadedAt: app.clock.now(),
      contactId: reader?.id,
      isDownloadAll: 0,
      booksCount: 1,
      bookId: book.id,
      fileId: file.id,
      archiveId: null,
      languageId: language.id,
      bookTitle: "El pozo",
      fileType: "txt",
      fileName: "El pozo.txt",
      languageName: "Spanish",
      languageCode: "es",
      utmSource: "newsletter",
      utmMedium: "e-mail",
      utmCampaign: "Frühling",
    });

    await submit();
    const [, second] = await listEvents(app);
    expect(second).toMatchObject({ redeemedAt: null, utmSource: null, utmMedium: null, utmCampaign: null });
  });

  it("records the requester until the first download", async () => {
    const { app, api, request } = await scene();
    await api
      .with({ "User-Agent": AGENTS.chrome, Referer: "https://example.org/libros?x=1" })
      .post(PATH, request);
    expect(await findOnlyEvent(app)).toMatchObject({
      redeemedAt: null,
      ipAddress: "127.0.0.1",
      countryCode: null,
      city: null,
      isBot: 0,
      ...CHROME,
      referrer: "https://example.org/libros?x=1",
    });
  });

  it("never rejects a request for a marketing parameter: repeated ones are reduced to the first, cleaned and cut to 200 characters", async () => {
    const { app, api, request } = await scene();
    const source = `${"x".repeat(199)}${encodeURIComponent("👩‍👩‍👧")}`;
    const query = `utm_source=${source}&utm_medium=a%00b%0d%0ac&utm_campaign=first&utm_campaign=second&fbclid=x`;
    expect((await api.post(`${PATH}?${query}`, request)).status).toBe(200);
    expect(await findOnlyEvent(app)).toMatchObject({
      utmSource: "x".repeat(199),
      utmMedium: "a b c",
      utmCampaign: "first",
    });
  });

  it("ignores unknown fields, and accepts names of any script in NFC", async () => {
    const { app, submit } = await scene();
    const response = await submit({
      newsletter: true,
      contact: {
        email: " Reader@Example.ORG ",
        firstName: "  Ame\u0301lie 👩‍🚀 ",
        lastName: "الزهراء",
        honey: "",
      },
    });
    expect(response.status).toBe(200);
    expect(await listContacts(app)).toMatchObject([
      { email: "reader@example.org", firstName: "Amélie 👩‍🚀", lastName: "الزهراء" },
    ]);
  });

  it("returns 404 for an unknown language, an unknown book, a language without it, another book's file", async () => {
    const { app, book, submit } = await scene();
    await app.make.language("fr");
    const other = await app.make.published("Other", "es");
    expectProblem(await submit({ languageCode: "de" }), 404, { code: "language_not_found" });
    const wrongField = "Book not found. Send a slug as slug, and an id as bookId.";
    for (const [named, detail] of [
      [{ slug: "unknown" }, "Book not found."],
      [{ slug: book.id }, wrongField],
      [{ slug: undefined, bookId: book.slug }, wrongField],
    ] as const) {
      const response = await submit(named);
      expectProblem(response, 404, { code: "book_not_found" });
      expect(response.body.detail).toBe(detail);
    }
    expectProblem(await submit({ languageCode: "fr" }), 404, { code: "not_published" });
    expectProblem(await submit({ fileType: "pdf" }), 404, { code: "file_not_found" });
    expectProblem(await submit({ fileId: other.file.id }), 404, { code: "file_not_found" });
    expect(await listEvents(app)).toEqual([]);
  });

  it("looks a rejected request up once: only a file that has gone meanwhile is looked up again", async () => {
    const { app, submit } = await scene();
    const readVersion = vi.spyOn(app.container.services.publicCatalogue, "readVersion");
    for (const [more, code] of [
      [{ slug: "unknown" }, "book_not_found"],
      [{ fileType: "pdf" }, "file_not_found"],
      [{ languageCode: "fr" }, "language_not_found"],
    ] as const) {
      expectProblem(await submit(more), 404, { code });
      expect(readVersion, code).toHaveBeenCalledOnce();
      readVersion.mockClear();
    }
  });

  it("selects the file by type or id, and lists the types if there are several", async () => {
    const { app, book, file, submit } = await scene();
    const pdf = await addPdf(app, book.id);
    const which = await submit();
    expectProblem(which, 400, { code: "file_type_needed", errors: ["fileType file_type_needed"] });
    expect(which.body.error).toBe("Select a file with fileType or fileId. This book has: pdf, txt.");
    expect((await submit({ fileType: "pdf" })).body.fileName).toBe("El pozo [es].pdf");
    expect((await submit({ fileId: file.id })).body.fileType).toBe("txt");
    expect((await submit({ fileId: pdf.id, fileType: "pdf" })).body.fileType).toBe("pdf");
    expectProblem(await submit({ fileId: pdf.id, fileType: "txt" }), 404, { code: "file_not_found" });

    await (await app.admin()).delete(`/api/admin/books/${book.id}/files/${file.id}`);
    expect((await submit()).body.fileType).toBe("pdf");
  });

  it("suggests a corrected e-mail address, and accepts the given one", async () => {
    const { app, submit } = await scene();
    const response = await submit({ contact: { ...contact, email: "Sara@gmial.com" } });
    expect(response.status).toBe(200);
    expect(response.body.emailSuggestion).toBe("sara@gmail.com");
    expect(await listContacts(app)).toMatchObject([{ email: "sara@gmial.com" }]);
  });

  it("returns a separate link to each of many concurrent requests", async () => {
    const { app, api, request } = await scene();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api.post(PATH, { ...request, contact: { ...contact, email: `r${index % 8}@example.org` } }),
      ),
    );
    expect(new Set(responses.map(({ body }) => body.downloadUrl)).size).toBe(40);
    expect(await listEvents(app)).toHaveLength(40);
    const contacts = await listContacts(app);
    expect(contacts.map(({ totalDownloads }) => totalDownloads)).toEqual(Array(8).fill(5));
  });
});

describe("a known e-mail", () => {
  it("keeps the stored fields of the contact, and only empty ones are filled", async () => {
    const { app, submit } = await scene();
    const first = { email: "sara@example.org", firstName: "Sara", phone: "+34 1" };
    await submit({ contact: first });
    app.clock.advance(MINUTE);
    const unexpected = {
      email: "SARA@example.org",
      firstName: "Mallory",
      lastName: "Díaz",
      phone: "+1 666",
      country: "Spain",
    };
    await submit({ contact: unexpected });
    app.clock.advance(MINUTE);
    await submit({ contact: { email: "sara@example.org", firstName: "M", lastName: "M", country: "M" } });
    expect(await listContacts(app)).toMatchObject([
      {
        email: "sara@example.org",
        firstName: "Sara",
        lastName: "Díaz",
        phone: "+34 1",
        country: "Spain",
        searchText: "sara diaz\nsara@example.org\n+34 1\n341\nspain",
        firstDownloadAt: app.clock.now() - 2 * MINUTE,
        lastDownloadAt: app.clock.now(),
        totalDownloads: 3,
      },
    ]);
    const ids = new Set((await listEvents(app)).map(({ contactId }) => contactId));
    expect(ids.size).toBe(1);
  });

  it("keeps the first and last download in order, even if the clock has been set back", async () => {
    const { app, submit } = await scene();
    const at = app.clock.now();
    await submit();
    app.clock.advance(-MINUTE);
    await submit();
    expect(await listContacts(app)).toMatchObject([
      { firstDownloadAt: at - MINUTE, lastDownloadAt: at, totalDownloads: 2 },
    ]);
  });

  it("has the same response as an unknown one", async () => {
    const { submit } = await scene();
    await submit({ contact: { ...contact, email: "known@example.org" } });
    const known = await submit({ contact: { ...contact, email: "known@example.org" } });
    const unknown = await submit({ contact: { ...contact, email: "fresh@example.org" } });
    const shape = ({ status, headers, body }: typeof known) => ({
      status,
      headers: Object.keys(headers).sort(),
      body: { ...body, downloadUrl: body.downloadUrl.length },
    });
    expect(shape(known)).toEqual(shape(unknown));
  });
});
