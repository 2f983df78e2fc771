/** Bringing an archived book back, and which of its files become active with it. */

import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { bodyOf } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createPdf, createTxt, expectStored } from "../support/stored-files.ts";

const BOOKS = "/api/admin/books";

interface File {
  id: string;
  languageCode: string;
  fileType: string;
  fileName: string;
  isActive: 0 | 1;
}

/** A book, Spanish and Arabic, and ways to give it files and to switch them off. */
async function start() {
  const { app, client } = await startWithAdmin();
  for (const code of ["es", "ar"]) await app.make.language(code);
  const book = await app.make.book("The Well");
  const path = `${BOOKS}/${book.id}`;
  const files = async (): Promise<File[]> => (await client.get(`${path}/files`)).body.files;
  const patch = (id: string, change: object) => client.patch(`${path}/files/${id}`, change);
  return {
    ...app,
    client,
    book,
    path,
    files,
    patch,
    /** A new version, a second after what was before. */
    async version(languageCode: string, name: string): Promise<{ id: string }> {
      app.clock.advance(1000);
      return app.make.textFile(book.id, languageCode, name, `${name}.txt`);
    },
    async link(languageCode: string, name: string, fileType = "epub"): Promise<{ id: string }> {
      app.clock.advance(1000);
      const fileName = `${name}.${fileType}`;
      const cloud = { sourceType: "dropbox", cloudUrl: `https://www.dropbox.com/s/abc/${fileName}` };
      return bodyOf(client.post(`${path}/files`, { languageCode, fileType, fileName, ...cloud }), 201);
    },
    async switchOffAll(): Promise<void> {
      app.clock.advance(1000);
      for (const { id, isActive } of await files()) if (isActive === 1) await patch(id, { isActive: 0 });
    },
    async archiveAndRestore() {
      await client.delete(path);
      app.clock.advance(1000);
      return client.post(`${path}/restore`);
    },
    active: async () =>
      (await files()).flatMap(({ languageCode, fileName, isActive }) =>
        isActive === 1 ? [`${languageCode} ${fileName}`] : [],
      ),
  };
}

