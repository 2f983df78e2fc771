import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { createYear, type OfferedFile, writeYear } from "../../tools/demo/year.ts";
import { startWithAdmin } from "../support/app.ts";

const TODAY = "2026-03-08";
const DAY = 86_400_000;

const files = ["en", "es", "ar", "hi"].map(
  (languageCode, index): OfferedFile => ({
    fileId: `file ${index}`,
    bookId: `book ${index}`,
    bookTitle: `Title ${index}`,
    fileType: "epub",
    fileName: `${index}.epub`,
    languageId: index + 1,
    languageName: `Language ${index}`,
    languageCode,
  }),
);
const year = createYear(files, TODAY);

describe("the made-up year", () => {
  it("is the same for the same day, and another one for another day", () => {
    expect(createYear(files, TODAY)).toEqual(year);
    const next = createYear(files, "2026-03-09");
    expect(next.events.map(({ contactId }) => contactId)).not.toEqual(
      year.events.map(({ contactId }) => contactId),
    );
  });

  it("has 20,000 downloads in the 365 days that end yesterday, in their order", () => {
    const times = year.events.map(({ downloadedAt }) => downloadedAt);
    expect(times).toHaveLength(20_000);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const days = new Set(times.map((time) => (Date.parse(TODAY) - time) / DAY).map(Math.ceil));
    expect([Math.min(...days), Math.max(...days)]).toEqual([1, 365]);
  });

  it("needs a file", () => {
    expect(() => createYear([], TODAY)).toThrow("nothing to pick");
  });
});

it("is what the service counts, for books, readers and newsletters", async () => {
  const { app, client } = await startWithAdmin();
  const language = await app.make.language("en");
  const { book, file } = await app.make.published("The Well", "en");
  const offered = {
    ...{ fileId: file.id, bookId: book.id, bookTitle: "The Well", fileType: "txt", fileName: "well.txt" },
    ...{ languageId: language.id, languageName: "English", languageCode: "en" },
  };
  const { events, contacts, consents } = createYear([offered], TODAY);
  writeYear(join(app.dataDir, DATABASE_FILE), { events, contacts, consents });

  const redeemed = events.filter(({ redeemedAt }) => redeemedAt !== null).length;
  const { body: report } = await client.get(
    "/api/admin/analytics/by-book?startDate=2025-03-08&endDate=2026-03-07",
  );
  expect(report.data).toMatchObject([
    { bookId: book.id, totalDownloads: events.length, uniqueContacts: contacts.length, redeemed },
  ]);
  const { body: books } = await client.get("/api/admin/books");
  expect(books.books).toMatchObject([{ totalDownloads: redeemed }]);

  const found = await client.get(`/api/admin/contacts/${contacts[0]?.publicId}`);
  expect(found.body.contact.totalDownloads).toBe(found.body.events.length);
  const { body: willing } = await client.get("/api/admin/contacts?marketing=yes&limit=1");
  expect(willing.pagination.total).toBe(consents.filter(({ marketing }) => marketing === 1).length);
  const { body: doctor } = await client.get("/api/admin/doctor");
  expect(doctor.findings.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
});
