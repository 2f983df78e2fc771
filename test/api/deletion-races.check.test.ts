/** Download requests beside a deletion: each is recorded while its files are published, or not at all. */

import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { transactionUndone } from "../../src/db/storage-error.ts";
import { splitIntoBatches } from "../../src/lib/collections.ts";
import { createContact } from "../../src/services/contacts/consent-ledger.ts";
import { portOf } from "../../tools/lib/listening.ts";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { addEvent, EVENT } from "../support/contact-rows.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { linkTo, linkToAll, listContacts, listEvents } from "../support/reader.ts";
import { createTxt, expectStored } from "../support/stored-files.ts";

const LANGUAGES = "/api/admin/languages";
const EVENTS = 2000;
const FORMS = 200;

/** A book in Spanish and in Arabic. */
async function scene() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const arabic = await app.make.language("ar");
  const { book, file } = await app.make.published("Well", "es", "spanish");
  await app.make.textFile(book.id, "ar", "arabic");
  return { ...app, client, spanish, arabic, book, file };
}

/**
 * Holds the first write of each request, performs the change, and lets the writes run together.
 * @returns the responses to the requests
 */
async function changeBeforeWrites<T>(
  { container: { database } }: TestApp,
  requests: readonly (() => PromiseLike<T>)[],
  change: () => Promise<unknown>,
): Promise<T[]> {
  const commit = database.commit.bind(database);
  const allHeld = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const spy = vi.spyOn(database, "commit").mockImplementation(async (...work) => {
    if (spy.mock.calls.length <= requests.length) {
      if (spy.mock.calls.length === requests.length) allHeld.resolve();
      await released.promise;
    }
    return commit(...work);
  });
  const responses = Promise.all(requests.map((request) => request()));
  await allHeld.promise;
  await change();
  released.resolve();
  try {
    return await responses;
  } finally {
    spy.mockRestore();
  }
}

const changeBeforeWrite = async <T>(
  app: TestApp,
  request: () => PromiseLike<T>,
  change: () => Promise<unknown>,
) => {
  const [response] = await changeBeforeWrites(app, [request], change);
  return response ?? expect.fail("There is no response");
};

/** What is left of a language, contacts without events, and consents that were given in Spanish. */
async function leftOf(app: TestApp, languageId: number) {
  const { read } = app.container.database;
  const { rows } = await sql<Record<"events" | "archives" | "files" | "contacts" | "consents", number>>`select
    (select count(*) from download_events where "languageId" = ${languageId}) as events,
    (select count(*) from archives where "languageId" = ${languageId}) as archives,
    (select count(*) from book_files where "languageId" = ${languageId}) as files,
    (select count(*) from contacts where not exists
      (select 1 from download_events where "contactId" = contacts.id)) as contacts,
    (select count(*) from consents where "languageCode" = 'es') as consents`.execute(read);
  return rows[0];
}

const NOTHING = { events: 0, archives: 0, files: 0, contacts: 0, consents: 0 };

