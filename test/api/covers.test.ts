/** Covers as administrators keep them: list, upload, replace, get, delete. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { createEpub } from "../support/book-files.ts";
import { setActive } from "../support/catalogue-rows.ts";
import {
  asListed,
  BYTES,
  coverPathOf,
  createPicture,
  putCover,
  readColor,
  readMetadata,
} from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";

/** A book, and Spanish. */
async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const book = await app.make.book("The Deep Well");
  const listed = async (bookId = book.id) =>
    (await client.get(`/api/admin/books/${bookId}/covers`)).body.covers;
  const shown = async () => (await client.get(`/api/admin/books/${book.id}`)).body.book;
  const ofCovers = async () => (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "cover");
  return { ...app, client, spanish, book, listed, shown, ofCovers, path: coverPathOf(book.id, "es") };
}

describe("uploading a cover", () => {
  it("adds it, raw or in a form, and returns its type and size", async () => {
    const { client, book, spanish, path, listed } = await start();
    const body = await createPicture("red", { width: 300, height: 450, type: "png" });
    const response = await client.upload("put", path, { file: { bytes: body, name: "../cover.exe" } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      success: true,
      cover: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        bookId: book.id,
        languageId: spanish.id,
        languageCode: "es",
        contentType: "image/png",
        width: 300,
        height: 450,
        fileSizeBytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        url: path,
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
        replaced: [],
        remarks: [],
      },
    });
    const own = await putCover(client, book.id, "default", await createPicture("blue"));
    expect(own).toMatchObject({ languageId: null, languageCode: "default", contentType: "image/jpeg" });
    expect(own.url).toBe(coverPathOf(book.id, "default"));
    expect(await listed()).toEqual([own, response.body.cover].map(asListed));
    const image = await client.get(own.url);
    expect(await readColor(image.body)).toBe("blue");
  });

  it("takes bytes that the service has: an image, or a book with a cover", async () => {
    const { client, path, book, listed } = await start();
    const examine = async (bytes: Buffer, name: string) =>
      (await client.upload("post", "/api/admin/files/examine", { file: { bytes, name } })).body.sha256;
    const items = '<item id="c" href="c.jpg" media-type="image/jpeg" properties="cover-image"/>';
    const epub = await createEpub({ items, entries: { "OEBPS/c.jpg": await createPicture("green") } });
    for (const [color, sha256] of [
      ["red", await examine(await createPicture("red"), "red.jpg")],
      ["green", await examine(epub, "book.epub")],
    ] as const) {
      expect((await client.put(path, { sha256 })).status).toBe(200);
      expect(await readColor((await client.get(path)).body)).toBe(color);
    }
    const before = await listed();
    for (const [bytes, name] of [
      [await createEpub({}), "none.epub"],
      [createTxt("A text."), "a.txt"],
      [epub.subarray(0, 300), "broken.epub"],
    ] as const) {
      const response = await client.put(path, { sha256: await examine(bytes, name) });
      expect([400, 415]).toContain(response.status);
      if (name !== "broken.epub") expectProblem(response, 400, { code: "image_invalid" });
    }
    const unknown = { sha256: hashBytes(createTxt("never sent")) };
    expectProblem(await client.put(path, unknown), 404, { code: "content_unknown" });
    expectProblem(await client.put(coverPathOf(book.id, "fr"), unknown), 404, { code: "language_not_found" });
    expectProblem(await client.put(path, { sha256: "A", more: 1 }), 400, {
      errors: ["more unknown_field", "sha256 invalid_format"],
    });
    expect(await listed()).toEqual(before);
  });

  it("replaces the existing cover, by a code in any case", async () => {
    const { client, clock, book, path, listed } = await start();
    const before = await putCover(client, book.id, "es", await createPicture("red"));
    clock.advance(60_000);
    const after = await putCover(
      client,
      book.id,
      "ES",
      await createPicture("green", { width: 500, type: "webp" }),
    );
    expect(after).toEqual({
      ...before,
      contentType: "image/webp",
      width: 500,
      fileSizeBytes: after.fileSizeBytes,
      sha256: after.sha256,
      updatedAt: "2026-03-01T12:01:00.000Z",
      replaced: [expect.objectContaining({ sha256: before.sha256, fileName: "cover.jpg" })],
    });
    expect(after.sha256).not.toBe(before.sha256);
    expect(await listed()).toEqual([asListed(after)]);
    expect(await readColor((await client.get(path)).body)).toBe("green");
  });

  it("stores one cover of a language and one of the book for concurrent requests", async () => {
    const { client, book, listed } = await start();
    const colors = ["red", "green", "blue", "yellow"] as const;
    const pictures = await Promise.all(
      colors.map((color) => createPicture(color, { width: 40, height: 60 })),
    );
    await Promise.all(
      ["default", "es"].flatMap((code) => pictures.map((body) => putCover(client, book.id, code, body))),
    );
    const codes = (await listed()).map(({ languageCode }: { languageCode: string }) => languageCode);
    expect(codes).toEqual(["default", "es"]);
  });

  it("requires its book and its language, and doesn't read the upload otherwise", async () => {
    const { client, book } = await start();
    const put = (bookId: string, code: string) =>
      client.call("put", coverPathOf(bookId, code), { headers: BYTES, body: Buffer.from("no image") });
    expectProblem(await put("unknown", "es"), 404, { code: "book_not_found" });
    expectProblem(await put(book.slug, "es"), 404, { code: "book_not_found" });
    expectProblem(await put(book.id, "fr"), 404, { code: "language_not_found" });
    for (const code of ["english", "Default", "1", "es_MX", "..", "x".repeat(65)]) {
      expectProblem(await put(book.id, encodeURIComponent(code)), 404);
    }
  });

  it("adds one entry to the audit log, and none if the same image is uploaded again", async () => {
    const { client, clock, book, ofCovers } = await start();
    const cover = await putCover(client, book.id, "es", await createPicture("red"));
    clock.advance(1000);
    expect(await putCover(client, book.id, "es", await createPicture("red"))).toEqual(cover);
    const after = await putCover(client, book.id, "es", await createPicture("blue"));
    await client.delete(coverPathOf(book.id, "es"));
    const rows = await ofCovers();
    expect(rows.map(({ action }) => action)).toEqual(["create", "update", "delete"]);
    const object = { objectId: cover.id, objectName: "The Deep Well (es)" };
    expect(rows).toMatchObject([object, object, object]);
    expect(rows[1]?.changes).toMatchObject({ sha256: { before: cover.sha256, after: after.sha256 } });
  });
});