describe("restoring a book", () => {
  it("clears the archived fields, and publishes the book immediately", async () => {
    const { client, api, clock, book, path, version } = await start();
    await version("es", "pozo");
    const before = (await client.get(path)).body;
    await client.delete(path);
    expectProblem(await api.get(`/api/books/${book.slug}`), 404);
    clock.advance(1000);
    const response = await client.post(`${path}/restore`);
    expect([response.status, response.body]).toEqual([
      200,
      {
        success: true,
        book: { id: book.id, slug: "the-well", isActive: 1, version: before.book.version },
        reactivatedFiles: 0,
      },
    ]);
    const updatedAt = new Date(clock.now()).toISOString();
    expect((await client.get(path)).body).toEqual({ ...before, book: { ...before.book, updatedAt } });
    expect((await api.get(`/api/books/${book.slug}`)).body).toMatchObject({ languages: ["es"] });
  });

  it("requires a book that is archived", async () => {
    const app = await start();
    const { client, book, path } = app;
    const lines = (await readAuditLog(app)).length;
    expectProblem(await client.post(`${path}/restore`), 409, { code: "book_not_archived" });
    for (const id of ["unknown", book.slug, "%00"]) {
      expectProblem(await client.post(`${BOOKS}/${id}/restore`), 404);
    }
    expectProblem(await client.post(`${BOOKS}/unknown/restore`), 404, { code: "book_not_found" });
    expect(await readAuditLog(app)).toHaveLength(lines);
    await client.delete(path);
    const responses = await Promise.all(Array.from({ length: 4 }, () => client.post(`${path}/restore`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe("the files of a restored book", () => {
  it("stay unchanged if any of them is active", async () => {
    const { version, patch, archiveAndRestore, active, files } = await start();
    const first = await version("es", "first");
    await version("es", "second");
    const before = await files();
    expect((await archiveAndRestore()).body.reactivatedFiles).toBe(0);
    expect(await files()).toEqual(before);
    // Also when it isn't the newest that is active.
    await patch(first.id, { isActive: 1 });
    expect((await archiveAndRestore()).body.reactivatedFiles).toBe(0);
    expect(await active()).toEqual(["es first.txt"]);
  });

  it("stay unchanged if one is active in another language or format", async () => {
    const { version, link, patch, switchOffAll, archiveAndRestore, active } = await start();
    await version("es", "spanish");
    const arabic = await version("ar", "arabic");
    const epub = await link("es", "epub");
    for (const { id } of [arabic, epub]) {
      await switchOffAll();
      await patch(id, { isActive: 1 });
      const only = await active();
      expect(only).toHaveLength(1);
      expect((await archiveAndRestore()).body.reactivatedFiles).toBe(0);
      expect(await active()).toEqual(only);
    }
  });

  it("become active if none is: the newest of each language and format, local and cloud", async () => {
    const { version, link, switchOffAll, archiveAndRestore, active, api, book, dataDir } = await start();
    for (const code of ["es", "ar"]) {
      for (const age of ["old", "new"]) {
        await version(code, `${code}-${age}`);
        await link(code, `${code}-${age}`);
      }
    }
    await switchOffAll();
    expect((await api.get("/api/books")).body.books).toEqual([]);
    expect((await archiveAndRestore()).body).toMatchObject({ book: { isActive: 1 }, reactivatedFiles: 4 });
    expect(await active()).toEqual(["ar ar-new.epub", "ar ar-new.txt", "es es-new.epub", "es es-new.txt"]);
    // The older versions keep their bytes.
    await expectStored(dataDir, ...["es-old", "es-new", "ar-old", "ar-new"].map(createTxt));
    expect((await api.get(`/api/books/${book.slug}`)).body.languages).toEqual(["ar", "es"]);
  });

  it("become active by a cloud link added after an upload, and the other way round", async () => {
    const { version, link, switchOffAll, archiveAndRestore, active } = await start();
    await version("ar", "upload");
    await link("ar", "link", "txt");
    await link("es", "link", "txt");
    await version("es", "upload");
    await switchOffAll();
    expect((await archiveAndRestore()).body.reactivatedFiles).toBe(2);
    expect(await active()).toEqual(["ar link.txt", "es upload.txt"]);
  });

  it("are ordered by the time of their addition, not by later changes", async () => {
    const { version, patch, client, path, clock, switchOffAll, archiveAndRestore, active } = await start();
    const first = await version("es", "first");
    const second = await version("es", "second");
    await version("es", "third");
    await switchOffAll();
    clock.advance(1000);
    const bytes = { file: { bytes: createTxt("mended"), name: "x.txt" } };
    expect((await client.upload("put", `${path}/files/${first.id}`, bytes)).status).toBe(200);
    await patch(second.id, { fileName: "renamed.txt" });
    expect((await archiveAndRestore()).body.reactivatedFiles).toBe(1);
    expect(await active()).toEqual(["es third.txt"]);
  });

  it("are distinguished by their ids if they were added in the same millisecond", async () => {
    const { make, book, switchOffAll, archiveAndRestore, files } = await start();
    const made = [];
    for (const text of ["1", "2", "3", "4"]) made.push(await make.textFile(book.id, "es", text));
    await switchOffAll();
    expect((await archiveAndRestore()).body.reactivatedFiles).toBe(1);
    const last = made
      .map(({ id }) => id)
      .sort()
      .at(-1);
    expect((await files()).filter(({ isActive }) => isActive === 1)).toMatchObject([{ id: last }]);
  });

  it("are an empty list if there are none", async () => {
    const { archiveAndRestore, files } = await start();
    expect((await archiveAndRestore()).body).toMatchObject({ success: true, reactivatedFiles: 0 });
    expect(await files()).toEqual([]);
  });

  it("are delivered after their activation", async () => {
    const { version, link, switchOffAll, archiveAndRestore, active, make, book, client, path } =
      await start();
    await version("es", "text");
    await link("es", "link");
    for (const expected of [2, 2]) {
      await switchOffAll();
      expect((await archiveAndRestore()).body.reactivatedFiles).toBe(expected);
    }
    // One is active at each place: a newer one takes its place as ever.
    await make.textFile(book.id, "es", "newer", "newer.txt");
    expect(await active()).toEqual(["es link.epub", "es newer.txt"]);
    const file = { bytes: createPdf("a"), name: "a.pdf" };
    await client.upload("post", `${path}/files`, { fields: { languageCode: "es" }, file });
    expect(await active()).toHaveLength(3);
  });

  it("are named in the single entry of the audit log", async () => {
    const app = await start();
    await app.version("es", "text");
    const { id } = await app.version("es", "newer");
    await app.switchOffAll();
    await app.archiveAndRestore();
    const archivedAt = app.clock.now() - 1000;
    const lines = (await readAuditLog(app)).slice(-2);
    expect(lines.map(({ action }) => action)).toEqual(["archive", "restore"]);
    expect(lines[1]).toMatchObject({ objectKind: "book", objectId: app.book.id, objectName: "The Well" });
    expect(lines[1]?.changes).toEqual({
      isActive: { before: 0, after: 1 },
      archivedAt: { before: archivedAt, after: null },
      archivedBy: { before: "admin", after: null },
      reactivatedFiles: { before: [], after: [id] },
    });
  });
});
