/** Bulk upsert without slugs: a derived slug is a key only together with the title. */
import { describe, expect, it } from "vitest";
import { link, listErrors, startBulk } from "../support/bulk.ts";
import { writeRows } from "../support/catalogue-rows.ts";

const russian = (title: string) => ({ titleEn: title, translations: [{ languageCode: "ru", title }] });

async function startTitles() {
  const scene = await startBulk();
  await scene.app.make.language("ru");
  /** The books as the version before has made them: with the slugs of its rule. */
  const storeFormer = async (books: Readonly<Record<string, object & { titleEn: string }>>) => {
    const entries = Object.entries(books).map(([slug, book]) => ({ ...book, slug }));
    const response = await scene.bulk(entries);
    expect(response.body.summary.created).toBe(entries.length);
    return response.body.results.map(({ bookId }: { bookId: string }) => bookId);
  };
  const listTitles = async (): Promise<Record<string, string>> => {
    const { books } = (await scene.client.get("/api/admin/books?limit=200")).body;
    return Object.fromEntries(
      books.map(({ slug, titleEn }: { slug: string; titleEn: string }) => [slug, titleEn]),
    );
  };
  return { ...scene, storeFormer, listTitles };
}

describe("titles with equal remaining letters", () => {
  it.each([
    ["Математика 1", "Физика 1", "1-5hkc6qdl", "1-zzooo4mp"],
    ["Ƙarami", "Ɓarami", "karami", "barami"],
    ["数学", "语文", "book-3da98ubu", "book-4o5448m4"],
    ["كتاب 3", "باب 3", "3-", "3-"],
    ["Ɲama", "Ama", "nyama", "ama"],
    ["Δ-8", "Ω-8", "8-", "8-"],
  ])("are two books, in two requests or in one: %s, %s", async (one, other, slugOne, slugOther) => {
    for (const split of [true, false]) {
      const { bulk, listTitles } = await startTitles();
      if (split) await bulk([russian(one)]);
      const { body } = await bulk(split ? [russian(other)] : [russian(one), russian(other)]);
      expect(body.summary).toMatchObject({ created: split ? 1 : 2, updated: 0, failed: 0 });
      const titles = Object.entries(await listTitles());
      expect(titles.map(([, title]) => title)).toEqual([one, other]);
      expect(titles[0]?.[0]).toContain(slugOne);
      expect(titles[1]?.[0]).toContain(slugOther);
      // Again, nothing changes.
      const again = await bulk([russian(other), russian(one)]);
      expect(again.body.summary).toMatchObject({ created: 0, updated: 2, failed: 0 });
      expect(again.body.results).toMatchObject([
        { slug: titles[1]?.[0], translationsUpserted: 0 },
        { slug: titles[0]?.[0], translationsUpserted: 0 },
      ]);
      expect(Object.entries(await listTitles())).toEqual(titles);
    }
  });

  it.each([
    ["Straße", "Strasse"],
    ["C++", "C"],
    ["Élan", "Elan"],
    ["Let's read", "Lets read"],
    ["Ɛba", "Eba"],
  ])("aren't one book if all letters can be spelled: %s, %s", async (one, other) => {
    const { bulk, details, listTitles } = await startTitles();
    const [made] = (await bulk([russian(one)])).body.results;
    const before = [await details(made.bookId), await listTitles()];
    for (const query of ["", "?dryRun=true"]) {
      const { body } = await bulk([{ ...russian(other), files: [link("es", "a")] }], query);
      expect(body.summary).toMatchObject({ failed: 1 });
      expect(body.results[0]).toMatchObject({
        status: "failed",
        code: "slug_of_another_title",
        bookId: made.bookId,
        error: `books.0.slug: must be sent: the one derived from the title belongs to the book “${one}”`,
        errors: [{ path: "books.0.slug", code: "slug_of_another_title" }],
        translationsUpserted: 0,
        filesUpserted: 0,
      });
    }
    expect([await details(made.bookId), await listTitles()]).toEqual(before);
    const sent = await bulk([{ ...russian(other), slug: "sent" }]);
    expect(sent.body.results[0]).toMatchObject({ status: "created", slug: "sent" });
  });

  it("fail in one request, too, and leave the book of the first", async () => {
    const { bulk, listTitles } = await startTitles();
    const items = [{ titleEn: "Élan" }, { titleEn: "Elan" }, { titleEn: "ÉLAN " }, { titleEn: "Elán" }];
    const dry = (await bulk(items, "?dryRun=true")).body.results;
    expect(dry.map(({ code, bookId }: Record<string, string>) => [code, bookId])).toEqual([
      [undefined, ""],
      ["slug_of_another_title", ""],
      [undefined, ""],
      ["slug_of_another_title", ""],
    ]);
    const response = await bulk(items);
    expect(listErrors(response)).toEqual([
      "books.1.slug slug_of_another_title",
      "books.2.slug repeated_slug",
      "books.3.slug slug_of_another_title",
    ]);
    const [first, second] = response.body.results;
    expect(second.bookId).toBe(first.bookId);
    expect(await listTitles()).toEqual({ elan: "Élan" });
  });
});

