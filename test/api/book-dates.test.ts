/** From when on, and until when, readers get a book: how the dates are given, and what says them. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BOOKS = "/api/admin/books";
const NOON = "2026-04-01T12:00:00.000Z";
const LATER = "2026-05-01T12:00:00.000Z";

async function start() {
  const { app, client } = await startWithAdmin();
  const { book } = await app.make.published("The Well", "es");
  const path = `${BOOKS}/${book.id}`;
  const datesOf = async () => {
    const { publishAt, unpublishAt } = (await bodyOf(client.get(path))).book;
    return [publishAt, unpublishAt];
  };
  return { ...app, client, book, path, datesOf };
}

describe("the dates of a book", () => {
  it("are set when it is made, changed alone, and cleared by null", async () => {
    const { client, path, datesOf } = await start();
    const made = await client.post(BOOKS, { titleEn: "A Tree", publishAt: NOON, unpublishAt: LATER });
    expect(made.body).toMatchObject({ publishAt: NOON, unpublishAt: LATER });
    expect(await datesOf()).toEqual([null, null]);
    const before = (await client.get(path)).body.book.version;
    expect((await client.patch(path, { publishAt: NOON })).status).toBe(200);
    expect(await datesOf()).toEqual([NOON, null]);
    expect((await client.get(path)).body.book.version).not.toBe(before);
    expect((await client.put(path, { unpublishAt: LATER })).body.book).toMatchObject({ unpublishAt: LATER });
    expect(await datesOf()).toEqual([NOON, LATER]);
    expect((await client.put(path, { titleEn: "The Deep Well" })).status).toBe(200);
    expect(await datesOf()).toEqual([NOON, LATER]);
    expect((await client.patch(path, { publishAt: null, unpublishAt: null })).status).toBe(200);
    expect(await datesOf()).toEqual([null, null]);
  });

  it("have whole seconds: a begin is rounded up, an end down, and any zone is read", async () => {
    const { client, path, datesOf } = await start();
    const given = { publishAt: "2026-04-01T14:59:59.001+03:00", unpublishAt: "2026-05-01T12:00:00.999Z" };
    expect((await client.patch(path, given)).status).toBe(200);
    expect(await datesOf()).toEqual([NOON, LATER]);
    const years = { publishAt: "0001-01-01T00:00:00Z", unpublishAt: "9999-12-31T23:59:59Z" };
    expectProblem(await client.patch(path, years), 400, {
      errors: ["publishAt invalid_date", "unpublishAt invalid_date"],
    });
    const other = { publishAt: "2026-04-01", unpublishAt: "2026-04-01T12:00:00" };
    expectProblem(await client.patch(path, other), 400, {
      errors: ["publishAt invalid_format", "unpublishAt invalid_format"],
    });
  });

  it("leave time between them, also with the date that the book has", async () => {
    const { client, path, datesOf } = await start();
    const reversed = { publishAt: LATER, unpublishAt: NOON };
    const error = { code: "invalid_input", errors: ["unpublishAt end_before_start"] };
    expectProblem(await client.post(BOOKS, { titleEn: "A Tree", ...reversed }), 400, error);
    expectProblem(await client.patch(path, { publishAt: NOON, unpublishAt: NOON }), 400, error);
    expect((await client.patch(path, { publishAt: NOON })).status).toBe(200);
    expectProblem(await client.patch(path, { unpublishAt: NOON }), 400, error);
    expect((await client.patch(path, { unpublishAt: LATER })).status).toBe(200);
    expectProblem(await client.put(path, { publishAt: LATER }), 400, {
      errors: ["publishAt end_before_start"],
    });
    expect(await datesOf()).toEqual([NOON, LATER]);
    // What isn't about dates needs no look at them.
    expect((await client.patch(path, { description: "Deep" })).status).toBe(200);
  });

  it("come with many books at once, each with its own error", async () => {
    const { client, path, datesOf } = await start();
    const books = [
      { slug: "the-well", titleEn: "The Well", publishAt: NOON },
      { slug: "tree", titleEn: "Tree", publishAt: LATER, unpublishAt: NOON },
      { slug: "hill", titleEn: "Hill", unpublishAt: LATER },
    ];
    const { body } = await client.post(`${BOOKS}/bulk`, { books });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
      "updated",
      "failed",
      "created",
    ]);
    expect(body.results[1].errors).toMatchObject([{ path: "books.1.unpublishAt", code: "end_before_start" }]);
    expect(await datesOf()).toEqual([NOON, null]);
    const ended = [{ slug: "the-well", titleEn: "The Well", unpublishAt: NOON }];
    const failed = (await client.post(`${BOOKS}/bulk`, { books: ended })).body.results[0];
    expect(failed.errors).toMatchObject([{ path: "books.0.unpublishAt", code: "end_before_start" }]);
    const cleared = [{ slug: "the-well", titleEn: "The Well", publishAt: null }];
    expect((await client.post(`${BOOKS}/bulk`, { books: cleared })).body.summary.updated).toBe(1);
    expect((await client.get(path)).body.book.publishAt).toBeNull();
  });

  it("are the reasons why readers don't find it, and administrators see it as before", async () => {
    const { client, path, clock, api } = await start();
    const preview = async () => (await client.get(`${path}/preview?languageCode=es`)).body;
    const [begin, end] = ["2026-03-01T12:30:00.000Z", "2026-03-01T13:00:00.000Z"];
    const listed = async () => (await client.get(`${BOOKS}?publishedIn=es`)).body.books.length;
    await client.patch(path, { publishAt: begin, unpublishAt: end });
    expect(await preview()).toMatchObject({ book: null, reasons: ["not_yet"] });
    expect(await listed()).toBe(0);
    expect((await client.get(path)).body.publishedLanguages).toEqual([]);
    expect((await client.get(BOOKS)).body.books).toMatchObject([{ slug: "the-well", publishAt: begin }]);
    clock.advance(Date.parse(begin) - clock.now());
    const [shown] = (await api.get("/api/books?languageCode=es")).body.books;
    expect(await preview()).toMatchObject({ book: shown, reasons: [] });
    expect(await listed()).toBe(1);
    clock.advance(Date.parse(end) - clock.now());
    expect(await preview()).toMatchObject({ book: null, reasons: ["no_more"] });
    await client.delete(path);
    expect((await preview()).reasons).toEqual(["archived", "no_more"]);
  });

  it("are in the audit log and in the list as CSV", async () => {
    const { client, path, book } = await start();
    await client.patch(path, { publishAt: NOON });
    const { entries } = (await client.get(`/api/admin/audit?objectId=${book.id}`)).body;
    expect(entries[0].changes.publishAt).toEqual({ before: null, after: NOON });
    const text = (await client.get(`${BOOKS}/export`)).body.toString();
    expect(text).toContain(`,${NOON},`);
  });
});

it("says since when a book is published: by its date, or else its first file", async () => {
  const { api, client, path, clock, make, book } = await start();
  const published = async (query = "") =>
    (await api.get(`/api/books${query}`)).body.books.map((each: { publishedAt: string }) => each.publishedAt);
  expect(await published("?languageCode=es")).toEqual(["2026-03-01T12:00:00.000Z"]);
  clock.advance(86_400_000);
  await make.textFile(book.id, "en", "The Well");
  expect(await published("?languageCode=en")).toEqual(["2026-03-02T12:00:00.000Z"]);
  expect(await published()).toEqual(["2026-03-01T12:00:00.000Z"]);
  await client.patch(path, { publishAt: "2026-02-01T12:00:00Z" });
  expect(await published()).toEqual(["2026-02-01T12:00:00.000Z"]);
  expect((await api.get("/api/books/the-well")).body.publishedAt).toBe("2026-02-01T12:00:00.000Z");
});
