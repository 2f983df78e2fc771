/** Archiving a book: nothing of it is lost, and readers find nothing of it. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { coverPathOf, createPicture, putCover } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createTxt, expectStored } from "../support/stored-files.ts";

const BOOKS = "/api/admin/books";

/** Two published books, of which one is to be archived. */
async function start() {
  const { app, client } = await startWithAdmin();
  const { book, file } = await app.make.published("The Well", "es", "pozo");
  const other = await app.make.published("Another", "es", "otro");
  const path = `${BOOKS}/${book.id}`;
  const details = async () => (await client.get(path)).body;
  return { ...app, client, book, file, other, path, details };
}

describe("archiving a book", () => {
  it("records time and user, and keeps everything that belongs to the book", async () => {
    const { client, clock, dataDir, path, details, book } = await start();
    await client.post(`${path}/translations`, { languageCode: "es", title: "El pozo" });
    const before = await details();
    expect(before.book).toMatchObject({ isActive: 1, archivedAt: null, archivedBy: null });
    clock.advance(60_000);
    const response = await client.delete(path);
    const now = "2026-03-01T12:01:00.000Z";
    const archived = {
      ...before.book,
      isActive: 0,
      archivedAt: now,
      archivedBy: "admin",
      updatedAt: now,
    };
    expect([response.status, response.body]).toEqual([200, { success: true, book: archived }]);
    expect(await details()).toEqual({ ...before, book: archived, publishedLanguages: [] });
    const listed = async (status: string) =>
      (await client.get(`${BOOKS}?status=${status}`)).body.books.map(({ id }: { id: string }) => id);
    expect(await listed("archived")).toEqual([book.id]);
    expect(await listed("active")).not.toContain(book.id);
    expect(await listed("all")).toContain(book.id);
    await expectStored(dataDir, createTxt("pozo"), createTxt("otro"));
  });

  it("records the name of the API key that archived it", async () => {
    const { make, path } = await start();
    const key = await make.apiKey(["edit_books"]);
    expect((await key.delete(`${path}?permanent=false`)).body.book).toMatchObject({ archivedBy: "test" });
  });

  it("changes nothing when repeated, and adds no entry to the audit log", async () => {
    const app = await start();
    const { client, clock, api, make, path, book } = app;
    const first = await client.delete(path);
    const { etag } = (await api.get("/api/books")).headers;
    clock.advance(60_000);
    const again = await (await make.login("editor")).delete(path);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await api.get("/api/books")).headers.etag).toBe(etag);
    const lines = (await readAuditLog(app)).filter(({ action }) => action === "archive");
    expect(lines).toMatchObject([
      {
        actorKind: "user",
        actorName: "admin",
        objectKind: "book",
        objectId: book.id,
        objectName: "The Well",
        changes: {
          isActive: { before: 1, after: 0 },
          archivedAt: { before: null, after: Date.parse(first.body.book.archivedAt) },
          archivedBy: { before: null, after: "admin" },
        },
      },
    ]);
    expect(Object.keys(lines[0]?.changes ?? {})).toHaveLength(3);
  });

  it("accepts only true or false for permanent, and otherwise changes nothing", async () => {
    const { client, path, details } = await start();
    for (const permanent of ["2", "yes", "TRUE", "true%20", "true&permanent=true"]) {
      expectProblem(await client.delete(`${path}?permanent=${permanent}`), 400);
    }
    expectProblem(await client.delete(`${path}?permanent=no&force=1`), 400, {
      errors: ["permanent invalid_value", "force unknown_field"],
    });
    expect((await details()).book.isActive).toBe(1);
  });

  it("takes effect once for concurrent requests", async () => {
    const app = await start();
    const responses = await Promise.all(Array.from({ length: 5 }, () => app.client.delete(app.path)));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await readAuditLog(app)).filter(({ action }) => action === "archive")).toHaveLength(1);
  });
});

it("an archived book keeps its cover for administrators, but isn't in the list of covers of active books", async () => {
  const { client, book, path } = await start();
  await putCover(client, book.id, "default", await createPicture("red"));
  await client.delete(path);
  expect((await client.get(coverPathOf(book.id, "default"))).status).toBe(200);
  expect((await client.get("/api/admin/covers")).body.covers).toEqual([]);
});

describe("a book that is made archived", () => {
  it("has been seen by no reader before it is restored", async () => {
    const { client, make, api } = await start();
    const made = await client.post(BOOKS, { titleEn: "The Hill", isActive: 0 });
    expect([made.status, made.body]).toMatchObject([
      201,
      { isActive: 0, archivedBy: "admin", archivedAt: made.body.createdAt },
    ]);
    await make.textFile(made.body.id, "es", "colina");
    const listed = async () =>
      (await api.get("/api/books?languageCode=es")).body.books.map(({ slug }: { slug: string }) => slug);
    expect(await listed()).not.toContain("the-hill");
    expect((await client.post(`${BOOKS}/${made.body.id}/restore`)).status).toBe(200);
    expect(await listed()).toContain("the-hill");
  });

  it.each([2, "0", "archived"])("can't be told by %j", async (isActive) => {
    const { client } = await start();
    const response = await client.post(BOOKS, { titleEn: "The Hill", isActive });
    expectProblem(response, 400, { errors: ["isActive invalid_value"] });
  });

  it("isn't known to changes", async () => {
    const { client, path } = await start();
    expectProblem(await client.put(path, { isActive: 0 }), 400, { errors: ["isActive unknown_field"] });
  });
});