describe("the path of the book's default cover", () => {
  it("is the book's coverImagePath if it has one, else that of the public cover", async () => {
    const { client, clock, book, shown } = await start();
    const own = coverPathOf(book.id, "default");
    await putCover(client, book.id, "es", await createPicture("red"));
    expect((await shown()).coverImagePath).toBe(publicPath(book));
    clock.advance(1000);
    await putCover(client, book.id, "default", await createPicture("red"));
    expect(await shown()).toMatchObject({ coverImagePath: own, updatedAt: "2026-03-01T12:00:01.000Z" });
    expect((await client.get(own)).status).toBe(200);
    await client.delete(coverPathOf(book.id, "es"));
    expect((await shown()).coverImagePath).toBe(own);
    await client.delete(own);
    expect((await shown()).coverImagePath).toBe(publicPath(book));
  });

  it("can't be set: requests that contain it don't change it", async () => {
    const { client, book, shown } = await start();
    const own = coverPathOf(book.id, "default");
    const give = (coverImagePath: string | null) =>
      client.put(`/api/admin/books/${book.id}`, { coverImagePath });
    expect((await give("https://cdn.example.org/well.jpg")).status).toBe(200);
    expect((await shown()).coverImagePath).toBe(publicPath(book));
    await putCover(client, book.id, "default", await createPicture("red"));
    for (const path of ["https://cdn.example.org/well.jpg", "", null]) {
      await give(path);
      expect((await shown()).coverImagePath).toBe(own);
    }
    await client.delete(own);
    expect((await shown()).coverImagePath).toBe(publicPath(book));
  });
});

const publicPath = ({ slug }: { slug: string }) => `/api/books/${slug}/cover`;

it("listing covers returns those of all active books by book, the default cover first, then by code", async () => {
  const { client, make, book, listed, container } = await start();
  await make.language("ar");
  const first = await make.book("First", { sortOrder: 0 });
  const archived = await make.book("Archived", { sortOrder: 0 });
  const red = await createPicture("red");
  for (const code of ["es", "default", "ar"]) await putCover(client, book.id, code, red);
  await putCover(client, first.id, "es", red);
  await putCover(client, archived.id, "es", red);
  await setActive({ container }, archived.id, 0);
  const { body } = await client.get("/api/admin/covers");
  const names = body.covers.map((cover: { url: string }) => cover.url.replace("/api/admin/books/", ""));
  expect(names).toEqual([
    `${first.id}/covers/es`,
    ...["default", "ar", "es"].map((code) => `${book.id}/covers/${code}`),
  ]);
  expect(body.covers).toEqual([...(await listed(first.id)), ...(await listed())]);
  expect(await listed(archived.id)).toHaveLength(1);
});

it("getting a cover returns the stored image with safe headers, and 304 for its entity tag", async () => {
  const { client, book, path } = await start();
  const cover = await putCover(client, book.id, "es", await createPicture("red", { type: "webp" }));
  const response = await client.get(path, { Accept: "image/png" });
  expect(response.status).toBe(200);
  expect(hashBytes(response.body)).toBe(cover.sha256);
  expect(await readMetadata(response.body)).toMatchObject({ format: "webp", width: 400, height: 600 });
  expect(response.headers).toMatchObject({
    "content-type": "image/webp",
    "content-length": String(cover.fileSizeBytes),
    etag: `"${cover.sha256}"`,
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  const { etag = "" } = response.headers;
  const head = await client.head(path);
  expect([head.status, head.headers["content-length"]]).toEqual([200, String(cover.fileSizeBytes)]);
  const known = await client.get(path, { "If-None-Match": etag });
  expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, etag]);
  const part = await client.get(path, { Range: "bytes=0-3" });
  expect([part.status, part.body.toString()]).toEqual([206, "RIFF"]);
  expectProblem(await client.get(path, { Range: "bytes=99999999-" }), 416);
  expectProblem(await client.get(path, { "If-Match": '"other"' }), 412);
});

it("deleting a cover deletes that cover only, and returns 404 the second time", async () => {
  const { client, book, path, listed } = await start();
  await putCover(client, book.id, "es", await createPicture("red"));
  const own = await putCover(client, book.id, "default", await createPicture("red"));
  const response = await client.delete(path);
  expect([response.status, response.body]).toEqual([200, { success: true }]);
  expect(await listed()).toEqual([asListed(own)]);
  expectProblem(await client.get(path), 404, { code: "cover_not_found" });
  expectProblem(await client.delete(path), 404, { code: "cover_not_found" });
  expectProblem(await client.delete(coverPathOf("unknown", "es")), 404, { code: "book_not_found" });
});
