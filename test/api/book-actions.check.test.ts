/** The same change to many books: results, undo, dry run and audit. */

import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { bodyOf } from "../support/client.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BOOKS = "/api/admin/books";
const ACTIONS = `${BOOKS}/actions`;

async function start() {
  const { app, client } = await startWithAdmin();
  const send = (action: object, bookIds: string[], more: object = {}) =>
    client.post(ACTIONS, { bookIds, action, ...more });
  const run = async (action: object, bookIds: string[], more: object = {}) => {
    return (await bodyOf(send(action, bookIds, more))).results;
  };
  const details = async (id: string) => (await client.get(`${BOOKS}/${id}`)).body;
  return { app, ...app, client, send, run, details };
}

describe("archiving and restoring many books", () => {
  it("leaves the same files active as before, and writes one audit entry for each changed book", async () => {
    const { app, client, make, run, details } = await start();
    const { book: shown } = await make.published("Shown", "es");
    await make.textFile(shown.id, "es", "Newer");
    const { book: inactive, file } = await make.published("Inactive", "es");
    await client.patch(`${BOOKS}/${inactive.id}/files/${file.id}`, { isActive: 0 });
    const { book: archived } = await make.published("Archived", "es");
    await client.delete(`${BOOKS}/${archived.id}`);
    const ids = [shown.id, archived.id, "unknown", inactive.id];
    const before = await Promise.all([shown, inactive].map(({ id }) => details(id)));
    const logged = (await readAuditLog(app)).length;
    expect(await run({ type: "archive" }, ids)).toEqual([
      { bookId: shown.id, status: "changed", before: { isActive: 1 } },
      { bookId: archived.id, status: "unchanged" },
      { bookId: "unknown", status: "failed", error: "Book not found.", code: "book_not_found" },
      { bookId: inactive.id, status: "changed", before: { isActive: 1 } },
    ]);
    expect((await details(shown.id)).book).toMatchObject({ isActive: 0, archivedBy: "admin" });
    const changed = [shown.id, inactive.id];
    expect(await run({ type: "restore" }, changed)).toEqual(
      changed.map((bookId) => ({ bookId, status: "changed", before: { isActive: 0 } })),
    );
    expect(await Promise.all(changed.map(details))).toEqual(before);
    expect(await run({ type: "restore" }, changed)).toEqual(
      changed.map((bookId) => ({ bookId, status: "unchanged" })),
    );
    const entries = (await readAuditLog(app)).slice(logged).map(({ action, objectId }) => [action, objectId]);
    expect(entries).toEqual([
      ...changed.map((id) => ["archive", id]),
      ...changed.map((id) => ["restore", id]),
    ]);
  });

  it("is seen by readers at once", async () => {
    const { api, make, run } = await start();
    const { book } = await make.published("Well", "es");
    const total = async () => (await api.get("/api/books?languageCode=es")).body.pagination.total;
    expect(await total()).toBe(1);
    await run({ type: "archive" }, [book.id]);
    expect(await total()).toBe(0);
    await run({ type: "restore" }, [book.id]);
    expect(await total()).toBe(1);
  });
});