describe("a request whose files were looked up before a change and that is written after it", () => {
  const form = { contact, slug: "well", languageCode: "es", consent: { marketing: true, textVersion: "1" } };

  it.each(["delete_all", "preserve_analytics"])(
    "isn't recorded if its language was deleted with %s",
    async (mode) => {
      const app = await scene();
      const deleteLanguage = () => app.client.delete(`${LANGUAGES}/${app.spanish.id}?mode=${mode}`);
      const submit = () => app.api.post("/api/download/submit", form);
      const response = await changeBeforeWrite(app, submit, deleteLanguage);
      expectProblem(response, 404, { code: "language_not_found" });
      expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
    },
  );

  it("isn't recorded with an archive if its language was deleted", async () => {
    const app = await scene();
    const deleteLanguage = () => app.client.delete(`${LANGUAGES}/${app.spanish.id}?mode=delete_all`);
    const submit = () => app.api.post("/api/download/submit-all", { contact, languageCode: "es" });
    expectProblem(await changeBeforeWrite(app, submit, deleteLanguage), 404, { code: "language_not_found" });
    expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
  });

  it.each([
    ["deleted", "?permanent=true", "book_not_found"],
    ["archived", "", "book_not_found"],
  ])("isn't recorded if its book was %s", async (_, query, code) => {
    const app = await scene();
    const submit = () => app.api.post("/api/download/submit", form);
    const remove = async () =>
      expect((await app.client.delete(`/api/admin/books/${app.book.id}${query}`)).status).toBe(200);
    expectProblem(await changeBeforeWrite(app, submit, remove), 404, { code });
    expect(await listEvents(app)).toEqual([]);
    expect(await listContacts(app)).toEqual([]);
  });

  it("isn't recorded if its file was deleted, unless another one has replaced it", async () => {
    const app = await scene();
    const submit = () => app.api.post("/api/download/submit", form);
    const remove = (id: string) => app.client.delete(`/api/admin/books/${app.book.id}/files/${id}`);
    let replacement = app.file;
    const replace = async () => {
      await remove(app.file.id);
      replacement = await app.make.textFile(app.book.id, "es", "spanish, second edition");
    };
    const response = await changeBeforeWrite(app, submit, replace);
    expect(response.status).toBe(200);
    expect(await listEvents(app)).toMatchObject([{ fileId: replacement.id }]);
    const refused = await changeBeforeWrite(app, submit, () => remove(replacement.id));
    expectProblem(refused, 404, { code: "not_published" });
    expect(await listEvents(app)).toHaveLength(1);
    expect(await listContacts(app)).toMatchObject([{ totalDownloads: 1 }]);
  });

  it("is recorded after a change that leaves its files published", async () => {
    const app = await scene();
    const submit = () => app.api.post("/api/download/submit", form);
    const rename = () => app.client.put(`/api/admin/books/${app.book.id}`, { titleEn: "The Well" });
    expect((await changeBeforeWrite(app, submit, rename)).status).toBe(200);
    expect(await listEvents(app)).toMatchObject([{ fileId: app.file.id, bookTitle: "Well" }]);
  });

  it("fails alone among others that are written together with it", async () => {
    const app = await scene();
    const submit = (languageCode: string, email: string) => () =>
      app.api.post("/api/download/submit", { slug: "well", languageCode, contact: { ...contact, email } });
    const languages = Array.from({ length: 10 }, (_, index) => (index === 4 ? "es" : "ar"));
    const forms = languages.map((code, index) => submit(code, `${index}@example.org`));
    const deactivate = () => app.client.put(`${LANGUAGES}/${app.spanish.id}`, { isActive: false });
    const responses = await changeBeforeWrites(app, forms, deactivate);
    expect(responses.map(({ status }) => status)).toEqual(
      languages.map((code) => (code === "es" ? 404 : 200)),
    );
    const recorded = (await listContacts(app)).map(({ email }) => email);
    expect(recorded).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9].map((index) => `${index}@example.org`));
  });

  it("isn't renewed if its language was deleted with its events", async () => {
    const app = await scene();
    // Its contact remains.
    await linkTo(app.api, { slug: "well", languageCode: "ar" });
    const link = await linkTo(app.api, { slug: "well", languageCode: "es" });
    const deleteLanguage = () => app.client.delete(`${LANGUAGES}/${app.spanish.id}?mode=delete_all`);
    const response = await changeBeforeWrite(app, () => app.api.post(`${link}/renewal`), deleteLanguage);
    expect(response.status).toBe(404);
    expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
  });

  it("isn't redeemed if its event was deleted, but its download is delivered", async () => {
    const app = await scene();
    const link = await linkToAll(app.api, "es");
    await app.make.published("Second", "es", "published since the request");
    const deleteLanguage = () => app.client.delete(`${LANGUAGES}/${app.spanish.id}?mode=delete_all`);
    const response = await changeBeforeWrite(app, () => app.api.get(link), deleteLanguage);
    expect(response.status).toBe(200);
    expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
    await eventually(() => expectStored(app.dataDir, createTxt("arabic")));
  });
});

/** Spanish events of as many contacts, each tenth of whom has one in Arabic, too. */
async function addManyEvents({ container: { database, clock } }: TestApp, spanish: number, arabic: number) {
  const now = clock.now();
  const isInBoth = (index: number) => index % 10 === 0;
  const form = { firstName: "Sara", lastName: "", phone: "", country: "" };
  const contacts = Array.from({ length: EVENTS }, (_, index) => ({
    ...createContact(`known-${index}`, { ...form, email: `known-${index}@example.org` }, now),
    totalDownloads: isInBoth(index) ? 2 : 1,
  }));
  await database.commit(async () => {
    const { writer } = database;
    const rows = await writer.insertInto("contacts").values(contacts).returning("id").execute();
    const events = rows.flatMap(({ id }, index) =>
      (isInBoth(index) ? [spanish, arabic] : [spanish]).map((languageId) => ({
        ...EVENT,
        contactId: id,
        downloadedAt: now,
        languageId,
      })),
    );
    for (const some of splitIntoBatches(events, 500))
      await writer.insertInto("download_events").values(some).execute();
  });
}

