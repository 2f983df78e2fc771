/** Translations: add, change, delete. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

const pathOf = (bookId: string) => `/api/admin/books/${bookId}/translations`;

/** A book and two languages. */
async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const arabic = await app.make.language("ar");
  const book = await app.make.book("Well");
  const listed = async () => (await client.get(`/api/admin/books/${book.id}`)).body.translations;
  return { ...app, client, spanish, arabic, book, path: pathOf(book.id), listed };
}

describe("adding and changing a translation", () => {
  it("adds with 201, by code in any case or by id, and changes with 200", async () => {
    const { client, clock, spanish, arabic, path, listed } = await start();
    const added = await client.post(path, {
      languageCode: "ES",
      title: " Pozo ",
      description: "Hondo.\nMuy hondo.",
    });
    expect(added.status).toBe(201);
    expect(added.headers.location).toBe(`${path}/${spanish.id}`);
    expect(added.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      languageId: spanish.id,
      languageCode: "es",
      title: "Pozo",
      description: "Hondo.\nMuy hondo.",
      authors: [],
      contributors: [],
      publisher: null,
      license: null,
      isbn: null,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: expect.any(String),
    });
    const other = await client.post(path, { languageId: arabic.id, title: "بئر" });
    expect([other.status, other.body.languageCode, other.body.description]).toEqual([201, "ar", null]);
    clock.advance(60_000);
    const changed = await client.post(path, { languageId: spanish.id, languageCode: "es", title: "El pozo" });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...added.body,
      title: "El pozo",
      updatedAt: "2026-03-01T12:01:00.000Z",
      version: expect.any(String),
    });
    expect(await listed()).toEqual([other.body, changed.body]);
  });

  it("keeps a description that isn't given, and removes it with an empty one or null", async () => {
    const { client, path } = await start();
    const put = async (description?: string | null) =>
      (
        await client.post(path, {
          languageCode: "es",
          title: "Pozo",
          ...(description !== undefined && { description }),
        })
      ).body.description;
    expect(await put("Hondo.")).toBe("Hondo.");
    expect(await put()).toBe("Hondo.");
    expect(await put("")).toBeNull();
    expect(await put("Hondo.")).toBe("Hondo.");
    expect(await put(null)).toBeNull();
    expect(await put()).toBeNull();
  });

  it("reports all errors, and changes nothing", async () => {
    const { client, path, spanish, arabic, listed } = await start();
    const rejected = async (body: unknown, ...errors: string[]) =>
      expectProblem(await client.post(path, body), 400, { code: "invalid_input", errors });
    await rejected({}, "title invalid_type");
    await rejected(
      { languageCode: "spanish", languageId: "2", title: " ", description: 5, id: "x", bookId: "y" },
      "languageCode invalid_language_code",
      "languageId invalid_type",
      "title too_small",
      "description invalid_type",
      "id unknown_field",
      "bookId unknown_field",
    );
    await rejected({ title: "T" }, "languageCode missing_language");
    await rejected({ title: "T", languageCode: "fr" }, "languageCode unknown_language");
    await rejected({ title: "T", languageId: 99 }, "languageId unknown_language");
    await rejected(
      { title: "T", languageId: 99, languageCode: "fr" },
      "languageId unknown_language",
      "languageCode unknown_language",
    );
    await rejected({ title: "T", languageId: arabic.id, languageCode: "es" }, "languageId contradiction");
    for (const languageId of [0, -1, 1.5, 2 ** 53, String(spanish.id)]) {
      expectProblem(await client.post(path, { title: "T", languageId }), 400);
    }
    for (const title of ["a\0b", "\udfff", "x".repeat(501)]) {
      expectProblem(await client.post(path, { title, languageCode: "es" }), 400);
    }
    expect(await listed()).toEqual([]);
  });

  it("returns 404 for an unknown book", async () => {
    const { client, book } = await start();
    const body = { languageCode: "es", title: "Pozo" };
    expectProblem(await client.post(pathOf("unknown"), body), 404, { code: "book_not_found" });
    expectProblem(await client.post(pathOf(book.slug), body), 404, { code: "book_not_found" });
  });

  it("keeps texts in any script, in NFC", async () => {
    const { client, path } = await start();
    for (const title of ["བོད་ཀྱི་ཁྲོན་པ།", "गहरा कुआँ", "深い井戸 🪣", "e\u0301", "الْبِئْرُ"]) {
      expect((await client.post(path, { languageCode: "ar", title })).body.title).toBe(
        title.normalize("NFC"),
      );
    }
  });

  it("stores one translation of a language for concurrent requests", async () => {
    const { client, path, listed } = await start();
    const titles = Array.from({ length: 10 }, (_, index) => `Title ${index}`);
    const responses = await Promise.all(
      titles.map((title) => client.post(path, { languageCode: "es", title })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(await listed()).toHaveLength(1);
  });
});

describe("deleting a translation", () => {
  it("deletes that translation only, and returns 404 the second time", async () => {
    const { client, path, spanish, arabic, listed } = await start();
    await client.post(path, { languageCode: "es", title: "Pozo" });
    await client.post(path, { languageCode: "ar", title: "بئر" });
    const response = await client.delete(`${path}/${spanish.id}`);
    expect([response.status, response.body]).toEqual([200, { success: true }]);
    expect(await listed()).toMatchObject([{ languageId: arabic.id }]);
    expectProblem(await client.delete(`${path}/${spanish.id}`), 404, { code: "translation_not_found" });
  });

  it("returns 404 under another book's path or by another spelling of the number", async () => {
    const { client, path, spanish, make, listed } = await start();
    await client.post(path, { languageCode: "es", title: "Pozo" });
    const other = await make.book("Another");
    expectProblem(await client.delete(`${pathOf(other.id)}/${spanish.id}`), 404);
    expectProblem(await client.delete(`${pathOf("unknown")}/${spanish.id}`), 404);
    const { id } = spanish;
    for (const spelling of [
      "es",
      `+${id}`,
      `${id}.0`,
      `${id}e0`,
      `0x${id}`,
      `%20${id}`,
      `-${id}`,
      "0",
      "2147483648",
      "１",
    ]) {
      expectProblem(await client.delete(`${path}/${encodeURI(spelling)}`), 404);
    }
    expect(await listed()).toHaveLength(1);
  });
});