describe("tags and series of many books", () => {
  it("are changed, and the results contain what an undo needs", async () => {
    const { app, make, run, details, client } = await start();
    const one = await make.book("One", { tags: ["Folk"], series: { name: "Tales", position: 2 } });
    const two = await make.book("Two");
    const ids = [one.id, two.id];
    const tags = async () => Promise.all(ids.map(async (id) => (await details(id)).book.tags));
    const version = expect.any(String);
    expect(await run({ type: "addTags", tags: ["folk", "Well", "wéll"] }, ids)).toEqual([
      { bookId: one.id, status: "changed", before: { tags: ["Folk"] }, version },
      { bookId: two.id, status: "changed", before: { tags: [] }, version },
    ]);
    expect(await tags()).toEqual([
      ["Folk", "Well"],
      ["folk", "Well"],
    ]);
    expect((await run({ type: "addTags", tags: ["FOLK"] }, ids)).map(statusOf)).toEqual([
      "unchanged",
      "unchanged",
    ]);
    expect(await run({ type: "removeTags", tags: ["FOLK"] }, ids)).toMatchObject([
      { before: { tags: ["Folk", "Well"] } },
      { before: { tags: ["folk", "Well"] } },
    ]);
    expect(await tags()).toEqual([["Well"], ["Well"]]);
    expect((await run({ type: "removeTags", tags: ["x"] }, ids)).map(statusOf)).toEqual([
      "unchanged",
      "unchanged",
    ]);
    expect(await run({ type: "setSeries", series: { name: "New" } }, ids)).toEqual([
      { bookId: one.id, status: "changed", before: { series: { name: "Tales", position: 2 } }, version },
      { bookId: two.id, status: "changed", before: { series: null }, version },
    ]);
    expect((await client.get(`${BOOKS}?series=new`)).body.pagination.total).toBe(2);
    expect((await run({ type: "setSeries", series: null }, [two.id])).map(statusOf)).toEqual(["changed"]);
    expect((await details(two.id)).book.series).toBeNull();
    const last = (await readAuditLog(app)).at(-1);
    expect(last).toMatchObject({ action: "update", objectId: two.id, changes: { series: { after: null } } });
  });

  it("fail for a book that would get too many tags, and for that book alone", async () => {
    const { make, run, details } = await start();
    const many = Array.from({ length: 50 }, (_, index) => `tag ${index}`);
    const full = await make.book("Full", { tags: many });
    const empty = await make.book("Empty");
    const results = await run({ type: "addTags", tags: ["more"] }, [full.id, empty.id]);
    expect(results).toEqual([
      { bookId: full.id, status: "failed", error: "A book can have at most 50 tags.", code: "too_big" },
      { bookId: empty.id, status: "changed", before: { tags: [] }, version: expect.any(String) },
    ]);
    expect((await details(full.id)).book.tags).toEqual(many);
  });

  it("are taken back by their versions, except where somebody changed a book since", async () => {
    const { make, run, details, client } = await start();
    const one = await make.book("One", { tags: ["Folk"] });
    const two = await make.book("Two");
    const results = await run({ type: "addTags", tags: ["Well"] }, [one.id, two.id]);
    await client.patch(`${BOOKS}/${two.id}`, { tags: ["Well", "Later"] });
    const statuses: number[] = [];
    for (const { bookId, before, version } of results) {
      const changing = client.with({ "If-Match": `"${version}"` });
      statuses.push((await changing.patch(`${BOOKS}/${bookId}`, before)).status);
    }
    expect(statuses).toEqual([200, 412]);
    expect((await details(one.id)).book.tags).toEqual(["Folk"]);
    expect((await details(two.id)).book.tags).toEqual(["Well", "Later"]);
  });
});

/** A dry run knows none. */
const withoutVersions = (results: { version?: string }[]) =>
  results.map(({ version: _, ...result }) => result);

const statusOf = ({ status }: { status: string }) => status;

