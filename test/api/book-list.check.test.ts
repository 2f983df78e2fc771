/** The list of books for administrators: orders, filters, and what it says of each book. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { createPicture, putCover } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BOOKS = "/api/admin/books";

async function start() {
  const { app, client } = await startWithAdmin();
  const list = async (query: Record<string, string>) => {
    const response = await client.get(`${BOOKS}?${new URLSearchParams(query)}`);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    expect(response.body.pagination.total).toBe(response.body.books.length);
    return response.body.books;
  };
  const titles = async (query: Record<string, string>): Promise<string[]> =>
    (await list(query)).map(({ titleEn }: { titleEn: string }) => titleEn);
  return { app, ...app, client, list, titles };
}

describe("the order", () => {
  it("is by title without case and accents, by code point, and by id where that is equal", async () => {
    const { make, titles } = await start();
    // The descriptions have the opposite order.
    for (const [titleEn, description] of [
      ["éa", "z"],
      ["EA", "a"],
      ["Eb", ""],
      ["ea b", ""],
      ["zulu", ""],
      ["Ωmega", ""],
      ["100", ""],
    ])
      await make.book(titleEn ?? "", { description });
    const ascending = ["100", "éa", "EA", "ea b", "Eb", "zulu", "Ωmega"];
    expect(await titles({ sort: "title" })).toEqual(ascending);
    expect(await titles({ sort: "-title" })).toEqual(["Ωmega", "zulu", "Eb", "ea b", "éa", "EA", "100"]);
  });

  it("is by position, creation, last change or downloads, in both directions, then by id", async () => {
    const { app, make, client, clock, titles } = await start();
    await make.language("es");
    const ids: string[] = [];
    for (const [index, title] of ["a", "b", "c", "d"].entries()) {
      const { book, file } = await make.published(title, "es");
      const downloadCount = [2, 5, 2, 0][index] ?? 0;
      await writeRows(app, (db) =>
        db.updateTable("book_files").set({ downloadCount }).where("id", "=", file.id).execute(),
      );
      ids.push(book.id);
      clock.advance(1000);
    }
    await client.put(`${BOOKS}/${ids[0]}`, { description: "Changed", sortOrder: 9 });
    expect(await titles({})).toEqual(["b", "c", "d", "a"]);
    expect(await titles({ sort: "sortOrder" })).toEqual(["b", "c", "d", "a"]);
    expect(await titles({ sort: "-sortOrder" })).toEqual(["a", "d", "c", "b"]);
    expect(await titles({ sort: "createdAt" })).toEqual(["a", "b", "c", "d"]);
    expect(await titles({ sort: "-createdAt" })).toEqual(["d", "c", "b", "a"]);
    expect(await titles({ sort: "updatedAt" })).toEqual(["b", "c", "d", "a"]);
    expect(await titles({ sort: "-updatedAt" })).toEqual(["a", "d", "c", "b"]);
    expect(await titles({ sort: "downloads" })).toEqual(["d", "a", "c", "b"]);
    expect(await titles({ sort: "-downloads" })).toEqual(["b", "a", "c", "d"]);
  });

  it("holds over all pages", async () => {
    const { make, client } = await start();
    for (const title of ["c", "a", "b", "a"]) await make.book(title);
    const pages = [];
    for (let page = 1; page <= 5; page++) {
      const { body } = await client.get(`${BOOKS}?sort=title&limit=1&page=${page}`);
      expect(body.pagination).toEqual({ page, limit: 1, total: 4, totalPages: 4 });
      pages.push(...body.books.map(({ titleEn }: { titleEn: string }) => titleEn));
    }
    expect(pages).toEqual(["a", "a", "b", "c"]);
  });
});

/** A book in Spanish on a channel, one that a Mexican reader can't see, one with a link only, and an archived one. */
async function startPublished() {
  const started = await start();
  const { make, client } = started;
  const spanish = await make.language("es");
  const mexican = await make.language("es-MX", { parentId: spanish.id });
  const arabic = await make.language("ar");
  await make.language("sv", { isActive: 0 });
  const { book: shown } = await make.published("Shown", "es");
  const { book: hidden } = await make.published("Hidden", "es");
  const bare = await make.book("Bare");
  const { book: archived } = await make.published("Archived", "ar");
  const { book: inactive } = await make.published("Inactive language", "sv");
  await client.delete(`${BOOKS}/${archived.id}`);
  await make.override(mexican.id, hidden.id, false);
  const channel = await make.channel("Kids");
  await make.publish(shown.id, channel.id, spanish.id);
  await make.publish(bare.id, channel.id, arabic.id);
  return { ...started, spanish, mexican, shown, hidden, bare, archived, inactive, channel };
}

