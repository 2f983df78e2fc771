/** Removing a book for good: what goes with it, what stays, and that the preview has told so. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { coverPathOf, createPicture, putCover } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo, linkToAll, listEvents } from "../support/reader.ts";
import { createTxt, expectStored, removeReleased, sumStoredBytes } from "../support/stored-files.ts";

const BOOKS = "/api/admin/books";
const TABLES = ["translations", "book_files", "covers", "publications", "book_visibility"] as const;

/** Two books in Spanish and Mexican Spanish with one of everything; they share a content among their files. */
async function start() {
  const { app, client, make, api } = await startWithAdmin();
  const spanish = await make.language("es");
  const mexican = await make.language("es-MX", { parentId: spanish.id });
  const channel = await make.channel("Web");
  const equip = async (title: string) => {
    const { book } = await make.published(title, "es", `old ${title}`);
    await make.textFile(book.id, "es", `new ${title}`);
    await make.textFile(book.id, "es-MX", "in both");
    const link = await make.link(book.id, "es", { fileSizeBytes: 123_456 });
    // Inactive, so that no ZIP fetches it.
    await client.patch(`${BOOKS}/${book.id}/files/${link.id}`, { isActive: 0 });
    await client.post(`${BOOKS}/${book.id}/translations`, { languageCode: "es", title: `${title} (es)` });
    await make.publish(book.id, channel.id, spanish.id);
    await make.override(mexican.id, book.id, true);
    await linkTo(api, { slug: book.slug, languageCode: "es", fileType: "txt" });
    return book;
  };
  const book = await equip("Well");
  const other = await equip("Another");
  const path = `${BOOKS}/${book.id}`;
  const { read } = app.container.database;
  /** The rows that hang on a book, by table. */
  const rowsOf = async (id: string) => {
    const counts = TABLES.map((table) =>
      read.selectFrom(table).select("bookId").where("bookId", "=", id).execute(),
    );
    return (await Promise.all(counts)).map((rows) => rows.length);
  };
  const impact = async () => (await client.get(`${path}?preview=delete`)).body.impact;
  return { ...app, app, client, spanish, mexican, book, other, path, rowsOf, impact };
}

