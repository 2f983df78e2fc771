/** Remarks on files and covers: what they say of themselves against their place. Nothing is refused. */
import { describe, expect, it, vi } from "vitest";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { createPdf, createTitledEpub } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";

type Titles = Readonly<Record<string, string>>;

async function startBooks() {
  const { app, client } = await startWithAdmin();
  const ids = new Map<string, number>();
  const parents: Readonly<Record<string, string>> = { "es-MX": "es" };
  for (const code of [
    "ar",
    "ru",
    "es",
    "es-MX",
    "en",
    "am",
    "nn",
    "no",
    "zh-Hans",
    "zh-Hant",
    "ja",
    "sr",
    "hyw",
  ]) {
    const parentId = ids.get(parents[code] ?? "");
    ids.set(code, (await app.make.language(code, parentId === undefined ? {} : { parentId })).id);
  }
  const book = (titleEn: string, titles: Titles = {}, more: object = {}) =>
    app.make.book(titleEn, {
      translations: Object.entries(titles).map(([languageCode, title]) => ({ languageCode, title, ...more })),
    });
  const upload = async (bookId: string, languageCode: string, bytes: Buffer, name = "x.epub") => {
    const response = await client.upload("post", `/api/admin/books/${bookId}/files`, {
      fields: { languageCode },
      file: { bytes, name },
    });
    expect([200, 201], JSON.stringify(response.body)).toContain(response.status);
    return settle(bookId, response.body);
  };
  const list = async (bookId: string) => (await client.get(`/api/admin/books/${bookId}/files`)).body.files;
  /** The file of a response; on a busy machine, the remarks can come later. */
  const settle = async (
    bookId: string,
    file: { id: string; sha256: string; remarks: { code: string }[] },
  ) => {
    if (file.remarks[0]?.code !== "metadata_pending") return file;
    await app.container.services.contentRecords.read(file.sha256, 60_000);
    return (await list(bookId)).find(({ id }: { id: string }) => id === file.id);
  };
  return { app, client, book, upload, list, settle };
}

/** @returns a function after which files are read again */
function holdReading({ container: { stored } }: TestApp): () => void {
  let finish = () => {};
  const isReleased = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const find = stored.findKnown.bind(stored);
  vi.spyOn(stored, "findKnown").mockImplementation(async (sha256) => {
    await isReleased;
    return find(sha256);
  });
  return finish;
}

const codesOf = ({ remarks }: { remarks: { code: string }[] }) => remarks.map(({ code }) => code);

