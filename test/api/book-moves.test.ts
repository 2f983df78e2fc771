/** Moving books behind others. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createYielder } from "../../src/lib/event-loop.ts";
import { assignPositions, moveBooks } from "../../src/services/books/book-moves.ts";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BOOKS = "/api/admin/books";
const NOTHING = "01a1fb60-0000-7000-8000-000000000000";

/** Five books in places 1 to 5, of which the third is archived. */
async function start() {
  const { app, client } = await startWithAdmin();
  const made = [];
  for (const title of ["A", "B", "C", "D", "E"]) made.push(await app.make.book(title));
  const [a = "", b = "", c = "", d = "", e = ""] = made.map(({ id }) => id);
  await client.delete(`${BOOKS}/${c}`);
  const move = (...moves: unknown[]) => client.patch(`${BOOKS}/reorder`, { moves });
  const books = async () => (await client.get(`${BOOKS}?status=active`)).body.books;
  /** `title place` of each active book, in their order. */
  const order = async () =>
    (await books()).map(
      (book: { titleEn: string; sortOrder: number }) => `${book.titleEn} ${book.sortOrder}`,
    );
  return { ...app, app, client, a, b, c, d, e, move, books, order };
}

describe("moving a book behind another one", () => {
  it("gives it a position where there is room, and returns that", async () => {
    const { move, order, a, b, d, e } = await start();
    const response = await move({ bookId: a, after: b });
    expect([response.status, response.body]).toEqual([
      200,
      { success: true, books: [{ id: a, sortOrder: 3, formerlyAfter: null }] },
    ]);
    expect(await order()).toEqual(["B 2", "A 3", "D 4", "E 5"]);
    const place = async (bookId: string, after: string | null) => (await move({ bookId, after })).body.books;
    expect(await place(e, null)).toEqual([{ id: e, sortOrder: 1, formerlyAfter: d }]);
    expect(await place(d, null)).toEqual([{ id: d, sortOrder: 0, formerlyAfter: a }]);
    expect(await place(b, a)).toEqual([{ id: b, sortOrder: 4, formerlyAfter: e }]);
    expect(await order()).toEqual(["D 0", "E 1", "A 3", "B 4"]);
  });

  it("moves few other books where there is none, and changes nothing else of them", async () => {
    const { clock, move, books, order, a, b, d, e } = await start();
    const before = await books();
    clock.advance(60_000);
    expect((await move({ bookId: d, after: null }, { bookId: b, after: d })).body.books).toEqual([
      { id: d, sortOrder: -1, formerlyAfter: b },
      { id: b, sortOrder: 0, formerlyAfter: a },
    ]);
    const between = await move({ bookId: e, after: d });
    expect(between.body.books).toEqual([{ id: e, sortOrder: -1, formerlyAfter: a }]);
    expect(await order()).toEqual(["D -1", "E -1", "B 0", "A 1"]);
    const places: Record<string, number> = { D: -1, E: -1, B: 0, A: 1 };
    for (const book of before) book.sortOrder = places[book.titleEn];
    expect(await books()).toEqual(expect.arrayContaining(before));
  });

  it("makes the moves one after the other", async () => {
    const { move, order, a, b, d, e } = await start();
    const moves = [
      [a, e],
      [b, a],
      [d, null],
      [a, d],
    ];
    const response = await move(...moves.map(([bookId, after]) => ({ bookId, after })));
    expect(response.body.books.map(({ id }: { id: string }) => id)).toEqual([a, b, d]);
    const titles = (await order()).map((line: string) => line[0]);
    expect(titles).toEqual(["D", "A", "E", "B"]);
  });

  it("returns the former place, which takes the move back", async () => {
    const { move, order, b, e } = await start();
    const titles = async () => (await order()).map((line: string) => line[0]);
    const there = await move({ bookId: e, after: b }, { bookId: b, after: e });
    expect(await titles()).toEqual(["A", "E", "B", "D"]);
    const [{ id: bookId, formerlyAfter: after }] = there.body.books;
    await move({ bookId, after });
    expect(await titles()).toEqual(["A", "B", "D", "E"]);
    const positions = await move({ bookId: b, sortOrder: 7 });
    expect(positions.body.books).toEqual([{ id: b, sortOrder: 7 }]);
  });

  it("adds one entry to the audit log with the positions that changed, and none if none did", async () => {
    const { app, api, move, a, b } = await start();
    const lines = async () => (await readAuditLog(app)).filter(({ action }) => action === "reorder");
    const { etag } = (await api.get("/api/books")).headers;
    expect((await move({ bookId: b, after: a })).body.books).toEqual([
      { id: b, sortOrder: 2, formerlyAfter: a },
    ]);
    expect(await lines()).toEqual([]);
    expect((await api.get("/api/books")).headers.etag).toBe(etag);
    await move({ bookId: b, after: null });
    expect((await lines()).map(({ changes }) => changes)).toEqual([
      { sortOrder: { before: { [b]: 2 }, after: { [b]: 0 } } },
    ]);
  });

  it("is rejected with all errors: unknown and archived books, the book itself, and two kinds of moves", async () => {
    const { move, order, a, b, c } = await start();
    const rejected = async (moves: unknown[], ...errors: string[]) =>
      expectProblem(await move(...moves), 400, { code: "invalid_input", errors });
    await rejected(
      [
        { bookId: a, after: b },
        { bookId: NOTHING, after: c },
        { bookId: c, after: NOTHING },
        { bookId: b, after: b },
      ],
      "moves.1.bookId unknown_book",
      "moves.1.after archived_book",
      "moves.2.bookId archived_book",
      "moves.2.after unknown_book",
      "moves.3.after after_itself",
    );
    await rejected(
      [
        { bookId: a, after: b },
        { bookId: b, sortOrder: 1 },
      ],
      "moves mixed_moves",
    );
    await rejected([{ bookId: a }], "moves.0.sortOrder exactly_one_needed");
    await rejected([{ bookId: a, after: b, sortOrder: 1 }], "moves.0.sortOrder exactly_one_needed");
    await rejected([{ bookId: a, after: 1 }], "moves.0.after invalid_type");
    await rejected(
      Array.from({ length: 1001 }, () => ({ bookId: a, after: b })),
      "moves too_big",
    );
    expect(await order()).toEqual(["A 1", "B 2", "D 4", "E 5"]);
    const thousand = Array.from({ length: 1000 }, (_, turn) => ({ bookId: a, after: turn % 2 ? b : null }));
    expect((await move(...thousand)).status).toBe(200);
    expect(await order()).toEqual(["B 2", "A 3", "D 4", "E 5"]);
  });

  it("is done by each of several concurrent requests", async () => {
    const { move, order, a, b, d, e } = await start();
    const requests = [a, b, d, e].map((bookId) => move({ bookId, after: null }));
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    const titles = (await order()).map((line: string) => line[0]);
    expect(titles.toSorted()).toEqual(["A", "B", "D", "E"]);
    expect((await move({ bookId: e, after: a })).status).toBe(200);
    const after = (await order()).map((line: string) => line[0]);
    expect(after[after.indexOf("A") + 1]).toBe("E");
  });
});

