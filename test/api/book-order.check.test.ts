/** The order of books: all of them again, or some moved; total everywhere. */
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { idOf } from "../support/ids.ts";

const BOOKS = "/api/admin/books";
const PATH = `${BOOKS}/reorder`;
const NOTHING = "01a1fb60-0000-7000-8000-000000000000";

/** Four books in places 1 to 4, of which the third is archived. */
async function start() {
  const { app, client } = await startWithAdmin();
  const made = [];
  for (const title of ["A", "B", "C", "D"]) made.push(await app.make.book(title));
  const [a = "", b = "", c = "", d = ""] = made.map(({ id }) => id);
  await client.delete(`${BOOKS}/${c}`);
  const books = async () => (await client.get(BOOKS)).body.books;
  /** `title place` of each book, in their order. */
  const order = async () =>
    (await books()).map(
      (book: { titleEn: string; sortOrder: number }) => `${book.titleEn} ${book.sortOrder}`,
    );
  const lines = async () => (await readAuditLog(app)).filter(({ action }) => action === "reorder");
  return { ...app, client, a, b, c, d, books, order, lines };
}

it("reordering books has its own path, which isn't taken for a book's id", async () => {
  const { client, a } = await start();
  const response = await client.get(PATH);
  expectProblem(response, 405);
  expect(response.headers.allow).toBe("PATCH, OPTIONS");
  expectProblem(await client.patch(`${BOOKS}/${a}`, { bookIds: [a] }), 400, {
    errors: ["bookIds unknown_field"],
  });
});

describe("a whole order", () => {
  it("numbers active books from 1; archived books keep their positions, and nothing else changes", async () => {
    const { client, clock, a, b, d, books, order } = await start();
    const before = await books();
    clock.advance(60_000);
    const response = await client.patch(PATH, { bookIds: [d, b, a] });
    expect([response.status, response.body]).toEqual([
      200,
      {
        success: true,
        books: [
          { id: d, sortOrder: 1 },
          { id: b, sortOrder: 2 },
          { id: a, sortOrder: 3 },
        ],
      },
    ]);
    expect(await order()).toEqual(["D 1", "B 2", "A 3", "C 3"]);
    const places: Record<string, number> = { D: 1, B: 2, A: 3, C: 3 };
    for (const book of before) book.sortOrder = places[book.titleEn];
    expect(await books()).toEqual(expect.arrayContaining(before));
  });

  it("reports all errors, and changes nothing", async () => {
    const { client, a, b, c, d, order, lines } = await start();
    const rejected = async (bookIds: string[], ...fieldErrors: string[]) => {
      const response = await client.patch(PATH, { bookIds });
      expectProblem(response, 400, { code: "invalid_input", errors: fieldErrors });
      return response.body.errors;
    };
    await rejected([a, b], "bookIds missing_books");
    await rejected([a, b, d, c], "bookIds.3 archived_book");
    await rejected([a, b, a, d, a], "bookIds.2 repeated_book", "bookIds.4 repeated_book");
    await rejected([a, b, d, NOTHING], "bookIds.3 unknown_book");
    const all = await rejected(
      [NOTHING, c, b, b, "well", NOTHING],
      "bookIds missing_books",
      "bookIds.0 unknown_book",
      "bookIds.1 archived_book",
      "bookIds.3 repeated_book",
      "bookIds.4 unknown_book",
      "bookIds.5 unknown_book",
    );
    expect(all).toContainEqual(
      expect.objectContaining({ path: "bookIds", message: expect.stringContaining("2 are missing") }),
    );
    await rejected([], "bookIds missing_books");
    expect(await order()).toEqual(["A 1", "B 2", "C 3", "D 4"]);
    expect(await lines()).toEqual([]);
  });

  it("adds one entry to the audit log with the positions that changed, or none", async () => {
    const { client, api, a, b, d, lines } = await start();
    await client.patch(PATH, { bookIds: [b, a, d] });
    const places = { before: { [a]: 1, [b]: 2, [d]: 4 }, after: { [a]: 2, [b]: 1, [d]: 3 } };
    const line = { actorName: "admin", action: "reorder", objectKind: "book", objectId: "*" };
    expect(await lines()).toMatchObject([{ ...line, objectName: "All books" }]);
    expect((await lines())[0]?.changes).toEqual({ sortOrder: places });
    const { etag } = (await api.get("/api/books")).headers;
    expect((await client.patch(PATH, { bookIds: [b, a, d] })).status).toBe(200);
    expect(await lines()).toHaveLength(1);
    expect((await api.get("/api/books")).headers.etag).toBe(etag);
  });

  it("does nothing if there are no active books", async () => {
    const { admin } = await startApp();
    const response = await (await admin()).patch(PATH, { bookIds: [] });
    expect([response.status, response.body]).toEqual([200, { success: true, books: [] }]);
  });

  it("is the order of exactly one of several concurrent requests", async () => {
    const { client, a, b, d, books, lines } = await start();
    const orders = [
      [a, b, d],
      [a, d, b],
      [b, a, d],
      [b, d, a],
      [d, a, b],
      [d, b, a],
    ];
    const responses = await Promise.all(orders.map((bookIds) => client.patch(PATH, { bookIds })));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const active = (await books()).filter(({ isActive }: { isActive: number }) => isActive === 1);
    expect(active.map(({ sortOrder }: { sortOrder: number }) => sortOrder)).toEqual([1, 2, 3]);
    const ids = active.map(({ id }: { id: string }) => id);
    expect(orders).toContainEqual(ids);
    // What each line says was before is what the line before it has left.
    const place: Record<string, unknown> = { [a]: 1, [b]: 2, [d]: 4 };
    for (const { changes } of await lines()) {
      expect(place).toMatchObject(Object(changes.sortOrder?.before));
      Object.assign(place, changes.sortOrder?.after);
    }
    expect(place).toEqual(Object.fromEntries(ids.map((id: string, index: number) => [id, index + 1])));
  });

  it("rejects books that were changed concurrently", async () => {
    const { client, a, b, d, order } = await start();
    const [archived, reordered] = await Promise.all([
      client.delete(`${BOOKS}/${b}`),
      client.patch(PATH, { bookIds: [d, b, a] }),
    ]);
    expect(archived.status).toBe(200);
    if (reordered.status === 200) expect(await order()).toEqual(["D 1", "B 2", "A 3", "C 3"]);
    else expectProblem(reordered, 400, { errors: ["bookIds.1 archived_book"] });
  });

  it("accepts at most ten thousand books", async () => {
    const { app, client } = await startWithAdmin();
    const ids = Array.from({ length: 10_000 }, (_, index) => idOf(index));
    const texts = { description: "", coverImagePath: null, archivedAt: null, archivedBy: null };
    const rows = ids.map((id, index) => ({
      id,
      slug: id,
      titleEn: id,
      ...texts,
      searchText: id,
      sortOrder: index + 1,
      legacyDownloadCount: 0,
      isActive: 1 as const,
      createdAt: 0,
      updatedAt: 0,
    }));
    await writeRows(app, async (db) => {
      for (let start = 0; start < rows.length; start += 1000) {
        await db
          .insertInto("books")
          .values(rows.slice(start, start + 1000))
          .execute();
      }
    });
    const bookIds = ids.toReversed();
    expectProblem(await client.patch(PATH, { bookIds: [...bookIds, "one more"] }), 400, {
      errors: ["bookIds too_big"],
    });
    const response = await client.patch(PATH, { bookIds });
    expect([response.status, response.body.books.length]).toEqual([200, 10_000]);
    const listed = async (page: number) =>
      (await client.get(`${BOOKS}?limit=200&page=${page}`)).body.books.map(({ id }: { id: string }) => id);
    expect(await listed(1)).toEqual(bookIds.slice(0, 200));
    expect(await listed(50)).toEqual(bookIds.slice(-200));
  });
});

