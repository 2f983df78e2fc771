/** Examining files before they become files of books. After each case: what lies on the disk. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { zipOf } from "../support/book-files.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo } from "../support/reader.ts";
import { createEpub, createPdf, createTxt, expectStored, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase } from "../support/test-database.ts";

const PATH = "/api/admin/files/examine";
const HOUR = 3_600_000;

const examine = (client: Client, bytes: Buffer, name: string) =>
  client.upload("post", PATH, { file: { bytes, name } });

async function start(variables: Record<string, string> = {}) {
  const { app, client } = await startWithAdmin(variables);
  await app.make.language("es");
  const book = await app.make.book("Well");
  const add = (bytes: Buffer, fileName: string) =>
    client.post(`/api/admin/books/${book.id}/files`, {
      languageCode: "es",
      fileName,
      sha256: hashBytes(bytes),
    });
  const stored = (...contents: Buffer[]) => expectStored(app.dataDir, ...contents);
  return {
    ...app,
    client,
    book,
    add,
    stored,
    examine: (bytes: Buffer, name: string) => examine(client, bytes, name),
    forget: () => app.container.services.examinations.forgetOld(),
  };
}

describe("the examination of a file", () => {
  it("says what the file is, and what it says about its book", async () => {
    const { examine, stored } = await start();
    const epub = await createEpub("The Well");
    const response = await examine(epub, "any name.epub");
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      fileType: "epub",
      fileSizeBytes: epub.length,
      sha256: hashBytes(epub),
      metadata: {
        title: "The Well",
        languageCode: "en",
        authors: ["Book Distribution Service, demo catalogue"],
        contributors: [],
        description: null,
        publisher: null,
        license: null,
        isbn: null,
        tags: [],
        series: null,
      },
      hasCover: false,
      knownAs: [],
      remarks: [],
      errors: [],
      errorCodes: [],
    });
    await stored(epub);
  });

  it("says that a ZIP contains books, and isn't one", async () => {
    const { examine } = await start();
    const epub = await createEpub("Well");
    const books = await zipOf({ "one.epub": epub, "two.epub": epub });
    expect((await examine(books, "books.zip")).body).toMatchObject({
      fileType: "zip",
      errors: ["It contains 2 books; unpack it first, or name it in a catalogue."],
      errorCodes: ["books_inside"],
    });
    const recording = await examine(await zipOf({ "one.mp3": "a", "two.mp3": "b" }), "recording.zip");
    expect(recording.body).toMatchObject({ fileType: "zip", errors: [] });
  });

  it("has no metadata of text, and none of a damaged file, which it explains", async () => {
    const { examine } = await start();
    const text = await examine(createTxt("a"), "a.txt");
    expect(text.body).toMatchObject({ fileType: "txt", metadata: null, hasCover: false, errors: [] });
    const epub = await createEpub("Well");
    const damaged = Buffer.concat([epub]);
    damaged.write("<broken", damaged.indexOf("<package"));
    const response = await examine(damaged, "damaged.epub");
    expect(response.body).toMatchObject({ fileType: "epub", metadata: null, errors: [] });
    expect(response.body.remarks).toEqual([
      {
        code: "metadata_unreadable",
        message: "Its metadata can't be read. Its package document (OPF) is not XML.",
      },
    ]);
  });

  it("goes by the content if the name is that of another type, and tells types of the same content by the name", async () => {
    const { examine } = await start();
    const epub = await createEpub("Well");
    expect((await examine(epub, "well.pdf")).body).toMatchObject({
      fileType: "epub",
      metadata: { title: "Well" },
      errors: ["The file is an EPUB book, not a PDF document."],
      errorCodes: ["content_unfit"],
    });
    expect((await examine(epub, "well.kepub.epub")).body).toMatchObject({ fileType: "kepub", errors: [] });
    const picture = Buffer.from("GIF89a and more");
    const response = await examine(picture, "picture.gif");
    expect(response.body).toMatchObject({ fileType: null, metadata: null });
    expect(response.body.errors).toHaveLength(1);
  });

  it("names the files that have the same bytes", async () => {
    const { examine, make, book, stored } = await start();
    const file = await make.textFile(book.id, "es", "known");
    const response = await examine(createTxt("known"), "copy.txt");
    expect(response.body.knownAs).toEqual([{ bookId: book.id, fileId: file.id, languageCode: "es" }]);
    await stored(createTxt("known"));
  });

  it("rejects what is too large, empty or no form with a file", async () => {
    const { examine, client, stored } = await start({ MAX_UPLOAD_BYTES: "1048576" });
    expectProblem(await examine(Buffer.alloc(1_048_577, "a"), "a.txt"), 413, { code: "file_too_large" });
    expectProblem(await examine(Buffer.alloc(0), "a.txt"), 400, { code: "file_empty" });
    expectProblem(await client.upload("post", PATH, { fields: { languageCode: "es" } }), 400, {
      errors: ["file missing", "languageCode unknown_field"],
    });
    expectProblem(await client.post(PATH, {}), 415);
    await stored();
  });

  it("is limited to two at once for a user, with all sessions and API keys", async () => {
    const app = await start();
    const { store } = app.container;
    const receive = store.receive.bind(store);
    const released = Promise.withResolvers<void>();
    const spy = vi.spyOn(store, "receive").mockImplementation(async (...given) => {
      await released.promise;
      return receive(...given);
    });
    onTestFinished(() => spy.mockRestore());
    const first = ["a", "b"].map((text) => app.examine(createTxt(text), "a.txt"));
    await eventually(() => expect(spy).toHaveBeenCalledTimes(2));
    for (const client of [app.client, await app.make.apiKey(["edit_books"])]) {
      const rejected = await examine(client, createTxt("c"), "c.txt");
      expectProblem(rejected, 429, { code: "too_many_requests" });
      expect(rejected.headers["retry-after"]).toBe("1");
    }
    const other = examine(await app.make.login("editor"), createTxt("d"), "d.txt");
    await eventually(() => expect(spy).toHaveBeenCalledTimes(3));
    released.resolve();
    for (const response of await Promise.all([...first, other])) expect(response.status).toBe(200);
    expect((await app.examine(createTxt("c"), "c.txt")).status).toBe(200);
  });
});

describe("the bytes of an examined file", () => {
  it("become a file of a book by their hash, and stay with it", async () => {
    const { api, examine, add, book, stored, clock, forget } = await start();
    const epub = await createEpub("Well");
    await examine(epub, "well.epub");
    const added = await add(epub, "pozo.epub");
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ fileType: "epub", sha256: hashBytes(epub), fileName: "pozo.epub" });
    clock.advance(HOUR + 1);
    await forget();
    await stored(epub);
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    expect((await api.get(link)).status).toBe(200);
  });

  it("are kept for an hour, also over a restart, and neither a sweep nor the doctor counts them as orphans", async () => {
    const dataDir = `${createTempFolder()}/data`;
    addDatabase(dataDir);
    const before = await startApp({}, { dataDir });
    await examine(await before.admin(), createTxt("text"), "a.txt");
    const { app, client } = await startWithAdmin({}, { dataDir });
    app.clock.advance(HOUR - 60_000);
    await app.container.services.examinations.forgetOld();
    expect(await app.container.sweep()).toMatchObject({ setAside: 0 });
    const { body } = await client.get("/api/admin/doctor");
    expect(body.checks).toContainEqual({ check: "orphaned_bytes", found: 0 });
    await app.make.language("es");
    const book = await app.make.book("Well");
    const form = { languageCode: "es", fileName: "a.txt", sha256: hashBytes(createTxt("text")) };
    expect((await client.post(`/api/admin/books/${book.id}/files`, form)).status).toBe(201);
  });

  it("are deleted after an hour, unless they are examined again", async () => {
    const { examine, add, stored, clock, forget } = await start();
    await examine(createTxt("old"), "a.txt");
    await examine(createTxt("again"), "a.txt");
    clock.advance(HOUR / 2);
    await examine(createTxt("again"), "a.txt");
    clock.advance(HOUR / 2 + 1);
    await forget();
    await stored(createTxt("again"));
    expectProblem(await add(createTxt("old"), "a.txt"), 404, { code: "content_unknown" });
    expect((await add(createTxt("again"), "a.txt")).status).toBe(201);
  });

  it("take a quarter of CACHE_MAX_BYTES: the oldest are deleted, the newest stays", async () => {
    const { examine, stored, clock, add } = await start({ CACHE_MAX_BYTES: "40" });
    for (const text of ["first", "two", "three", "a longer text"]) {
      await examine(createTxt(text), "a.txt");
      clock.advance(1000);
      if (text === "three") await stored(createTxt("two"), createTxt("three"));
    }
    await stored(createTxt("a longer text"));
    expect((await add(createTxt("a longer text"), "a.txt")).status).toBe(201);
  });

  it("are added up beside the event loop, and again only when they may be too many or after ten minutes", async () => {
    const { examine, stored, clock, container } = await start({ CACHE_MAX_BYTES: "400" });
    const add = vi.spyOn(container.reports.examinedFiles, "listOutdated");
    const sizes = [30, 30, 30, 15];
    const texts = sizes.map((size, index) => createTxt(String(index).repeat(size)));
    for (const text of texts) {
      await examine(text, "a.txt");
      clock.advance(1000);
    }
    // At the first one after a start, and at the one with which they were more than 100 bytes.
    expect(add).toHaveBeenCalledTimes(2);
    await stored(...texts.slice(1));
    await examine(createTxt("x".repeat(20)), "a.txt");
    expect(add).toHaveBeenCalledTimes(2);
  });

  it("are there, or unknown, for a file that is made while they are deleted", async () => {
    const { examine, add, stored, clock, forget } = await start();
    await examine(createTxt("late"), "a.txt");
    clock.advance(HOUR + 1);
    const [added] = await Promise.all([add(createTxt("late"), "a.txt"), forget()]);
    expect([201, 404]).toContain(added.status);
    await stored(...(added.status === 201 ? [createTxt("late")] : []));
  });

  it("are kept when another file has the same bytes and is deleted", async () => {
    const { examine, client, make, book, stored, clock, forget } = await start();
    const file = await make.textFile(book.id, "es", "same");
    await examine(createTxt("same"), "a.txt");
    await client.delete(`/api/admin/books/${book.id}/files/${file.id}`);
    await stored(createTxt("same"));
    clock.advance(HOUR + 1);
    await forget();
    await stored();
  });

  it("aren't left when the examination fails", async () => {
    const { examine, container, stored } = await start();
    const spy = vi.spyOn(container.database, "commit").mockRejectedValue(new Error("no row"));
    expect((await examine(createPdf("a"), "a.pdf")).status).toBe(500);
    spy.mockRestore();
    await container.sweep();
    await stored();
  });

  it("leave no copy in the cache, and a start deletes that of a crash", async () => {
    const { examine, dataDir, container } = await start();
    await examine(await createEpub("Well"), "well.epub");
    const cache = join(dataDir, "cache");
    expect(readdirSync(cache).filter((name) => name.includes("examined"))).toEqual([]);
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, "examined.part"), "a part");
    await container.sweep();
    expect(readdirSync(cache)).not.toContain("examined.part");
  });
});