describe("filters", () => {
  it("find what readers of a language find, by the rule of the public list", async () => {
    const { api, titles } = await startPublished();
    for (const code of ["es", "es-MX", "ES-mx", "ar"]) {
      const { body } = await api.get(`/api/books?languageCode=${code}`);
      const published = body.books.map(({ titleEn }: { titleEn: string }) => titleEn);
      expect(await titles({ publishedIn: code }), code).toEqual(published);
    }
    expect(await titles({ publishedIn: "es-MX" })).toEqual(["Shown"]);
    expect(await titles({ publishedIn: "sv" })).toEqual([]);
  });

  it("find the books that lack a translation, an active file or a cover", async () => {
    const { client, titles, shown, bare, hidden } = await startPublished();
    await client.post(`${BOOKS}/${shown.id}/translations`, { languageCode: "es", title: "Visible" });
    await client.post(`${BOOKS}/${bare.id}/translations`, { languageCode: "es-MX", title: "Nada" });
    await putCover(client, shown.id, "default", await createPicture("red"));
    await putCover(client, hidden.id, "es", await createPicture("blue"));
    const { body } = await client.get(`${BOOKS}/${hidden.id}/files`);
    await client.patch(`${BOOKS}/${hidden.id}/files/${body.files[0].id}`, { isActive: 0 });
    const missing = (part: string, missingIn?: string) =>
      titles({ missing: part, status: "active", ...(missingIn !== undefined && { missingIn }) });
    expect(await missing("translation", "es")).toEqual(["Hidden", "Bare", "Inactive language"]);
    expect(await missing("translation", "es-MX")).toEqual(["Hidden", "Inactive language"]);
    expect(await missing("file", "es")).toEqual(["Hidden", "Bare", "Inactive language"]);
    expect(await missing("file", "es-MX")).toEqual(["Hidden", "Bare", "Inactive language"]);
    expect(await missing("cover", "es")).toEqual(["Shown", "Bare", "Inactive language"]);
    expect(await missing("cover", "es-MX")).toEqual(["Shown", "Bare", "Inactive language"]);
    expect(await missing("cover")).toEqual(["Bare", "Inactive language"]);
  });

  it("find a tag, an author or a series by its whole name, without case and accents", async () => {
    const { make, titles } = await start();
    await make.book("One", {
      authors: ['Ana "Nu" Núñez', "Ben"],
      tags: ["Folk tales", "100%"],
      series: { name: "Cuentos, uno", position: 1 },
    });
    await make.book("Two", {
      authors: ['ana "nu" nunez'],
      tags: ["FOLK TALES"],
      series: { name: "CUENTOS, UNO" },
    });
    // The same words, but in other fields or as parts of longer names.
    await make.book("Folk tales", {
      description: "Ben",
      tags: ["Folk", "tales", "folk tales 2"],
      series: { name: "Ben" },
    });
    await make.book("Quotes", { authors: ['x"Ben'], tags: ['a","folk tales","b', "1000", "x,100%"] });
    const cases: [Record<string, string>, string[]][] = [
      [{ tag: "folk TALES" }, ["One", "Two"]],
      [{ tag: "Folk" }, ["Folk tales"]],
      [{ tag: "100%" }, ["One"]],
      [{ tag: "100_" }, []],
      [{ author: 'ANA "NU" NUNEZ' }, ["One", "Two"]],
      [{ author: "ben" }, ["One"]],
      [{ series: "cuentos, uno" }, ["One", "Two"]],
      [{ series: "cuentos" }, []],
      [{ series: "ben" }, ["Folk tales"]],
      [{ tag: "folk tales", author: "Ben", series: "Cuentos, uno" }, ["One"]],
      [{ tag: "unknown" }, []],
      [{ tag: "" }, ["One", "Two", "Folk tales", "Quotes"]],
    ];
    for (const [query, expected] of cases)
      expect(await titles(query), JSON.stringify(query)).toEqual(expected);
  });

  it("find a value that many books have in other fields", async () => {
    const { make, client, titles } = await start();
    const books = Array.from({ length: 450 }, (_, index) => ({
      titleEn: `Book ${index}`,
      slug: `book-${index}`,
      authors: ["Well"],
      ...(index === 449 && { tags: ["WELL"] }),
    }));
    expect((await client.post(`${BOOKS}/bulk`, { books })).status).toBe(200);
    await make.book("Another", { tags: ["well"] });
    expect(await titles({ tag: "well" })).toEqual(["Book 449", "Another"]);
  });

  it("find what has changed since a day or a time", async () => {
    const { make, client, clock, titles } = await start();
    const early = await make.book("Early");
    clock.advance(24 * 3_600_000);
    await make.book("Late");
    expect(await titles({ updatedSince: "2026-03-01" })).toEqual(["Early", "Late"]);
    expect(await titles({ updatedSince: "2026-03-02" })).toEqual(["Late"]);
    expect(await titles({ updatedSince: "2026-03-02T12:00:00Z" })).toEqual(["Late"]);
    expect(await titles({ updatedSince: "2026-03-02T12:00:00.001Z" })).toEqual([]);
    clock.advance(1);
    await client.put(`${BOOKS}/${early.id}`, { description: "Changed" });
    expect(await titles({ updatedSince: "2026-03-02T14:00:00.001+02:00" })).toEqual(["Early"]);
  });

  it("are combined with AND", async () => {
    const { titles } = await startPublished();
    expect(
      await titles({ publishedIn: "es", missing: "translation", missingIn: "es", search: "sho" }),
    ).toEqual(["Shown"]);
    expect(await titles({ publishedIn: "es", channel: "kids", search: "hid" })).toEqual([]);
    expect(await titles({ publishedIn: "es", languageCode: "xx" })).toEqual([]);
  });

  it("reject a value with more spellings than a statement can have", async () => {
    const { client } = await start();
    const spell = (index: number) =>
      Array.from({ length: 8 }, (_, bit) => ((index >> bit) % 2 ? "á" : "a")).join("");
    const books = Array.from({ length: 256 }, (_, index) => ({
      titleEn: `Book ${index}`,
      authors: [spell(index)],
    }));
    expect((await client.post(`${BOOKS}/bulk`, { books })).status).toBe(200);
    expectProblem(await client.get(`${BOOKS}?author=aaaaaaaa`), 400, {
      errors: ["author too_many_spellings"],
    });
  });
});