describe("removing a book permanently", () => {
  it("is never done by a DELETE without permanent=true", async () => {
    const { make, client, path, dataDir } = await start();
    expect((await client.delete(path)).status).toBe(200);
    expect((await client.get(path)).body.book.isActive).toBe(0);
    await expectStored(
      dataDir,
      ...["old Well", "new Well", "in both", "old Another", "new Another"].map(createTxt),
    );
    const removed = await (await make.apiKey(["edit_books"])).delete(`${path}?permanent=true`);
    expect([removed.status, removed.body]).toEqual([200, { success: true }]);
    expectProblem(await client.get(path), 404);
  });

  it.each(["active", "archived"])(
    "deletes everything that belongs to an %s one, and nothing of another",
    async (state) => {
      const { client, api, book, other, path, rowsOf, dataDir } = await start();
      expect(await rowsOf(book.id)).toEqual([1, 4, 0, 1, 1]);
      const kept = await rowsOf(other.id);
      const otherBefore = (await client.get(`${BOOKS}/${other.id}`)).body;
      if (state === "archived") await client.delete(path);
      expect((await client.delete(`${path}?permanent=true`)).body).toEqual({ success: true });
      expect(await rowsOf(book.id)).toEqual([0, 0, 0, 0, 0]);
      expect(await rowsOf(other.id)).toEqual(kept);
      expect((await client.get(`${BOOKS}/${other.id}`)).body).toEqual(otherBefore);
      // What a ZIP is just made of stays until it is done.
      await eventually(() =>
        expectStored(dataDir, ...["in both", "old Another", "new Another"].map(createTxt)),
      );
      for (const gone of [path, `${path}/files`, `${path}?preview=delete`, coverPathOf(book.id, "default")]) {
        expectProblem(await client.get(gone), 404);
      }
      expectProblem(await client.delete(path), 404, { code: "book_not_found" });
      expectProblem(await client.delete(`${path}?permanent=true`), 404);
      expectProblem(await client.post(`${path}/restore`), 404);
      expect((await client.get(BOOKS)).body.books).toMatchObject([{ id: other.id }]);
      expect((await api.get("/api/books")).body.books).toMatchObject([{ id: other.id }]);
      await client.delete(`${BOOKS}/${other.id}?permanent=true`);
      await eventually(() => expectStored(dataDir));
    },
  );

  it("deletes what its preview has counted", async () => {
    const app = await start();
    const { client, api, book, other, path, rowsOf, impact, dataDir } = app;
    await linkToAll(api, "es");
    // Covers are re-encoded: the same picture is kept once for both books.
    for (const [id, code] of [
      [book.id, "default"],
      [book.id, "es"],
      [other.id, "es"],
    ] as const) {
      await putCover(client, id, code, await createPicture(code === "es" ? "red" : "blue"));
    }
    // The same content twice in the book is still kept once.
    await app.make.textFile(book.id, "es-MX", "new Well");
    const counted = await impact();
    const [translations, files, covers, publications, visibilityOverrides] = await rowsOf(book.id);
    expect(counted).toEqual({
      translations,
      files,
      covers,
      publications,
      visibilityOverrides,
      localFiles: 4,
      fileBytes: "old Well".length + "new Well".length,
      downloadEvents: 2,
    });
    expect(files).toBe(5);
    const cover = (await client.get(`${path}/covers`)).body.covers[0];
    expect(cover.languageId).toBeNull();
    const before = { bytes: await sumStoredBytes(dataDir), events: await listEvents(app) };
    await client.delete(`${path}?permanent=true`);
    expect(await rowsOf(book.id)).toEqual([0, 0, 0, 0, 0]);
    expect(before.bytes - (await sumStoredBytes(dataDir))).toBe(counted.fileBytes + cover.fileSizeBytes);
    expect((await client.get(coverPathOf(other.id, "es"))).status).toBe(200);
    expect(await listEvents(app)).toEqual(before.events);
  });

  it("keeps the bytes of a file that are also another book's cover, and counts them as kept", async () => {
    const { client, other, path, impact, dataDir, container, book } = await start();
    await putCover(client, other.id, "default", await createPicture("green"));
    const [cover] = (await client.get(`${BOOKS}/${other.id}/covers`)).body.covers;
    const { fileBytes } = await impact();
    await container.database.commit(() =>
      container.database.writer
        .updateTable("book_files")
        .set({ sha256: cover.sha256, fileSizeBytes: cover.fileSizeBytes })
        .where("bookId", "=", book.id)
        .where("sha256", "is not", null)
        .where("isActive", "=", 0)
        .execute(),
    );
    expect((await impact()).fileBytes).toBe(fileBytes - "old Well".length);
    const before = await sumStoredBytes(dataDir);
    await client.delete(`${path}?permanent=true`);
    expect(before - (await sumStoredBytes(dataDir))).toBe("new Well".length);
    expect((await client.get(coverPathOf(other.id, "default"))).status).toBe(200);
  });

  it("keeps its events with their titles, also those of whole languages", async () => {
    const app = await start();
    const { client, api, path, book } = app;
    await linkToAll(api, "es");
    const before = await listEvents(app);
    await client.delete(`${path}?permanent=true`);
    expect(await listEvents(app)).toEqual(before);
    const ofBook = (await client.get(`/api/admin/analytics/downloads?bookId=${book.id}`)).body.downloads;
    expect(ofBook.map(({ bookTitle }: { bookTitle: string }) => bookTitle)).toEqual([
      "All books",
      "Well (es)",
    ]);
  });

  it("frees its slug, and adds one entry to the audit log", async () => {
    const app = await start();
    const { client, path, book, make } = app;
    const before = (await client.get(path)).body.book;
    await client.delete(`${path}?permanent=true`);
    const line = (await readAuditLog(app)).at(-1);
    expect(line).toMatchObject({
      action: "delete",
      objectKind: "book",
      objectId: book.id,
      objectName: "Well",
      actorName: "admin",
      changes: { titleEn: { before: "Well" }, slug: { before: before.slug }, isActive: { before: 1 } },
    });
    expect(line?.changes.titleEn).not.toHaveProperty("after");
    expect((await make.book("Well")).slug).toBe(before.slug);
  });
});

it("the permanent removal of a book during a transfer rejects a concurrent upload or deletes it with the book, and leaves no bytes", async () => {
  const { client, path, dataDir, other, app } = await start();
  const fields = { languageCode: "es", fileType: "txt" };
  const uploads = Array.from({ length: 5 }, (_, index) =>
    client.upload("post", `${path}/files`, {
      fields,
      file: { bytes: createTxt(`late ${index}`), name: "a.txt" },
    }),
  );
  const removal = client.delete(`${path}?permanent=true`);
  const statuses = (await Promise.all(uploads)).map(({ status }) => status);
  expect(statuses.every((status) => status === 201 || status === 404)).toBe(true);
  expect((await removal).status).toBe(200);
  await client.delete(`${BOOKS}/${other.id}?permanent=true`);
  await removeReleased(app);
  await expectStored(dataDir);
});