describe("publishing many books", () => {
  async function startPublishing() {
    const started = await start();
    const { make } = started;
    const spanish = await make.language("es");
    await make.language("es-MX", { parentId: spanish.id });
    const channel = await make.channel("Kids");
    const { book } = await make.published("Well", "es");
    const { book: other } = await make.published("Other", "es");
    const place = (type: string, languageCode = "es") => ({ type, channelId: channel.id, languageCode });
    return { ...started, spanish, channel, book, other, place };
  }

  it("publishes and unpublishes, each book with its own result", async () => {
    const { app, api, client, make, run, spanish, channel, book, other, place } = await startPublishing();
    await make.publish(other.id, channel.id, spanish.id);
    const archived = await make.book("Archived");
    await client.delete(`${BOOKS}/${archived.id}`);
    const logged = (await readAuditLog(app)).length;
    const ids = [book.id, other.id, archived.id];
    const failed = {
      bookId: archived.id,
      status: "failed",
      error: "This book is archived. Restore it first.",
      code: "book_archived",
    };
    expect(await run(place("publish", "ES"), ids)).toEqual([
      { bookId: book.id, status: "changed", before: { isPublished: false } },
      { bookId: other.id, status: "unchanged" },
      failed,
    ]);
    const total = async () => (await api.get("/api/books?channel=kids")).body.pagination.total;
    expect(await total()).toBe(2);
    expect((await run(place("unpublish", "es-MX"), [book.id])).map(statusOf)).toEqual(["failed"]);
    expect(await run(place("unpublish"), ids)).toEqual([
      { bookId: book.id, status: "changed", before: { isPublished: true } },
      { bookId: other.id, status: "changed", before: { isPublished: true } },
      failed,
    ]);
    expect(await total()).toBe(0);
    const entries = (await readAuditLog(app)).slice(logged);
    expect(entries.map(({ objectKind, action }) => `${objectKind} ${action}`)).toEqual([
      "publication create",
      "publication delete",
      "publication delete",
    ]);
  });

  it("needs a session, while the other actions accept a key", async () => {
    const { make, api, book, place } = await startPublishing();
    const key = await make.apiKey();
    const post = (action: object) => key.post(ACTIONS, { bookIds: [book.id], action });
    for (const type of ["publish", "unpublish"]) expectProblem(await post(place(type)), 401);
    expect((await post({ type: "archive" })).status).toBe(200);
    const reading = await make.apiKey(["view_books"]);
    const body = { bookIds: [book.id], action: { type: "restore" } };
    expectProblem(await reading.post(ACTIONS, body), 403, { code: "permission_missing" });
    expectProblem(await api.post(ACTIONS, body), 401);
  });

  it("needs a channel and a language that exist", async () => {
    const { send, book } = await startPublishing();
    const action = { type: "publish", channelId: "unknown", languageCode: "fr" };
    expectProblem(await send(action, [book.id, book.id]), 400, {
      errors: [
        "bookIds.1 repeated_book",
        "action.channelId unknown_channel",
        "action.languageCode unknown_language",
      ],
    });
  });
});

it("a dry run returns the same results and stores nothing", async () => {
  const { app, make, run } = await start();
  const { book } = await make.published("Well", "es");
  const channel = await make.channel("Kids");
  const ids = [book.id, "unknown"];
  for (const action of [
    { type: "archive" },
    { type: "restore" },
    { type: "addTags", tags: ["a"] },
    { type: "removeTags", tags: ["a"] },
    { type: "setSeries", series: { name: "Tales", position: 1 } },
    { type: "publish", channelId: channel.id, languageCode: "es" },
  ]) {
    const before = await dumpOf(app);
    const expected = await run(action, ids, { dryRun: true });
    expect(await dumpOf(app)).toEqual(before);
    expect(withoutVersions(await run(action, ids)), action.type).toEqual(expected);
    if (action.type === "archive") await run({ type: "restore" }, [book.id]);
  }
});

it("a thousand books are changed by one request, in the order sent", async () => {
  const { client, send } = await start();
  const books = Array.from({ length: 1000 }, (_, index) => ({ titleEn: `Book ${index}` }));
  const made = await client.post(`${BOOKS}/bulk`, { books });
  const ids: string[] = made.body.results.map(({ bookId }: { bookId: string }) => bookId).reverse();
  const response = await send({ type: "addTags", tags: ["all"] }, ids);
  expect(response.body.results.map(({ bookId }: { bookId: string }) => bookId)).toEqual(ids);
  expect(new Set(response.body.results.map(statusOf))).toEqual(new Set(["changed"]));
  expect((await client.get(`${BOOKS}?tag=all`)).body.pagination.total).toBe(1000);
  expectProblem(await send({ type: "archive" }, [...ids, "x"]), 400, { errors: ["bookIds too_big"] });
});