describe("a listed book", () => {
  it("names the languages in which it is published, its formats and whether it has a cover", async () => {
    const { client, make, list, shown, hidden, bare } = await startPublished();
    await putCover(client, bare.id, "ar", await createPicture("red"));
    await make.link(shown.id, "ar");
    const byId = new Map((await list({})).map((book: { id: string }) => [book.id, book]));
    expect(byId.get(shown.id)).toMatchObject({
      publishedLanguages: ["ar", "es", "es-MX"],
      fileTypes: ["pdf", "txt"],
      hasCover: false,
    });
    expect(byId.get(hidden.id)).toMatchObject({ publishedLanguages: ["es"], fileTypes: ["txt"] });
    expect(byId.get(bare.id)).toMatchObject({ publishedLanguages: [], fileTypes: [], hasCover: true });
    const [archived] = await list({ status: "archived" });
    expect(archived).toMatchObject({ titleEn: "Archived", publishedLanguages: [], fileTypes: ["txt"] });
    const { body } = await client.get(`${BOOKS}/${archived.id}`);
    expect(archived.version).toBe(body.book.version);
  });

  it("has its covers, publications and languages in its details", async () => {
    const { client, make, shown, channel, spanish, mexican } = await startPublished();
    await putCover(client, shown.id, "es", await createPicture("red"));
    const first = await make.channel("First", { sortOrder: -1 });
    await make.publish(shown.id, first.id, spanish.id);
    const swedish = (await client.get("/api/admin/languages")).body.languages.find(
      ({ code }: { code: string }) => code === "sv",
    );
    await make.publish(shown.id, first.id, swedish.id);
    const { body } = await client.get(`${BOOKS}/${shown.id}`);
    expect(body.covers).toEqual((await client.get(`${BOOKS}/${shown.id}/covers`)).body.covers);
    expect(body.covers).toHaveLength(1);
    expect(body.publications).toEqual([
      { channelId: first.id, languageIds: [spanish.id, swedish.id] },
      { channelId: channel.id, languageIds: [spanish.id] },
    ]);
    expect(body.publishedLanguages).toEqual(["es", "es-MX"]);
    expect(mexican.code).toBe("es-MX");
  });
});
