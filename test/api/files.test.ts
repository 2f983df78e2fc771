/** Files of a book: list, one active per place, metadata, delete. After each case: what lies on the disk. */

import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { AGENTS, linkTo } from "../support/reader.ts";
import { createEpub, createPdf, createTxt, expectStored, removeReleased } from "../support/stored-files.ts";

/** A book with one text file, "first", in Spanish; there is Arabic too. */
async function start() {
  const { app, client } = await startWithAdmin();
  await app.make.language("ar");
  const { book, file } = await app.make.published("Well", "es", "first");
  const path = `/api/admin/books/${book.id}/files`;
  const patch = (change: unknown, id = file.id) => client.patch(`${path}/${id}`, change);
  const files = async () => (await client.get(path)).body.files;
  /** The texts' file names of the active files, by language and type. */
  const active = async () =>
    (await files())
      .filter((one: { isActive: number }) => one.isActive === 1)
      .map((one: Record<string, string>) => `${one.languageCode} ${one.fileType} ${one.fileName}`);
  const stored = (...texts: string[]) => expectStored(app.dataDir, ...texts.map(createTxt));
  const add = async (languageCode: string, bytes: Buffer, name: string) => {
    const form = { fields: { languageCode }, file: { bytes, name } };
    return bodyOf(client.upload("post", path, form), 201);
  };
  return { ...app, app, client, book, file, path, patch, files, active, stored, add };
}

it("the list of files is ordered by language and type, then newest first", async () => {
  const { add, files, clock } = await start();
  await add("ar", createTxt("a"), "a.txt");
  await add("es", createPdf("a"), "p.pdf");
  clock.advance(1);
  await add("es", createTxt("second"), "s.txt");
  expect((await files()).map((one: { fileName: string }) => one.fileName)).toEqual([
    "a.txt",
    "p.pdf",
    "s.txt",
    "book.txt",
  ]);
});

describe("the active file of a book, language and type", () => {
  it("is the newest; the former one is kept, inactive", async () => {
    const { api, add, active, book, files, stored, file } = await start();
    await add("es", createPdf("a"), "a.pdf");
    await add("ar", createTxt("ar"), "ar.txt");
    await add("es", createTxt("second"), "second.txt");
    expect(await active()).toEqual(["ar txt ar.txt", "es pdf a.pdf", "es txt second.txt"]);
    expect((await files()).find(({ id }: { id: string }) => id === file.id)).toMatchObject({ isActive: 0 });
    await stored("first", "ar", "second", createPdf("a").toString());
    const link = await linkTo(api, { slug: book.slug, languageCode: "es", fileType: "txt" });
    expect((await api.get(link)).body.toString()).toBe("second");
  });

  it("is one file for concurrent requests", async () => {
    const { add, active, files } = await start();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => add("es", createTxt(`text ${index}`), `${index}.txt`)),
    );
    expect(await active()).toHaveLength(1);
    expect(await files()).toHaveLength(11);
  });

  it("isn't changed by another book's files", async () => {
    const { make, active } = await start();
    await make.published("Another", "es");
    expect(await active()).toEqual(["es txt book.txt"]);
  });

  it("can be deactivated, and a former one activated again", async () => {
    const { api, add, patch, active, book, file, stored } = await start();
    const second = await add("es", createTxt("second"), "second.txt");
    expect((await patch({ isActive: 1 })).body.file.isActive).toBe(1);
    expect(await active()).toEqual(["es txt book.txt"]);
    expect((await patch({ isActive: 1 }, second.id)).body.file.isActive).toBe(1);
    expect(await active()).toEqual(["es txt second.txt"]);
    expect((await patch({ isActive: 0 }, second.id)).body.file.isActive).toBe(0);
    expect(await active()).toEqual([]);
    expectProblem(await api.get(`/api/books/${book.slug}`), 404);
    await patch({ isActive: 1 }, file.id);
    expect((await api.get(`/api/books/${book.slug}`)).status).toBe(200);
    await stored("first", "second");
  });
});

