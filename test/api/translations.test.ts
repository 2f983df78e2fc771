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

it("deleting a translation deletes that translation only, and returns 404 the second time", async () => {
  const { client, path, spanish, arabic, listed } = await start();
  await client.post(path, { languageCode: "es", title: "Pozo" });
  await client.post(path, { languageCode: "ar", title: "بئر" });
  const response = await client.delete(`${path}/${spanish.id}`);
  expect([response.status, response.body]).toEqual([200, { success: true }]);
  expect(await listed()).toMatchObject([{ languageId: arabic.id }]);
  expectProblem(await client.delete(`${path}/${spanish.id}`), 404, { code: "translation_not_found" });
});