describe("a title without a slug", () => {
  it("matches but for case and white space", async () => {
    const { bulk } = await startTitles();
    const [made] = (await bulk([{ titleEn: "Великий  Гэтсби" }])).body.results;
    for (const titleEn of ["великий гэтсби", " ВЕЛИКИЙ\u00a0ГЭТСБИ ", "Великий Гэтсби".normalize("NFD")]) {
      expect((await bulk([{ titleEn }])).body.results[0]).toMatchObject({
        status: "updated",
        bookId: made.bookId,
      });
    }
  });

  it("matches the lowest of the books that single creation has numbered", async () => {
    const { app, bulk } = await startTitles();
    await app.make.book("The Well!");
    const second = await app.make.book("The Well");
    const third = await app.make.book("The Well");
    expect([second.slug, third.slug]).toEqual(["the-well-2", "the-well-3"]);
    const { body } = await bulk([{ titleEn: "the well" }]);
    expect(body.results[0]).toMatchObject({ status: "updated", bookId: second.id, slug: "the-well-2" });
    await (await app.admin()).delete(`/api/admin/books/${second.id}?permanent=true`);
    expect((await bulk([{ titleEn: "The Well" }])).body.results[0].bookId).toBe(third.id);
  });

  it("matches a numbered book whose slug had to be cut", async () => {
    const { app, bulk } = await startTitles();
    const long = "a".repeat(80);
    await app.make.book(`${long}b`);
    const second = await app.make.book(`${long}c`);
    expect(second.slug).toBe(`${"a".repeat(78)}-2`);
    expect((await bulk([{ titleEn: `${long}c` }])).body.results[0].bookId).toBe(second.id);
  });

  it("isn't matched twice in a request, by its title and by its slug", async () => {
    const { bulk, storeFormer } = await startTitles();
    await storeFormer({ 1: russian("Математика 1") });
    const response = await bulk([russian("Математика 1"), { slug: "1", titleEn: "Математика 1" }]);
    expect(listErrors(response)).toEqual(["books.1.slug repeated_slug"]);
  });

  it("needs a letter or digit", async () => {
    const { bulk } = await startTitles();
    expect(listErrors(await bulk([{ titleEn: "?!" }]))).toEqual(["books.0.slug missing_slug"]);
  });
});

describe("a library of the version before", () => {
  const FORMER = {
    1: russian("Математика 1"),
    arami: russian("Ƙarami"),
    "book-872c1fa1": russian("数学"),
    "a-a": russian("Ɲaɲa"),
    ereb: russian("Ərəb"),
    "elan-vital": russian("Élan vital"),
  };

  it("isn't changed by its nightly bulk without slugs", async () => {
    const { app, bulk, storeFormer, details } = await startTitles();
    const ids = await storeFormer(FORMER);
    const read = () => Promise.all(ids.map(details));
    const before = await read();
    app.clock.advance(86_400_000);
    const { body } = await bulk(Object.values(FORMER));
    expect(body.summary).toEqual({ total: 6, created: 0, updated: 6, failed: 0 });
    expect(body.results.map(({ bookId }: { bookId: string }) => bookId)).toEqual(ids);
    expect(body.results.map(({ slug }: { slug: string }) => slug)).toEqual(
      expect.arrayContaining(Object.keys(FORMER)),
    );
    expect(await read()).toEqual(before);
  });

  it("gets the other books with the same remaining letters", async () => {
    const { bulk, storeFormer, listTitles } = await startTitles();
    await storeFormer({ 1: russian("Математика 1"), arami: russian("Ƙarami") });
    const { body } = await bulk([russian("Физика 1"), russian("Ɓarami")]);
    expect(body.summary).toMatchObject({ created: 2, updated: 0, failed: 0 });
    expect(await listTitles()).toEqual({
      1: "Математика 1",
      arami: "Ƙarami",
      "1-zzooo4mp": "Физика 1",
      barami: "Ɓarami",
    });
  });

  it("gets a book again that another one had replaced", async () => {
    const { bulk, storeFormer, listTitles } = await startTitles();
    await storeFormer({ 1: russian("Математика 1") });
    // As the version before did without a slug.
    await bulk([{ slug: "1", ...russian("Физика 1") }]);
    expect((await bulk([russian("Математика 1"), russian("Физика 1")])).body.summary).toMatchObject({
      created: 1,
      updated: 1,
    });
    expect(await listTitles()).toEqual({ 1: "Физика 1", "1-5hkc6qdl": "Математика 1" });
  });

  it.each([
    ["1", "Математика 1"],
    ["arami", "Ƙarami"],
    ["book-872c1fa1", "数学"],
    ["elan-vital", "Élan vital"],
    ["1-5hkc6qdl", "Математика 1"],
  ])("keeps corrected titles, and gets no doubles: %s", async (slug, title) => {
    for (const isEditionCorrected of [true, false]) {
      const { client, bulk, storeFormer, details } = await startTitles();
      const [id] = await storeFormer({ [slug]: russian(title) });
      const path = `/api/admin/books/${id}`;
      await client.put(path, { titleEn: "Corrected" });
      await client.put(path, { description: "Later" });
      if (isEditionCorrected)
        await client.post(`${path}/translations`, { languageCode: "ru", title: "Исправлено" });
      const before = await details(id);
      const { body } = await bulk([russian(title)]);
      expect(body.results[0]).toMatchObject({
        status: "failed",
        code: "slug_of_another_title",
        bookId: id,
      });
      expect(await details(id)).toEqual(before);
    }
  });

  it("tells a corrected title by its edition alone, if the log doesn't have it", async () => {
    const { app, bulk, storeFormer } = await startTitles();
    const [id] = await storeFormer({ 1: russian("Математика 1") });
    await writeRows(app, (db) => db.updateTable("books").set({ titleEn: "Mathematics 1" }).execute());
    expect((await bulk([russian("Математика 1")])).body.results[0]).toMatchObject({
      code: "slug_of_another_title",
      bookId: id,
    });
  });
});