describe("changing the metadata of a file", () => {
  it("changes the given fields and nothing else", async () => {
    const { api, clock, book, patch, files, stored } = await start();
    let [file] = await files();
    for (const change of [
      { fileName: "بئر.txt" },
      { languageCode: "ES" },
      { fileType: "txt" },
      { isActive: 1 },
      {},
    ]) {
      clock.advance(1000);
      const response = await patch(change);
      const expected = {
        ...file,
        ...change,
        languageCode: "es",
        updatedAt: new Date(clock.now()).toISOString(),
        version: expect.any(String),
      };
      expect(response.body, JSON.stringify(change)).toEqual({ success: true, file: expected });
      file = response.body.file;
    }
    expect(await files()).toEqual([file]);
    await stored("first");
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    const { headers } = await api.get(link, { "User-Agent": AGENTS.chrome });
    // Under its book's title: the name of the file is what administrators see.
    expect(headers["content-disposition"]).toBe('attachment; filename="Well [es].txt"');
  });

  it("moves a file to another language, where it replaces the active one", async () => {
    const { add, patch, active, files, file } = await start();
    const arabic = await add("ar", createTxt("ar"), "ar.txt");
    const moved = await patch({ languageCode: "AR", fileName: "moved.txt" });
    expect(moved.body.file).toMatchObject({ id: file.id, languageCode: "ar", languageId: arabic.languageId });
    expect(await active()).toEqual(["ar txt moved.txt"]);
    expect(await files()).toHaveLength(2);
    await patch({ isActive: 0 });
    await patch({ languageCode: "es" });
    expect(await active()).toEqual([]);
    await patch({ languageCode: "ar" }, arabic.id);
    expect(await active()).toEqual([]);
  });
});

describe("deleting a file", () => {
  it("deletes the row immediately, and the bytes an hour after no file refers to them any more", async () => {
    const { api, client, make, add, path, file, files, stored, book, app } = await start();
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    const same = await add("ar", createTxt("first"), "the same.txt");
    const { book: other, file: others } = await make.published("Another", "es", "first");
    await stored("first");
    const deleted = await client.delete(`${path}/${file.id}`);
    expect(deleted.body).toEqual({ success: true, stillPublished: false });
    expectProblem(await api.get(link), 404, { code: "file_unavailable" });
    await stored("first");
    await client.delete(`${path}/${same.id}`);
    await stored("first");
    expect(await files()).toEqual([]);
    await removeReleased(app);
    await stored("first");
    await client.delete(`/api/admin/books/${other.id}/files/${others.id}`);
    await stored("first");
    await removeReleased(app);
    await stored();
    expectProblem(await client.delete(`${path}/${file.id}`), 404, { code: "file_not_found" });
  });

  it("returns whether the book is still published in that language", async () => {
    const { add, client, make, path, file, book } = await start();
    const spanish = (await client.get("/api/admin/languages")).body.languages.find(
      ({ code }: { code: string }) => code === "es",
    );
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    const remove = async (id: string) => (await client.delete(`${path}/${id}`)).body.stillPublished;
    // A former one of the same type, which isn't active.
    const newer = await add("es", createTxt("second"), "second.txt");
    expect(await remove(file.id)).toBe(true);
    const own = await add("es-MX", createTxt("own"), "own.txt");
    // What the parent offers is inherited again.
    expect(await remove(own.id)).toBe(true);
    const hidden = await add("es-MX", createTxt("own"), "own.txt");
    await make.override(mexican.id, book.id, false);
    expect(await remove(hidden.id)).toBe(false);
    await client.put(`/api/admin/languages/${spanish.id}`, { isActive: 0 });
    const another = await add("es", createTxt("third"), "third.txt");
    expect(await remove(another.id)).toBe(false);
    expect(await remove(newer.id)).toBe(false);
  });

  it("doesn't activate a former one", async () => {
    const { add, client, path, active } = await start();
    const { id } = await add("es", createTxt("second"), "second.txt");
    await client.delete(`${path}/${id}`);
    expect(await active()).toEqual([]);
  });
});

it("an EPUB and a KEPUB of the same bytes are two files", async () => {
  const { client, path, active, add } = await start();
  const bytes = await createEpub("Well");
  const kepub = await add("es", bytes, "well.kepub.epub");
  await add("es", bytes, "well.epub");
  expect(await active()).toEqual(["es epub well.epub", "es kepub well.kepub.epub", "es txt book.txt"]);
  await client.delete(`${path}/${kepub.id}`);
  expect(await active()).toEqual(["es epub well.epub", "es txt book.txt"]);
});
