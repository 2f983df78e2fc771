/** The books of a sub-language as administrators see them, and the overrides that show or hide them. */
import { describe, expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { createWriters } from "../../src/repositories/index.ts";
import { LanguagesRepository } from "../../src/repositories/languages.repository.ts";
import { VisibilityRepository } from "../../src/repositories/visibility.repository.ts";
import { VisibilityService } from "../../src/services/languages/visibility.service.ts";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { setActive, writeRows } from "../support/catalogue-rows.ts";
import { dumpOf } from "../support/database-dump.ts";
import { idOf } from "../support/ids.ts";

const pathOf = (languageId: number) => `/api/admin/languages/${languageId}/books`;

interface ShownBook {
  bookId: string;
  slug: string;
  titleEn: string;
  isVisible: boolean;
  override: boolean | null;
  inherited: boolean;
}

/** Spanish with two books, and Mexican Spanish, which inherits them. */
async function start() {
  const { app, client, make } = await startWithAdmin();
  const parent = await make.language("es");
  const child = await make.language("es-MX", { parentId: parent.id });
  const { book: well } = await make.published("Well", "es");
  const { book: sea } = await make.published("Sea", "es");
  const path = pathOf(child.id);
  const books = async (): Promise<ShownBook[]> => (await client.get(path)).body.books;
  const put = (...overrides: { bookId: unknown; isVisible?: unknown }[]) => client.put(path, { overrides });
  return { ...app, client, parent, child, well, sea, path, books, put };
}

/** The slugs that the public list shows in a language; undefined where there is no such language. */
async function listed({ api }: Pick<TestApp, "api">, code: string): Promise<string[] | undefined> {
  const response = await api.get(`/api/books?limit=200&languageCode=${code}`);
  if (response.status === 404) return undefined;
  return response.body.books.map(({ slug }: { slug: string }) => slug);
}

/** The service, with something that happens after all has been examined and just before it is written. */
function serviceThatMeets({ container, clock }: TestApp, event: () => Promise<unknown>): VisibilityService {
  const { database } = container;
  const { changeCatalogue } = createWriters({ database, clock, addressStorage: "none" });
  return new VisibilityService({
    languages: new LanguagesRepository(database.read),
    visibility: new VisibilityRepository(database.read),
    change: async (by, work) => {
      await event();
      return changeCatalogue(by, work);
    },
    clock,
  });
}

/** The changes of overrides that the audit log holds. */
const auditOf = async (app: TestApp) =>
  (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "visibility");

it("the books of a sub-language are the active ones in their order, inherited unless there is an override", async () => {
  const app = await start();
  const { client, make, path, well, sea, child, put } = app;
  const bare = await make.book("Bare", { sortOrder: -1 });
  const gone = await make.published("Gone", "es");
  await setActive(app, gone.book.id, 0);
  await put({ bookId: sea.id, isVisible: false });
  const response = await client.get(path);
  expect(response.status).toBe(200);
  const { languages } = (await client.get("/api/admin/languages")).body;
  const listed = languages.find(({ id }: { id: number }) => id === child.id);
  const { booksCount: _, filesCount: __, suggestedParentId: ___, ...language } = listed;
  const inherits = { override: null, inherited: true };
  expect(response.body).toEqual({
    language,
    books: [
      { bookId: bare.id, slug: "bare", titleEn: "Bare", isVisible: false, ...inherits },
      { bookId: well.id, slug: "well", titleEn: "Well", isVisible: true, ...inherits },
      { bookId: sea.id, slug: "sea", titleEn: "Sea", isVisible: false, override: false, inherited: false },
    ],
  });
});

describe("changing what a sub-language shows", () => {
  it("hides, shows and inherits again, with immediate effect for readers", async () => {
    const app = await start();
    const { make, parent, well, sea, put, books } = app;
    const sibling = await make.language("es-AR", { parentId: parent.id });
    await make.override(sibling.id, well.id, false);
    const row = (isVisible: boolean, override: boolean | null) => ({
      bookId: well.id,
      slug: "well",
      titleEn: "Well",
      isVisible,
      override,
      inherited: override === null,
    });
    const seaAsItWas = (await books())[1];
    expect(await listed(app, "es-mx")).toEqual(["well", "sea"]);
    for (const isVisible of [false, true, false, null, true, null]) {
      const response = await put({ bookId: well.id, isVisible });
      const isShown = isVisible !== false;
      expect([response.status, response.body]).toEqual([
        200,
        { success: true, books: [row(isShown, isVisible)] },
      ]);
      expect(await books()).toEqual([row(isShown, isVisible), seaAsItWas]);
      expect(await listed(app, "es-MX")).toEqual(isShown ? ["well", "sea"] : ["sea"]);
      expect([await listed(app, "es"), await listed(app, "es-AR")]).toEqual([["well", "sea"], ["sea"]]);
    }
    const both = await put({ bookId: sea.id, isVisible: false }, { bookId: well.id, isVisible: true });
    expect(both.body.books.map(({ slug }: ShownBook) => slug)).toEqual(["sea", "well"]);
    expect((await books()).map(({ override }) => override)).toEqual([true, false]);
  });

  it("accepts an archived book, which keeps its override for its restoration", async () => {
    const app = await start();
    const { well, put, books } = app;
    await setActive(app, well.id, 0);
    const response = await put({ bookId: well.id, isVisible: false });
    expect(response.body.books).toMatchObject([{ slug: "well", isVisible: false, override: false }]);
    await setActive(app, well.id, 1);
    expect((await books())[0]).toMatchObject({ slug: "well", isVisible: false, override: false });
  });

  it("adds one entry to the audit log, with the differences only", async () => {
    const app = await start();
    const { child, well, sea, put } = app;
    await put({ bookId: sea.id, isVisible: true });
    await put({ bookId: well.id, isVisible: false }, { bookId: sea.id, isVisible: true });
    await put({ bookId: well.id, isVisible: null }, { bookId: sea.id, isVisible: false });
    const rows = await auditOf(app);
    expect(rows).toMatchObject(
      Array(3).fill({ action: "update", objectId: String(child.id), objectName: "es-MX" }),
    );
    expect(rows.map(({ changes }) => changes.overrides)).toEqual([
      { before: { sea: null }, after: { sea: true } },
      { before: { well: null }, after: { well: false } },
      { before: { well: false, sea: true }, after: { well: null, sea: false } },
    ]);
  });

  it("changes nothing when it is repeated: no entry in the log, and cached responses stay", async () => {
    const app = await start();
    const { api, well, sea, put } = app;
    const requestedOrders = [
      { bookId: well.id, isVisible: false },
      { bookId: sea.id, isVisible: null },
    ];
    await put(...requestedOrders);
    const before = await dumpOf(app);
    const { etag } = (await api.get("/api/books?languageCode=es-MX")).headers;
    const again = await put(...requestedOrders);
    expect(again.body.books).toMatchObject([{ override: false }, { override: null }]);
    expect(await dumpOf(app)).toEqual(before);
    expect((await api.get("/api/books?languageCode=es-MX")).headers.etag).toBe(etag);
  });

  it("accepts more books than one statement contains, with different values", async () => {
    const app = await start();
    const { put, books, child, container } = app;
    const count = 1_100;
    const ids = Array.from({ length: count }, (_, index) => idOf((index * 7) % count));
    const rest = { description: "", coverImagePath: null, searchText: "", legacyDownloadCount: 0 };
    const state = { isActive: 1, archivedAt: null, archivedBy: null, createdAt: 0, updatedAt: 0 } as const;
    await writeRows(app, async (db) => {
      for (const id of ids) {
        const row = { id, slug: id, titleEn: id, sortOrder: 9, ...rest, ...state };
        await db.insertInto("books").values(row).execute();
      }
    });
    const stored = async () => {
      const { read } = container.database;
      const rows = await read
        .selectFrom("book_visibility")
        .selectAll()
        .where("languageId", "=", child.id)
        .execute();
      return new Map(rows.map(({ bookId, isVisible }) => [bookId, isVisible === 1]));
    };
    const requestedOrderFor = (index: number) => [true, false, null][index % 3] ?? null;
    for (const turn of [0, 1, 2]) {
      const response = await put(
        ...ids.map((bookId, index) => ({ bookId, isVisible: requestedOrderFor(index + turn) })),
      );
      expect(response.body.books.map(({ bookId }: ShownBook) => bookId)).toEqual(ids);
      const expected = ids.flatMap((bookId, index) => {
        const requested = requestedOrderFor(index + turn);
        return requested === null ? [] : [[bookId, requested] as const];
      });
      expect(await stored()).toEqual(new Map(expected));
    }
    expect(await books()).toHaveLength(count + 2);
    await put(...ids.map((bookId) => ({ bookId, isVisible: null })));
    expect((await stored()).size).toBe(0);
    expect(await auditOf(app)).toHaveLength(4);
  });

  it("keeps exactly one of several concurrent updates", async () => {
    const { put, books, well, sea } = await start();
    const requestedOrders = [true, false, null, false, true, null, false];
    const responses = await Promise.all(
      requestedOrders.map((isVisible) => put({ bookId: well.id, isVisible }, { bookId: sea.id, isVisible })),
    );
    expect(responses.map(({ status }) => status)).toEqual(requestedOrders.map(() => 200));
    const [one, other] = await books();
    expect(one?.override).toBe(other?.override);
  });

  it("returns an error if the language was deleted or lost its parent concurrently", async () => {
    const app = await start();
    const { well, parent, child, make } = app;
    const author = createSystemAuthor("test");
    const { languages, visibility } = app.container.services;
    const hidden = [{ bookId: well.id, isVisible: false }];
    const orphan = () => languages.update(author, child.id, { parentId: null });
    expect(await Promise.allSettled([visibility.update(author, child.id, hidden), orphan()])).toMatchObject([
      { reason: { status: 400, code: "not_a_sub_language" } },
      { status: "fulfilled" },
    ]);
    await languages.update(author, child.id, { parentId: parent.id });
    const interrupted = serviceThatMeets(app, orphan).update(author, child.id, hidden);
    await expect(interrupted).rejects.toMatchObject({ status: 400, code: "not_a_sub_language" });
    const { id } = await make.language("es-AR", { parentId: parent.id });
    const late = serviceThatMeets(app, () => languages.delete(author, id, { modes: [] })).update(
      author,
      id,
      hidden,
    );
    await expect(late).rejects.toMatchObject({ status: 404, code: "language_not_found" });
  });

  it("ignores a book that was deleted concurrently", async () => {
    const { container, child, well, books } = await start();
    const { database } = container;
    const repository = new VisibilityRepository(database.writer);
    const hidden = { isVisible: 0, now: 1 } as const;
    await database.commit(() => repository.put(child.id, ["deleted", well.id], hidden));
    expect((await books()).map(({ override }) => override)).toEqual([false, null]);
  });
});
