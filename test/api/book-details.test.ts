/** One book: its details, what its deletion would take, and its changes. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo, linkToAll } from "../support/reader.ts";

const BOOKS = "/api/admin/books";

it("the details of a book contain the translations and files by language, newest file first within a language and type", async () => {
  const { make, admin, clock } = await startApp();
  const client = await admin();
  for (const code of ["es", "ar"]) await make.language(code);
  const { id } = await make.book("Well");
  for (const languageCode of ["es", "ar"]) {
    await client.post(`${BOOKS}/${id}/translations`, { languageCode, title: `Title in ${languageCode}` });
  }
  const spanish = await make.textFile(id, "es", "first");
  const arabic = await make.textFile(id, "ar", "أول");
  clock.advance(1000);
  const newSpanish = await make.textFile(id, "es", "second");
  const { body } = await client.get(`${BOOKS}/${id}`);
  expect(body.book).toMatchObject({ id, titleEn: "Well" });
  expect(body.translations.map((one: { languageCode: string }) => one.languageCode)).toEqual(["ar", "es"]);
  expect(body.files.map((file: { id: string }) => file.id)).toEqual([arabic.id, newSpanish.id, spanish.id]);
  const files = body.files.map((file: object) => ({ ...file, remarks: [] }));
  expect((await client.get(`${BOOKS}/${id}/files`)).body).toEqual({ files });
});

describe("the preview of a deletion", () => {
  it("counts everything that would be deleted with the book, and deletes nothing", async () => {
    const app = await startApp();
    const { make, admin, api } = app;
    const client = await admin();
    const { id: languageId } = await make.language("es");
    const { book } = await make.published("Well", "es", "four");
    await make.published("Another", "es", "more bytes");
    await make.textFile(book.id, "es", "second");
    const link = await make.link(book.id, "es", { fileSizeBytes: 1000 });
    // Counted all the same; a ZIP would fetch it.
    await client.patch(`${BOOKS}/${book.id}/files/${link.id}`, { isActive: 0 });
    await client.post(`${BOOKS}/${book.id}/translations`, { languageCode: "es", title: "Pozo" });
    await app.make.publish(book.id, (await app.make.channel("web")).id, languageId);
    const { id: subLanguageId } = await make.language("es-MX", { parentId: languageId });
    await make.override(subLanguageId, book.id, true);
    await linkTo(api, { slug: book.slug, languageCode: "es", fileType: "txt" });
    await linkTo(api, { slug: "another", languageCode: "es" });
    const impactNow = async (id: string) => (await client.get(`${BOOKS}/${id}?preview=delete`)).body;
    const impact = {
      translations: 1,
      files: 3,
      localFiles: 2,
      fileBytes: 10,
      covers: 0,
      publications: 1,
      visibilityOverrides: 1,
      downloadEvents: 1,
    };
    expect(await impactNow(book.id)).toEqual({ impact });
    // A whole-language download holds the book too.
    await linkToAll(api, "es");
    expect(await impactNow(book.id)).toEqual({ impact: { ...impact, downloadEvents: 2 } });
    expect((await client.get(`${BOOKS}/${book.id}`)).body.files).toHaveLength(3);
    const bare = await make.book("Bare");
    const nothing = Object.fromEntries(Object.keys(impact).map((name) => [name, 0]));
    expect(await impactNow(bare.id)).toEqual({ impact: nothing });
  });

  it("is available only for a permanent deletion", async () => {
    const { make, admin } = await startApp();
    const { id } = await make.book("Well");
    const client = await admin();
    for (const query of ["preview=archive", "preview=0", "preview=DELETE", "preview=delete&preview=delete"]) {
      const response = await client.get(`${BOOKS}/${id}?${query}`);
      expectProblem(response, 400);
      expect(response.body.errors[0], query).toMatchObject({ in: "query", path: "preview" });
    }
    // An empty parameter counts as absent.
    const details = await client.get(`${BOOKS}/${id}`);
    expect(details.status).toBe(200);
    expect((await client.get(`${BOOKS}/${id}?preview=`)).body).toEqual(details.body);
    expectProblem(await client.get(`${BOOKS}/${id}?previw=delete`), 400, {
      errors: ["previw unknown_field"],
    });
  });
});

it("changing a book changes only the given fields, and doesn't derive the slug again", async () => {
  const { make, admin, clock } = await startApp();
  const client = await admin();
  const { id } = await make.book("The Well", { description: "Deep." });
  const path = `${BOOKS}/${id}`;
  let { book } = (await client.get(path)).body;
  const changes = [
    { titleEn: "The Deep Well" },
    { description: "Two\nlines." },
    { description: "" },
    { slug: "deep-well" },
    { sortOrder: -3 },
    { sortOrder: 2_147_483_647, legacyDownloadCount: 2_147_483_647 },
    {},
  ];
  for (const change of changes) {
    clock.advance(1000);
    const response = await client.put(path, change);
    const updatedAt = new Date(clock.now()).toISOString();
    expect(response.body, JSON.stringify(change)).toEqual({
      success: true,
      // The path of the public cover follows the slug.
      book: {
        ...book,
        ...change,
        updatedAt,
        coverImagePath: response.body.book.coverImagePath,
        version: expect.any(String),
      },
    });
    book = response.body.book;
  }
  for (const coverImagePath of ["/covers/1.png", "", null]) {
    const response = await client.put(path, { coverImagePath });
    expect(response.body.book, String(coverImagePath)).toEqual(book);
  }
  expect((await client.get(path)).body.book).toEqual(book);
  expect(book).toMatchObject({ slug: "deep-well", coverImagePath: "/api/books/deep-well/cover" });
});

it("the texts of a book keep emoji, right-to-left text, combining characters and line breaks, in NFC", async () => {
  const { make, admin } = await startApp();
  const client = await admin();
  const texts = ["👩‍👩‍👧‍👦 📚", "الْكِتَابُ العَرَبِيّ", "བོད་ཡིག", "हिन्दी", "e\u0301tude", "a\u202Btext\u202Cz", "﷽"];
  for (const titleEn of texts) {
    const { id } = await make.book(titleEn, { description: `${titleEn}\n\t${titleEn}` });
    const { book } = (await client.get(`${BOOKS}/${id}`)).body;
    const kept = titleEn.normalize("NFC");
    expect(book).toMatchObject({ titleEn: kept, description: `${kept}\n\t${kept}` });
  }
  expect("e\u0301tude".normalize("NFC")).toHaveLength(5);
});