describe("a file", () => {
  it("in another language, or of another book, is stored, and said", async () => {
    const { client, book, upload, list, settle } = await startBooks();
    const { id } = await book("Simbegwire", { ar: "سيمبيغوير", ru: "Симбегвире" });
    const anansi = await createTitledEpub("Ананси и Мудрость", "ru");
    const file = await upload(id, "ar", anansi);
    const remarks = [
      { code: "language_differs", found: "ru", expected: "ar" },
      { code: "title_differs", found: "Ананси и Мудрость", expected: "سيمبيغوير" },
    ];
    expect(file).toMatchObject({ isActive: 1, languageCode: "ar", remarks });
    expect(await list(id)).toMatchObject([{ id: file.id, remarks }]);
    // Its own Russian edition in the wrong place.
    const own = await createTitledEpub("Симбегвире", "ru");
    const replaced = await client.upload("put", `/api/admin/books/${id}/files/${file.id}`, {
      file: { bytes: own, name: "y.epub" },
    });
    expect((await settle(id, replaced.body.file)).remarks).toEqual(remarks.slice(0, 1));
    const moved = await client.patch(`/api/admin/books/${id}/files/${file.id}`, { languageCode: "ru" });
    expect(moved.body.file.remarks).toEqual([]);
    // By hash, and again.
    const body = { languageCode: "ar", fileName: "z.epub", sha256: moved.body.file.sha256 };
    const stored = await client.post(`/api/admin/books/${id}/files`, body);
    expect(stored.body.remarks).toMatchObject([
      { code: "language_differs", found: "ru", expected: "ar" },
      { code: "known_elsewhere", found: null, expected: null, bookId: id, languageCode: "ru" },
    ]);
    const again = await client.post(`/api/admin/books/${id}/files`, body);
    expect([again.status, again.body.remarks]).toEqual([200, stored.body.remarks]);
  });

  it.each([
    ["es", { es: "El pozo" }, "El pozo profundo", "es-ES"],
    ["es-MX", { es: "El pozo" }, "El pozo", "es"],
    ["es", { "es-MX": "El pozo" }, "Otro título", "es-MX"],
    ["nn", { nn: "Brønnen" }, "Brønnen", "no"],
    ["zh-Hans", { "zh-Hans": "井" }, "深井", "zh-TW"],
    ["es", {}, "El pozo profundo", "es"],
    ["am", { am: "ጉድጓድ" }, "The Well", "am"],
    ["am", { am: "ጉድጓድ" }, "Unknown", "und"],
    ["am", { am: "ጉድጓድ" }, "x", "mul"],
    ["en", {}, "The Well: a story", "en-GB"],
    ["ru", { ru: "Колодец" }, "Колодец. Часть 1", "ru"],
    ["ru", { ru: "Колодец" }, "Kolodets", "ru"],
    ["ja", { ja: "井戸" }, "Ido", "ja"],
    ["sr", { sr: "Дубоки бунар" }, "Duboki bunar", "sr-Latn"],
    ["zh-Hant", { "zh-Hant": "紅樓夢" }, "红楼梦", "zh-CN"],
    ["hyw", { hyw: "Հորը" }, "Հորը", "hy"],
  ])("that is right has no remark: %s %j, which says %j in %s", async (code, titles, title, said) => {
    const { book, upload, list } = await startBooks();
    const { id } = await book("The Well", titles);
    expect((await upload(id, code, await createTitledEpub(title, said))).remarks).toEqual([]);
    expect((await list(id))[0].remarks).toEqual([]);
  });

  it.each([
    ["nn", { nn: "Brønnen" }, "Brønnen", "nb", ["language_differs"]],
    ["es", { es: "El pozo" }, "La cabra", "es", ["title_differs"]],
    ["zh-Hant", { "zh-Hant": "數學" }, "語文", "zh-TW", ["title_differs"]],
    ["am", { am: "ጉድጓድ" }, "Колодец", "ru", ["language_differs", "title_differs"]],
    ["es", {}, "La cabra", "ru", ["language_differs", "title_differs"]],
    ["en", {}, "The Goat", "en", ["title_differs"]],
    ["ru", { ru: "Математика 1" }, "Математика 2", "ru", ["title_differs"]],
  ])("that isn't right has one: %s %j, which says %j in %s", async (code, titles, title, said, codes) => {
    const { book, upload } = await startBooks();
    const { id } = await book("The Well", titles);
    expect(codesOf(await upload(id, code, await createTitledEpub(title, said)))).toEqual(codes);
  });

  it("made by a word processor says English in any language: only with another title it is believed", async () => {
    const { book, upload } = await startBooks();
    const { id } = await book("The Well", { am: "ጉድጓድ" });
    const pdf = (Title: string) => createPdf({ lang: "en-US", info: { Title } });
    for (const title of ["Microsoft Word - draft.doc", "well", "ጉድጓድ", "The Well"])
      expect(codesOf(await upload(id, "am", await pdf(title), "well.pdf"))).toEqual([]);
    expect(codesOf(await upload(id, "am", await pdf("The Goat"), "well.pdf"))).toEqual([
      "language_differs",
      "title_differs",
    ]);
    const spanish = await createPdf({ lang: "es", info: { Title: "well" } });
    expect(codesOf(await upload(id, "am", spanish, "well.pdf"))).toEqual(["language_differs"]);
  });

  it("with another ISBN is said; both forms of one number are equal", async () => {
    const { book, upload } = await startBooks();
    const { id } = await book("The Well", { es: "El pozo" }, { isbn: "978-3-16-148410-0" });
    const withIsbn = (isbn: string) =>
      createTitledEpub("El pozo", "es", `<dc:identifier>urn:isbn:${isbn}</dc:identifier>`);
    expect((await upload(id, "es", await withIsbn("3-16-148410-X"))).remarks).toEqual([]);
    expect((await upload(id, "es", await withIsbn("9781566199094"))).remarks).toEqual([
      { code: "isbn_differs", found: "9781566199094", expected: "9783161484100" },
    ]);
  });

  it("of another book is said where its own isn't known, by title and language, and by ISBN", async () => {
    const { client, book, upload, list } = await startBooks();
    const goat = await book("The Goat", { es: "La cabra" }, { isbn: "9783161484100" });
    const { id } = await book("The Well");
    const said = (title: string, code: string, more = "") => createTitledEpub(title, code, more);
    const wrong = await upload(id, "es", await said("LA CABRA", "es"));
    expect(wrong.remarks).toEqual([{ code: "title_differs", found: "LA CABRA", expected: "The Well" }]);
    expect((await list(id))[0].remarks).toEqual(wrong.remarks);
    const isbn = "<dc:identifier>urn:isbn:9783161484100</dc:identifier>";
    expect((await upload(id, "es", await said("Otra", "es", isbn))).remarks).toEqual([
      { code: "isbn_differs", found: "9783161484100", expected: null },
    ]);
    // Unknown titles and ISBNs, and a title of another language, are of no other file.
    const unknown = "<dc:identifier>urn:isbn:9781566199094</dc:identifier>";
    expect((await upload(id, "es", await said("El pozo", "es", unknown))).remarks).toEqual([]);
    expect((await upload(id, "ru", await said("La cabra", "ru"))).remarks).toEqual([]);
    await client.delete(`/api/admin/books/${goat.id}`);
    expect((await list(id))[1].remarks).toEqual([]);
  });

  it("whose bytes are in other books names them; archived places of the same book don't count", async () => {
    const { client, book, upload } = await startBooks();
    const [one, other] = [await book("One"), await book("Other")];
    const bytes = Buffer.from("The same text.");
    const first = await upload(one.id, "es", bytes, "a.txt");
    expect(first.remarks).toEqual([]);
    await upload(one.id, "es", Buffer.from("Another text."), "a.txt");
    expect((await upload(one.id, "es", bytes, "a.txt")).remarks).toEqual([]);
    expect((await upload(one.id, "es-MX", bytes, "a.txt")).remarks).toEqual([]);
    expect((await upload(other.id, "ru", bytes, "a.txt")).remarks).toEqual([
      { code: "known_elsewhere", found: null, expected: null, bookId: one.id, languageCode: "es" },
      { code: "known_elsewhere", found: null, expected: null, bookId: one.id, languageCode: "es-MX" },
    ]);
    const link = { fileType: "pdf", sourceType: "url", cloudUrl: "https://a.example.org/a.pdf" };
    const cloud = { ...link, languageCode: "es", fileName: "a.pdf" };
    expect((await client.post(`/api/admin/books/${one.id}/files`, cloud)).body.remarks).toEqual([]);
    expect((await client.post(`/api/admin/books/${one.id}/cloud-files`, cloud)).body.remarks).toEqual([]);
  });

  it("whose metadata can't be read is stored with a remark", async () => {
    const { book, upload, list } = await startBooks();
    const { id } = await book("The Well");
    const broken = Buffer.from(
      "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 9 0 R>>\nendobj\ntrailer<</Root 7 0 R>>\n%%EOF",
    );
    const file = await upload(id, "es", broken, "a.pdf");
    expect(codesOf(file)).toEqual(["metadata_unreadable"]);
    expect(codesOf((await list(id))[0])).toEqual(["metadata_unreadable"]);
  });

  it("is answered after two seconds at most, and has its remarks later", async () => {
    const { app, client, book, list } = await startBooks();
    const { id } = await book("The Well", { es: "El pozo" });
    const { contentRecords } = app.container.services;
    const finish = holdReading(app);
    const pending = await client.upload("post", `/api/admin/books/${id}/files`, {
      fields: { languageCode: "es" },
      file: { bytes: await createTitledEpub("La cabra", "es"), name: "x.epub" },
    });
    const file = pending.body;
    expect(codesOf(file)).toEqual(["metadata_pending"]);
    expect(codesOf((await list(id))[0])).toEqual(["metadata_pending"]);
    finish();
    await contentRecords.readSoon(file.sha256);
    expect(codesOf((await list(id))[0])).toEqual(["title_differs"]);
  });

  it("isn't waited for behind others, and a stop doesn't wait for those that wait", async () => {
    const { app, book, upload } = await startBooks();
    const { id } = await book("The Well");
    const texts = ["one", "two", "three"];
    const hashes = [];
    for (const text of texts)
      hashes.push((await upload(id, "es", await createTitledEpub(text, "es"))).sha256);
    const { database, services, reports } = app.container;
    await database.commit(() => database.writer.deleteFrom("contents").execute());
    const finish = holdReading(app);
    const [one, two, three] = hashes;
    const reading = [one, two].map((sha256) => services.contentRecords.readSoon(sha256));
    // It would last for as long as the test may.
    expect(await services.contentRecords.read(three, 2 ** 30)).toBeUndefined();
    const listUnread = vi.spyOn(reports.contents, "listUnread");
    services.contentRecords.start();
    await expect.poll(() => listUnread.mock.settledResults.length).toBeGreaterThan(0);
    const stopped = services.contentRecords.stop();
    finish();
    await Promise.all([...reading, stopped]);
  });

  it("of an earlier version is read one by one after the start, and forgotten with its last file", async () => {
    const { app, client, book, upload, list } = await startBooks();
    const { id } = await book("The Well", { es: "El pozo" });
    const file = await upload(id, "es", await createTitledEpub("La cabra", "es"));
    const { database, services, reads } = app.container;
    await database.commit(() => database.writer.deleteFrom("contents").execute());
    services.contentRecords.start();
    await expect.poll(() => reads.contents.list([file.sha256]), { timeout: 60_000 }).toHaveLength(1);
    expect(codesOf((await list(id))[0])).toEqual(["title_differs"]);
    await client.delete(`/api/admin/books/${id}/files/${file.id}`);
    services.contentRecords.start();
    await expect.poll(() => reads.contents.list([file.sha256]), { timeout: 60_000 }).toEqual([]);
  });
});

it("a cover that another book has, too, says so", async () => {
  const { client, book } = await startBooks();
  const [one, other] = [await book("One"), await book("Other")];
  const bytes = await createPicture("red");
  const put = async (id: string, code: string) =>
    (await client.upload("put", `/api/admin/books/${id}/covers/${code}`, { file: { bytes, name: "c.png" } }))
      .body.cover.remarks;
  expect(await put(one.id, "es")).toEqual([]);
  expect(await put(one.id, "default")).toEqual([]);
  expect(await put(other.id, "ru")).toMatchObject([
    { code: "known_elsewhere", bookId: one.id, languageCode: "es" },
    { code: "known_elsewhere", bookId: one.id, languageCode: "default" },
  ]);
});