describe("new positions", () => {
  const ID = fc.integer({ min: 0, max: 30 }).map((number) => String(number).padStart(2, "0"));
  const books = fc
    .uniqueArray(fc.record({ id: ID, sortOrder: fc.integer({ min: -5, max: 15 }) }), {
      selector: ({ id }) => id,
      minLength: 2,
    })
    .map((all) => all.toSorted(byPosition));
  const catalogue = books.chain((all) => {
    const place = fc.nat(all.length - 1);
    const move = fc.tuple(place, fc.option(place)).filter(([one, other]) => one !== other);
    return fc.record({ all: fc.constant(all), moves: fc.array(move, { minLength: 1, maxLength: 5 }) });
  });

  it("give the order of the moves, for any positions and moves", async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, async ({ all, moves }) => {
        const ids = all.map(({ id }) => id);
        const expected = [...ids];
        const given = moves.map(([place, after]) => ({
          bookId: ids[place] ?? "",
          after: after === null ? null : (ids[after] ?? ""),
        }));
        for (const { bookId, after } of given) {
          expected.splice(expected.indexOf(bookId), 1);
          expected.splice(after === null ? 0 : expected.indexOf(after) + 1, 0, bookId);
        }
        const moved = moveBooks(all, given);
        expect(moved.map(({ id }) => id)).toEqual(expected);
        const movedIds = new Set(given.map(({ bookId }) => bookId));
        const changed = await assignPositions(moved, movedIds, createYielder());
        const positions = new Map(changed.map(({ id, sortOrder }) => [id, sortOrder]));
        const placed = all.map((book) => ({ ...book, sortOrder: positions.get(book.id) ?? book.sortOrder }));
        expect(placed.sort(byPosition).map(({ id }) => id)).toEqual(expected);
      }),
    );
  });

  it("are within 32 bits, and only as many as needed", async () => {
    const [low, high] = [-(2 ** 31), 2 ** 31 - 1];
    const assign = async (order: string, ...moved: string[]) => {
      const books = order.split(" ").map((book) => ({ id: book[0] ?? "", sortOrder: Number(book.slice(1)) }));
      const changed = await assignPositions(books, new Set(moved), createYielder());
      return Object.fromEntries(changed.map(({ id, sortOrder }) => [id, sortOrder]));
    };
    expect(await assign("a9 b1 c2 d3", "a")).toEqual({ a: 0 });
    expect(await assign("a1 b2 c3 d0", "d")).toEqual({ d: 4 });
    expect(await assign("a1 b5 c9", "b")).toEqual({});
    // By its id, it can share a position with its neighbour.
    expect(await assign("a1 b2 c9 d3 e4 f5", "c")).toEqual({ c: 3 });
    // Fewer books are before the place, and fewer behind it.
    expect(await assign("d2 c9 b3 a4", "c")).toEqual({ c: 2, d: 1 });
    expect(await assign("e1 d2 c9 b3 f8", "c")).toEqual({ c: 3, b: 4 });
    expect(await assign(`a${low} b4 c${high}`, "b")).toEqual({});
    // The lowest and the highest one are free, and then given.
    expect(await assign(`b9 a${low + 1} c${low + 2} d${low + 3}`, "b")).toEqual({ b: low });
    expect(await assign(`d${high - 3} c${high - 2} b${high - 1} a9`, "a")).toEqual({ a: high });
    // Without room in either direction, all are numbered again.
    expect(await assign(`a5 b${low} c3`, "a")).toEqual({ a: 1, b: 2 });
    expect(await assign(`a${low} b${high} c7`, "c")).toEqual({ a: 1, b: 2, c: 3 });
  });
});

const byPosition = (one: { id: string; sortOrder: number }, other: { id: string; sortOrder: number }) =>
  one.sortOrder - other.sortOrder || (one.id < other.id ? -1 : 1);
