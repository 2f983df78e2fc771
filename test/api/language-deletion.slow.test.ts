/** How much a language is used, and what goes with it when it goes. */
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { startWithAdmin } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { addContacts } from "../support/contact-rows.ts";
import { dumpOf } from "../support/database-dump.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo, linkToAll, listContacts, listEvents } from "../support/reader.ts";
import { createTxt, expectStored } from "../support/stored-files.ts";

const LANGUAGES = "/api/admin/languages";

/**
 * Two books in Spanish and Arabic: translations, files (one of them with the same bytes in both), publications,
 * and a download of each kind in each language.
 */
async function start() {
  const { app, client, api, make } = await startWithAdmin();
  const spanish = await make.language("es");
  const arabic = await make.language("ar");
  const { book } = await make.published("Well", "es", "in both");
  await make.textFile(book.id, "ar", "in both");
  await make.textFile(book.id, "es", "spanish");
  const { book: other } = await make.published("Another", "es", "another");
  for (const { id, code } of [spanish, arabic]) {
    await client.post(`/api/admin/books/${book.id}/translations`, {
      languageCode: code,
      title: `In ${code}`,
    });
    await app.make.publish(book.id, (await app.make.channel(`web-${code}`)).id, id);
    await linkTo(api, { slug: book.slug, languageCode: code });
    await linkToAll(api, code);
  }
  const usage = async (id: number) => (await client.get(`${LANGUAGES}/${id}`)).body;
  // What a ZIP is just made of stays until it is done.
  const stored = (...texts: string[]) => eventually(() => expectStored(app.dataDir, ...texts.map(createTxt)));
  await stored("in both", "spanish", "another");
  return { ...app, client, spanish, arabic, book, other, usage, stored };
}

it("the usage of a language counts everything that refers to it", async () => {
  const { client, usage, spanish, arabic, make } = await start();
  expect(await usage(spanish.id)).toEqual({ translations: 1, files: 3, publications: 1, downloads: 2 });
  expect(await usage(arabic.id)).toEqual({ translations: 1, files: 1, publications: 1, downloads: 2 });
  const unused = await make.language("sw");
  expect(await usage(unused.id)).toEqual({ translations: 0, files: 0, publications: 0, downloads: 0 });
  expectProblem(await client.get(`${LANGUAGES}/99`), 404, { code: "language_not_found" });
});

