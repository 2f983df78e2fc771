/** Files of books from bytes that the service has already. After each case: what lies on the disk. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo } from "../support/reader.ts";
import {
  createEpub,
  createPdf,
  createTxt,
  expectStored,
  hashBytes,
  removeReleased,
} from "../support/stored-files.ts";

const UNKNOWN = hashBytes(createTxt("unknown"));
const FIRST = hashBytes(createTxt("first"));

/** A book with a text file in Spanish, "first", and a book without files. */
async function start() {
  const { app, client } = await startWithAdmin();
  await app.make.language("ar");
  const { book, file } = await app.make.published("Well", "es", "first");
  const hill = await app.make.book("Hill");
  const path = `/api/admin/books/${hill.id}/files`;
  const form = { languageCode: "ar", fileName: "hill.txt", sha256: FIRST };
  const add = (more: object = {}) => client.post(path, { ...form, ...more });
  const stored = (...contents: Buffer[]) => expectStored(app.dataDir, ...contents);
  const first = `/api/admin/books/${book.id}/files/${file.id}`;
  return { ...app, app, client, book, hill, file, path, first, add, form, stored };
}

describe("a file from the bytes of another one", () => {
  it("is added as if they were uploaded, with an entry in the audit log", async () => {
    const app = await start();
    const { api, add, path, stored, hill, client } = app;
    const response = await add();
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`${path}/${response.body.id}`);
    expect(response.headers.etag).toBe(`"${response.body.version}"`);
    expect(response.body).toMatchObject({
      languageCode: "ar",
      fileType: "txt",
      sourceType: "local",
      fileName: "hill.txt",
      fileSizeBytes: 5,
      isActive: 1,
      sha256: FIRST,
    });
    expect((await readAuditLog(app)).at(-1)).toMatchObject({
      action: "create",
      objectKind: "file",
      objectId: response.body.id,
    });
    await client.delete(app.first);
    const link = await linkTo(api, { slug: hill.slug, languageCode: "ar" });
    expect((await api.get(link)).body.toString()).toBe("first");
    await stored(createTxt("first"));
    await client.delete(`${path}/${response.body.id}`);
    await removeReleased(app);
    await stored();
  });

  it("replaces the active file of its place, which stays if it has the same bytes", async () => {
    const { add, make, hill, client, path } = await start();
    const before = await make.textFile(hill.id, "ar", "before");
    const { body } = await add();
    expect((await add({ fileName: "other.txt" })).status).toBe(200);
    const { files } = (await client.get(path)).body;
    const active = files.map(({ id, isActive, fileName }: Record<string, unknown>) => [
      id,
      isActive,
      fileName,
    ]);
    expect(active).toHaveLength(2);
    expect(active).toEqual(
      expect.arrayContaining([
        [body.id, 1, "hill.txt"],
        [before.id, 0, "book.txt"],
      ]),
    );
  });

  it("must have the type that is claimed, and that of its name", async () => {
    const { add, make, client, book, stored } = await start();
    expectProblem(await add({ fileType: "pdf" }), 415, { code: "wrong_file_type" });
    expectProblem(await add({ fileName: "hill.pdf" }), 415, { code: "wrong_file_type" });
    const epub = await createEpub("Well");
    await client.upload("post", `/api/admin/books/${book.id}/files`, {
      fields: { languageCode: "es" },
      file: { bytes: epub, name: "well.epub" },
    });
    const kepub = await add({ sha256: hashBytes(epub), fileName: "well.kepub.epub" });
    expect(kepub.body.fileType).toBe("kepub");
    await make.textFile(book.id, "ar", "arabic");
    await stored(createTxt("first"), createTxt("arabic"), epub);
  });

  it("needs known bytes, an existing language and a book", async () => {
    const { add, client, form, file, first, path } = await start();
    expectProblem(await add({ sha256: UNKNOWN }), 404, { code: "content_unknown" });
    expectProblem(await add({ languageCode: "fr" }), 400, { errors: ["languageCode unknown_language"] });
    const nowhere = "/api/admin/books/unknown/files";
    expectProblem(await client.post(nowhere, form), 404, { code: "book_not_found" });
    const wrong = { languageCode: "no language", fileName: "", sha256: "abc", fileType: "exe", more: 1 };
    expectProblem(await client.post(path, wrong), 400, {
      errors: [
        "fileName too_small",
        "fileType invalid_value",
        "languageCode invalid_language_code",
        "more unknown_field",
        "sha256 invalid_format",
      ],
    });
    await client.delete(first);
    expectProblem(await add(), 404, { code: "content_unknown" });
    expect(file.id).toBeTruthy();
  });

  it("has its bytes, or is rejected, while their only other file is deleted", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { add, client, first, stored, path, app } = await start();
      const [added] = await Promise.all([add(), client.delete(first)]);
      expect([201, 404]).toContain(added.status);
      expect((await client.get(path)).body.files).toHaveLength(added.status === 201 ? 1 : 0);
      await removeReleased(app);
      await stored(...(added.status === 201 ? [createTxt("first")] : []));
    }
  });
});

describe("new content of a file from the bytes of another one", () => {
  it("replaces its bytes, and its name if there is one", async () => {
    const { add, client, make, api, hill, path, stored, book } = await start();
    const { body: file } = await add();
    await make.textFile(book.id, "ar", "second");
    const sha256 = hashBytes(createTxt("second"));
    const response = await client.put(`${path}/${file.id}`, { sha256 });
    expect(response.status).toBe(200);
    expect(response.body.file).toMatchObject({ id: file.id, fileName: "hill.txt", sha256, fileSizeBytes: 6 });
    expect(response.headers.etag).toBe(`"${response.body.file.version}"`);
    const whole = { languageCode: "ar", fileType: "txt", fileName: "new.txt", sha256: FIRST };
    expect((await client.put(`${path}/${file.id}`, whole)).body.file).toMatchObject({
      fileName: "new.txt",
      sha256: FIRST,
    });
    const link = await linkTo(api, { slug: hill.slug, languageCode: "ar" });
    expect((await api.get(link)).body.toString()).toBe("first");
    await stored(createTxt("first"), createTxt("second"));
  });

  it("must be for the place of the file, and based on its version", async () => {
    const { add, client, make, path, book } = await start();
    const { body: file } = await add();
    const put = (body: object, headers = {}) => client.with(headers).put(`${path}/${file.id}`, body);
    expectProblem(await put({ sha256: FIRST, languageCode: "es", fileType: "pdf" }), 400, {
      errors: ["fileType not_changeable", "languageCode not_changeable"],
    });
    expectProblem(await put({ sha256: UNKNOWN }), 404, { code: "content_unknown" });
    await make.textFile(book.id, "ar", "second");
    const sha256 = hashBytes(createTxt("second"));
    expectProblem(await put({ sha256 }, { "If-Match": '"another"' }), 412, { code: "changed_meanwhile" });
    expect((await put({ sha256 }, { "If-Match": `"${file.version}"` })).status).toBe(200);
    const pdf = createPdf("a");
    await client.upload("post", `/api/admin/books/${book.id}/files`, {
      fields: { languageCode: "es" },
      file: { bytes: pdf, name: "a.pdf" },
    });
    expectProblem(await put({ sha256: hashBytes(pdf) }), 415, { code: "wrong_file_type" });
  });
});