describe("moves", () => {
  it("set the positions of the named books, also of archived ones, and leave the others", async () => {
    const { client, a, c, order, lines } = await start();
    const moves = [
      { bookId: a, sortOrder: 2_147_483_647 },
      { bookId: c, sortOrder: -5 },
    ];
    const response = await client.patch(PATH, { moves });
    const books = moves.map(({ bookId, sortOrder }) => ({ id: bookId, sortOrder }));
    expect([response.status, response.body]).toEqual([200, { success: true, books }]);
    expect(await order()).toEqual(["C -5", "B 2", "D 4", "A 2147483647"]);
    // Only what changes is on record.
    await client.patch(PATH, {
      moves: [
        { bookId: c, sortOrder: -5 },
        { bookId: a, sortOrder: 0 },
      ],
    });
    expect((await lines()).at(-1)?.changes).toEqual({
      sortOrder: { before: { [a]: 2_147_483_647 }, after: { [a]: 0 } },
    });
    await client.patch(PATH, { moves: [{ bookId: a, sortOrder: 0 }] });
    expect(await lines()).toHaveLength(2);
  });

  it("report every unknown and repeated book, and then move none", async () => {
    const { client, a, b, order } = await start();
    const move = (bookId: string) => ({ bookId, sortOrder: 9 });
    expectProblem(await client.patch(PATH, { moves: [move(a), move(NOTHING), move(b), move(a)] }), 400, {
      errors: ["moves.1.bookId unknown_book", "moves.3.bookId repeated_book"],
    });
    expect(await order()).toEqual(["A 1", "B 2", "C 3", "D 4"]);
  });

  it("to one position leave the order by id, on every page and on the public site", async () => {
    const { client, api, make } = await startApp().then(async (app) => ({
      ...app,
      client: await app.admin(),
    }));
    const ids = [];
    for (const title of ["A", "B", "C", "D", "E"]) ids.push((await make.published(title, "es")).book.id);
    await client.patch(PATH, { moves: ids.map((bookId) => ({ bookId, sortOrder: 7 })) });
    const paged = async (caller: typeof api, path: string) => {
      const pages = [];
      for (const page of [1, 2, 3]) pages.push(await caller.get(`${path}?limit=2&page=${page}`));
      return pages.flatMap(({ body }) => body.books.map(({ id }: { id: string }) => id));
    };
    expect(await paged(client, BOOKS)).toEqual(ids.toSorted());
    expect(await paged(api, "/api/books")).toEqual(ids.toSorted());
  });
});
