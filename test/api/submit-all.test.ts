/** The form that asks for everything in a language. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { findOnlyEvent, listContacts, listEvents } from "../support/reader.ts";

const PATH = "/api/download/submit-all";

describe("POST /api/download/submit-all", () => {
  it("returns a link and its contents, and records contact, event and set of files", async () => {
    const app = await startApp();
    const { api, make } = app;
    const language = await make.language("hi", { name: "Hindi" });
    const one = await make.published("One", "hi", "एक");
    const two = await make.published("Two", "hi", "दो दो");
    await make.published("Only French", "fr");

    const query = "?utm_source=poster&utm_medium=&utm_campaign=autumn";
    const response = await api.post(`${PATH}${query}`, { languageCode: "HI", contact, unknown: [1] });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      downloadUrl: expect.stringMatching(/^\/api\/download\/[\w-]+\.[\w-]+\.[\w-]+$/),
      booksCount: 2,
      expiresAt: "2026-03-01T12:10:00.000Z",
      filesCount: 2,
      totalBytes: Buffer.byteLength("एक") + Buffer.byteLength("दो दो"),
    });
    const event = await findOnlyEvent(app);
    expect(event).toMatchObject({
      isDownloadAll: 1,
      booksCount: 2,
      bookId: null,
      fileId: null,
      languageId: language.id,
      bookTitle: "All books",
      fileType: "zip",
      fileName: "hi.zip",
      languageName: "Hindi",
      languageCode: "hi",
      redeemedAt: null,
      utmSource: "poster",
      utmMedium: null,
      utmCampaign: "autumn",
    });
    expect(await listContacts(app)).toMatchObject([{ ...contact, totalDownloads: 1 }]);

    const { read } = app.container.database;
    const archives = await read.selectFrom("archives").selectAll().execute();
    expect(archives).toMatchObject([{ id: event.archiveId, booksCount: 2, filesCount: 2, totalBytes: 19 }]);
    const books = await read.selectFrom("archive_books").select("bookId").execute();
    expect(books.map(({ bookId }) => bookId).sort()).toEqual([one.book.id, two.book.id].sort());

    // The same set is on record once, however often it is asked for.
    await api.post(PATH, { languageCode: "hi", contact });
    expect(await read.selectFrom("archives").selectAll().execute()).toEqual(archives);
    expect(await listEvents(app)).toMatchObject([{}, { archiveId: event.archiveId }]);
  });

  it("returns 404 if nothing is published, reports all errors, and writes nothing in both cases", async () => {
    const app = await startApp();
    const { api, make } = app;
    await make.language("fr");
    expectProblem(await api.post(PATH, { languageCode: "fr", contact }), 404, {
      code: "nothing_to_download",
    });
    expectProblem(await api.post(PATH, { languageCode: "de", contact }), 404, { code: "language_not_found" });
    const response = await api.post(PATH, { contact: { email: "@" } });
    expectProblem(response, 400);
    expect(response.body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      "contact.email",
      "contact.firstName",
      "languageCode",
    ]);
    expect(await listEvents(app)).toEqual([]);
    expect(await listContacts(app)).toEqual([]);
  });
});