describe("deleting a language with 2,000 events beside 200 forms", () => {
  it("leaves no event, contact, archive or file of the language, in a bounded number of writes", async () => {
    const app = await scene();
    await addManyEvents(app, app.spanish.id, app.arabic.id);
    const commits = vi.spyOn(app.container.database, "commit");
    let isDeleted = false;
    const statuses = new Set<number>();
    /** One reader after the other; every tenth asks for Arabic. */
    const submitUntilDeleted = async (reader: number) => {
      for (let count = 0; count === 0 || !isDeleted; count += 1) {
        const response = await fetch(`http://127.0.0.1:${portOf(app.server)}/api/download/submit`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({
            contact: { ...contact, email: `${reader}-${count}@example.org` },
            slug: "well",
            languageCode: reader % 10 === 0 ? "ar" : "es",
            consent: { marketing: true, textVersion: "1" },
          }),
        });
        await response.body?.cancel();
        statuses.add(response.status);
      }
    };
    const readers = Array.from({ length: FORMS }, (_, reader) => submitUntilDeleted(reader));
    await eventually(() => expect(statuses).toContain(200));
    const response = await app.client.delete(`${LANGUAGES}/${app.spanish.id}?mode=delete_all`);
    isDeleted = true;
    expect(response.status).toBe(200);
    // Those of readers have a key.
    const writes = commits.mock.calls.filter(([, key]) => key === undefined).length;
    await Promise.all(readers);
    expect(statuses).toEqual(new Set([200, 404]));
    expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
    expect(await leftOf(app, app.arabic.id)).toMatchObject({ files: 1, contacts: 0 });
    const events = await listEvents(app);
    expect((await listContacts(app)).reduce((sum, { totalDownloads }) => sum + totalDownloads, 0)).toBe(
      events.length,
    );
    const forms = commits.mock.calls.length - writes;
    expect(writes).toBeLessThan(10 + (EVENTS + forms) / 400);
  });

  it("leaves it closed if the deletion is interrupted, and completes when it is repeated", async () => {
    const app = await scene();
    await addManyEvents(app, app.spanish.id, app.arabic.id);
    const { database } = app.container;
    const commit = database.commit.bind(database);
    let count = 0;
    const spy = vi.spyOn(database, "commit").mockImplementation(async (...work) => {
      count += 1;
      if (count === 4) throw transactionUndone();
      return commit(...work);
    });
    const path = `${LANGUAGES}/${app.spanish.id}?mode=delete_all`;
    expectProblem(await app.client.delete(path), 503);
    spy.mockRestore();
    const form = { contact, slug: "well", languageCode: "es" };
    expectProblem(await app.api.post("/api/download/submit", form), 404, { code: "language_not_found" });
    const { languages } = (await app.client.get(LANGUAGES)).body;
    expect(languages).toContainEqual(expect.objectContaining({ id: app.spanish.id, isActive: 0 }));
    const left = await leftOf(app, app.spanish.id);
    expect(left?.events).toBeGreaterThan(0);
    expect(left?.events).toBeLessThan(EVENTS);
    expect((await app.client.delete(path)).status).toBe(200);
    expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
  });

  it("also deletes the events that readers add while an administrator activates it again", async () => {
    const app = await scene();
    await linkTo(app.api, { slug: "well", languageCode: "es" });
    const deletion = () => app.client.delete(`${LANGUAGES}/${app.spanish.id}?mode=delete_all`);
    const { database } = app.container;
    const commit = database.commit.bind(database);
    const spy = vi.spyOn(database, "commit").mockImplementation(async (...work) => {
      // The last write of the deletion.
      if (spy.mock.calls.length === 4) {
        const late = { downloadedAt: app.clock.now(), languageId: app.spanish.id };
        await commit(() => addEvent(database, { contactId: null, ...late }));
      }
      return commit(...work);
    });
    expect((await deletion()).status).toBe(200);
    spy.mockRestore();
    expect(await leftOf(app, app.spanish.id)).toEqual(NOTHING);
  });
});