describe("deleting a language", () => {
  it("deletes its translations, files, publications and bytes, and leaves the others'", async () => {
    const { client, spanish, arabic, book, other, usage, stored, api } = await start();
    const before = await usage(arabic.id);
    const response = await client.delete(`${LANGUAGES}/${spanish.id}`);
    expect([response.status, response.body]).toEqual([200, { success: true }]);
    await stored("in both");
    expect(await usage(arabic.id)).toEqual(before);
    expectProblem(await client.get(`${LANGUAGES}/${spanish.id}`), 404, { code: "language_not_found" });
    expectProblem(await client.delete(`${LANGUAGES}/${spanish.id}`), 404);
    const details = (await client.get(`/api/admin/books/${book.id}`)).body;
    expect(details.translations).toMatchObject([{ languageCode: "ar" }]);
    expect(details.files).toMatchObject([{ languageCode: "ar" }]);
    const impact = (await client.get(`/api/admin/books/${book.id}?preview=delete`)).body.impact;
    expect(impact).toMatchObject({ translations: 1, files: 1, publications: 1 });
    expect((await client.get("/api/admin/books")).body.books).toMatchObject([
      { id: book.id, languages: ["ar"] },
      { id: other.id, languages: [], filesCount: 0 },
    ]);
    expect((await api.get("/api/books")).body.books).toMatchObject([{ id: book.id, languages: ["ar"] }]);
    await client.delete(`${LANGUAGES}/${arabic.id}`);
    await stored();
  });

  it.each([
    ["by default", "", undefined],
    ["by the query", "?mode=preserve_analytics", undefined],
    ["by the body", "", { mode: "preserve_analytics" }],
    ["by an empty body", "", {}],
  ])("keeps its events, with names and titles, %s", async (_, query, body) => {
    const app = await start();
    const before = await listEvents(app);
    expect((await app.client.delete(`${LANGUAGES}/${app.spanish.id}${query}`, body)).status).toBe(200);
    expect(await listEvents(app)).toEqual(before);
    const { downloads } = (await app.client.get("/api/admin/analytics/downloads")).body;
    const names = downloads.map(
      (event: Record<string, string>) => `${event.languageCode} ${event.languageName} ${event.bookTitle}`,
    );
    expect(names.sort()).toEqual([
      "ar Name of ar All books",
      "ar Name of ar In ar",
      "es Name of es All books",
      "es Name of es In es",
    ]);
  });

  it.each([
    ["query", "?mode=delete_all", undefined],
    ["body", "", { mode: "delete_all" }],
  ])("deletes its events, too, with delete_all in the %s, and no others", async (_, query, body) => {
    const app = await start();
    const others = (await listEvents(app)).filter(({ languageCode }) => languageCode === "ar");
    expect((await app.client.delete(`${LANGUAGES}/${app.spanish.id}${query}`, body)).status).toBe(200);
    expect(await listEvents(app)).toEqual(others);
    await app.stored("in both");
  });

  it("updates contacts whose events are deleted, and deletes those without other events, with delete_all", async () => {
    const { app, client } = await startWithAdmin();
    const { id: spanish } = await app.make.language("es");
    const { id: arabic } = await app.make.language("ar");
    const at = (day: number, languageId = spanish) => ({ downloadedAt: day * 86_400_000, languageId });
    const inSpanish = Array.from({ length: 130 }, (_, day) => at(day + 1));
    const [, , , , detached = ""] = await addContacts(app, [
      { firstName: "First", events: [at(1), at(2, arabic), at(3)] },
      { firstName: "Last", events: [at(5, arabic), at(6), at(7, arabic)] },
      { firstName: "Only", events: inSpanish },
      { firstName: "Many", events: [...inSpanish, at(60, arabic), at(61, arabic)] },
      // An older event has lost them, whose time is the contact's first.
      { firstName: "Detached", events: [at(3), at(4, arabic)], firstDownloadAt: 1, totalDownloads: 3 },
      { firstName: "Other", events: [at(1, arabic)] },
    ]);
    await writeRows(app, (db) =>
      db
        .insertInto("consents")
        .values({
          id: "a",
          contactId: 3,
          marketing: 1,
          textVersion: "1",
          languageCode: "es",
          givenAt: 1,
          repeatedAt: null,
          eventId: 7,
          ipAddress: null,
          userId: null,
          userName: null,
        })
        .execute(),
    );
    const before = await client.get(`/api/admin/contacts/${detached}`);
    expect(before.body.contact.totalDownloads).toBe(3);
    expect((await client.delete(`${LANGUAGES}/${spanish}?mode=delete_all`)).status).toBe(200);
    const days = (time: number) => time / 86_400_000;
    const reported = (await listContacts(app)).map(
      ({ firstName, firstDownloadAt, lastDownloadAt, totalDownloads }) =>
        [firstName, days(firstDownloadAt), days(lastDownloadAt), totalDownloads] as const,
    );
    expect(reported.sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ["Detached", days(1), 4, 2],
      ["First", 2, 2, 1],
      ["Last", 5, 7, 2],
      ["Many", 60, 61, 2],
      ["Other", 1, 1, 1],
    ]);
    const { rows } = await dumpOf(app);
    expect(rows.consents).toEqual([]);
    // Those who keep the counts are told.
    expect(rows.event_changes).toHaveLength(2 + 1 + 130 + 130 + 1);
    const { totals } = (await client.get("/api/admin/analytics/summary")).body;
    expect(totals.contacts).toBe(5);
  });

  it("leaves the contacts unchanged with preserve_analytics", async () => {
    const app = await start();
    const before = (await dumpOf(app)).rows.contacts;
    expect((await app.client.delete(`${LANGUAGES}/${app.spanish.id}`)).status).toBe(200);
    expect((await dumpOf(app)).rows.contacts).toEqual(before);
  });

  it("deletes with its events the sets of files that no other event refers to", async () => {
    const app = await start();
    const { read } = app.container.database;
    const sets = async () => {
      const archives = await read.selectFrom("archives").select("id").orderBy("id").execute();
      const books = await read.selectFrom("archive_books").select("archiveId").distinct().execute();
      return {
        archives: archives.map(({ id }) => id),
        withBooks: books.map(({ archiveId }) => archiveId).sort(),
      };
    };
    await app.client.delete(`${LANGUAGES}/${app.spanish.id}`);
    expect((await sets()).archives).toHaveLength(2);
    const again = await app.make.language("es");
    await app.make.textFile(app.book.id, "es", "spanish, anew");
    await linkToAll(app.api, "es");
    expect((await sets()).archives).toHaveLength(3);
    await app.client.delete(`${LANGUAGES}/${again.id}?mode=delete_all`);
    const named = (await listEvents(app)).flatMap(({ archiveId }) => archiveId ?? []).sort();
    expect(named).toHaveLength(2);
    expect(await sets()).toEqual({ archives: named, withBooks: named });
    await app.client.delete(`${LANGUAGES}/${app.arabic.id}?mode=delete_all`);
    expect((await sets()).archives).toHaveLength(1);
  });

  it("deletes all of its events, regardless of their number, and none of another language", async () => {
    const app = await start();
    const [event] = await listEvents(app);
    const { id: _, ...copy } = event ?? expect.fail("There is no event to copy");
    const many = Array.from({ length: 400 }, () => ({
      ...copy,
      languageId: app.spanish.id,
      archiveId: null,
    }));
    for (let time = 0; time < 3; time += 1) {
      await writeRows(app, (db) => db.insertInto("download_events").values(many).execute());
    }
    const others = (await listEvents(app)).filter(({ languageId }) => languageId !== app.spanish.id);
    expect(others.length).toBeGreaterThan(0);
    const path = `${LANGUAGES}/${app.spanish.id}?mode=delete_all`;
    expect((await app.client.delete(path)).status).toBe(200);
    expect(await listEvents(app)).toEqual(others);
    expectProblem(await app.client.delete(path), 404);
  });

  it("rejects any other mode, and then deletes nothing", async () => {
    const { client, spanish, usage, stored } = await start();
    const path = `${LANGUAGES}/${spanish.id}`;
    const before = await usage(spanish.id);
    const errors = ["mode invalid_value"];
    // An empty parameter of a query, as null in a body, counts as absent.
    expectProblem(await client.delete(path, { mode: "" }), 400, { errors });
    for (const mode of ["all", "DELETE_ALL", "preserve_analytics "]) {
      expectProblem(await client.delete(path, { mode }), 400, { errors });
      expectProblem(await client.delete(`${path}?${new URLSearchParams({ mode })}`), 400, { errors });
    }
    expectProblem(await client.delete(path, { modus: "delete_all" }), 400, {
      errors: ["modus unknown_field"],
    });
    expectProblem(await client.delete(`${path}?force=1`), 400, { errors: ["force unknown_field"] });
    expectProblem(await client.delete(`${path}?mode=delete_all`, { mode: "preserve_analytics" }), 400, {
      errors: ["mode contradiction"],
    });
    expect(
      (await client.call("delete", path, { headers: { "Content-Type": "application/json" }, body: "{" }))
        .status,
    ).toBe(400);
    expect(
      (await client.call("delete", path, { headers: { "Content-Type": "text/plain" }, body: "mode" })).status,
    ).toBe(415);
    expect(await usage(spanish.id)).toEqual(before);
    await stored("in both", "spanish", "another");
  });

  it("makes its sub-languages independent, with only their own content", async () => {
    const app = await start();
    const { client, make, spanish, api, other } = app;
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    await make.textFile(other.id, "es-MX", "mexican");
    await make.override(mexican.id, app.book.id, false);
    await client.delete(`${LANGUAGES}/${spanish.id}`);
    const { languages } = (await client.get(LANGUAGES)).body;
    expect(languages.find(({ id }: { id: number }) => id === mexican.id)).toMatchObject({
      parentId: null,
      code: "es-MX",
    });
    expect((await api.get("/api/books?languageCode=es-MX")).body.books).toMatchObject([{ id: other.id }]);
    expect((await make.language("es-AR", { parentId: mexican.id })).code).toBe("es-AR");
    await app.stored("in both", "mexican");
  });

  it("never assigns its number to another language", async () => {
    const { client, arabic, make } = await start();
    await client.delete(`${LANGUAGES}/${arabic.id}`);
    const again = await make.language("ar");
    expect(again.id).toBeGreaterThan(arabic.id);
  });

  it("deletes the bytes of a file that is uploaded concurrently", async () => {
    const app = await start();
    const { store, services } = app.container;
    const received = await store.receive(Readable.from([createTxt("late")]), { maxBytes: 100 });
    const { sha256 } = await store.keep(received);
    const place = { id: "late", bookId: app.book.id, languageId: app.spanish.id };
    const content = { fileType: "txt", sourceType: "local", fileName: "late.txt", fileSizeBytes: 4, sha256 };
    const state = { cloudUrl: null, downloadCount: 0, isActive: 0 as const, createdAt: 1, updatedAt: 1 };
    // The row is asked for before the deletion, and written after that has begun.
    const row = writeRows(app, (db) =>
      db
        .insertInto("book_files")
        .values({ ...place, ...content, ...state })
        .execute(),
    );
    await Promise.all([
      row,
      services.languages.delete(createSystemAuthor("test"), app.spanish.id, { modes: [] }),
    ]);
    await app.stored("in both");
  });

  it("takes effect once for concurrent requests", async () => {
    const { client, spanish, stored } = await start();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.delete(`${LANGUAGES}/${spanish.id}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    await stored("in both");
  });
});
