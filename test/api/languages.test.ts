/** Languages: list, create, change. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

const LANGUAGES = "/api/admin/languages";
const ARABIC = { code: "ar", name: "Arabic", nativeName: "العربية" };

async function start() {
  const { app, client } = await startWithAdmin();
  const all = async () => (await client.get(LANGUAGES)).body.languages;
  const create = (more: Record<string, unknown> = {}) => client.post(LANGUAGES, { ...ARABIC, ...more });
  const put = (id: number, change: unknown) => client.put(`${LANGUAGES}/${id}`, change);
  return { ...app, client, all, create, put };
}

it("the list of languages is ordered by name in the order of the locale", async () => {
  const { make, all } = await start();
  const names = { de: "german", es: "Spanish", sq: "Ålbanian", ar: "arabic", zu: "Zulu", en: "English" };
  for (const [code, name] of Object.entries(names)) await make.language(code, { name });
  const listed = await all();
  expect(listed.map(({ name }: { name: string }) => name)).toEqual([
    "Ålbanian",
    "arabic",
    "English",
    "german",
    "Spanish",
    "Zulu",
  ]);
});

it("the counts of a language are those of its active files, and of their active books", async () => {
  const { make, client, all } = await start();
  const spanish = await make.language("es", { name: "A" });
  await make.language("es-MX", { name: "B", parentId: spanish.id });
  const counts = async () =>
    (await all()).map((language: { booksCount: number; filesCount: number }) => [
      language.booksCount,
      language.filesCount,
    ]);
  expect(await counts()).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const { book } = await make.published("Well", "es");
  for (const code of ["es", "es-MX"]) await make.link(book.id, code);
  const { file } = await make.published("Tree", "es");
  expect(await counts()).toEqual([
    [2, 3],
    [1, 1],
  ]);
  const [, tree] = (await client.get("/api/admin/books")).body.books;
  await client.patch(`/api/admin/books/${tree.id}/files/${file.id}`, { isActive: 0 });
  expect((await counts())[0]).toEqual([1, 2]);
  await client.delete(`/api/admin/books/${book.id}`);
  expect(await counts()).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

describe("creating a language", () => {
  it("returns the language, complete from its code and names", async () => {
    const { create, all } = await start();
    const response = await create();
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`${LANGUAGES}/1`);
    expect(response.body).toEqual({
      ...ARABIC,
      id: 1,
      customDomain: null,
      legacyDownloadCount: 0,
      isActive: 1,
      createdAt: "2026-03-01T12:00:00.000Z",
      direction: "rtl",
      parentId: null,
      emailConfirmation: null,
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: expect.any(String),
      suggestedParentId: null,
    });
    expect(await all()).toEqual([{ ...response.body, booksCount: 0, filesCount: 0 }]);
  });

  it("accepts every field", async () => {
    const { create } = await start();
    await create();
    const given = {
      code: "ar-EG",
      name: "Egyptian Arabic",
      nativeName: "مصرى",
      customDomain: "kotob.example.org",
      parentId: 1,
      legacyDownloadCount: 12,
      isActive: 0,
      direction: "ltr",
    };
    expect((await create(given)).body).toMatchObject(given);
  });

  it("stores codes in their canonical form, and derives the direction of their script", async () => {
    const { create } = await start();
    const cases = [
      ["EN-us", "en-US", "ltr"],
      ["iw", "he", "rtl"],
      ["zh-hant-tw", "zh-Hant-TW", "ltr"],
      [" pt-br ", "pt-BR", "ltr"],
      ["uz-arab", "uz-Arab", "rtl"],
      ["fa", "fa", "rtl"],
      ["az-Latn", "az-Latn", "ltr"],
      ["mn-mong", "mn-Mong", "ltr"],
      ["ckb", "ckb", "rtl"],
    ];
    for (const [code, canonical, direction] of cases) {
      expect((await create({ code })).body, code).toMatchObject({ code: canonical, direction });
    }
  });

  it("gets its names from CLDR, and its direction, from its code alone", async () => {
    const { client } = await start();
    const named = async (code: string) => {
      const { status, body } = await client.post(LANGUAGES, { code });
      expect(status, code).toBe(201);
      return [body.code, body.name, body.nativeName, body.direction];
    };
    expect(await named("PT-br")).toEqual(["pt-BR", "Brazilian Portuguese", "Português (Brasil)", "ltr"]);
    expect(await named("fa")).toEqual(["fa", "Persian", "فارسی", "rtl"]);
    expect(await named("en-x-Simple")).toEqual([
      "en-x-simple",
      "English (simple)",
      "English (simple)",
      "ltr",
    ]);
    expect(await named("qaa")).toEqual(["qaa", "qaa", "qaa", "ltr"]);
    const own = (await client.post(LANGUAGES, { code: "es", name: null, nativeName: "Castellano" })).body;
    expect([own.name, own.nativeName]).toEqual(["Spanish", "Castellano"]);
  });

  it("rejects a code or a domain that is taken, regardless of case", async () => {
    const { create, all } = await start();
    await create({ code: "pt-BR", customDomain: "Livros.Example.org" });
    expect(await all()).toMatchObject([{ customDomain: "livros.example.org" }]);
    for (const code of ["pt-BR", "PT-br", "pt-br"]) {
      expectProblem(await create({ code }), 409, { code: "language_code_taken" });
    }
    expectProblem(await create({ customDomain: "LIVROS.example.org" }), 409, { code: "custom_domain_taken" });
    expect(await all()).toHaveLength(1);
    const responses = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

it("a domain in another script is stored in ASCII form, and is the same domain in both forms", async () => {
  const { create, put, api, all } = await start();
  const { id, customDomain } = (await create({ code: "de", customDomain: " Bücher.example " })).body;
  expect(customDomain).toBe("xn--bcher-kva.example");
  for (const same of ["bücher.example", "bu\u0308cher.example", "XN--BCHER-KVA.example"])
    expectProblem(await create({ customDomain: same }), 409, { code: "custom_domain_taken" });
  expect((await put(id, { customDomain: "книги.рф" })).body.language.customDomain).toBe(
    "xn--c1ajbfp.xn--p1ai",
  );
  expect(await all()).toHaveLength(1);
  const { body } = await api.get("/api/books", { Host: "xn--c1ajbfp.xn--p1ai" });
  expect(body.language).toMatchObject({ code: "de" });
});

it("a sub-language has a parent that isn't a sub-language: the depth is one", async () => {
  const { create, put, all } = await start();
  const parent = (await create()).body.id;
  const child = (await create({ code: "ar-EG", parentId: parent })).body.id;
  const other = (await create({ code: "es" })).body.id;
  const before = await all();
  const unfit = { errors: ["parentId unfit_parent"] };
  expectProblem(await create({ code: "ar-SY", parentId: 99 }), 400, {
    errors: ["parentId unknown_language"],
  });
  expectProblem(await create({ code: "ar-SY", parentId: child }), 400, unfit);
  expectProblem(await put(other, { parentId: child }), 400, unfit);
  expectProblem(await put(parent, { parentId: other }), 400, unfit);
  expectProblem(await put(child, { parentId: child }), 400, unfit);
  expectProblem(await put(other, { parentId: 99 }), 400, { errors: ["parentId unknown_language"] });
  expect(await all()).toEqual(before);
  expect((await put(child, { parentId: other })).body.language.parentId).toBe(other);
  expect((await put(child, { parentId: null })).body.language.parentId).toBeNull();
  expect((await put(parent, { parentId: child })).body.language.parentId).toBe(child);
});

describe("changing a language", () => {
  it("changes only the given fields", async () => {
    const { create, put, all, clock } = await start();
    await create({ code: "sw" });
    let { suggestedParentId, ...language } = (await create()).body;
    const changes = [
      { name: "Modern Arabic", nativeName: "العربية الفصحى" },
      { customDomain: "kutub.example.org" },
      { customDomain: "kutub.example.org", legacyDownloadCount: 1200 },
      { isActive: 0 },
      { isActive: 1, direction: "ltr" },
      { parentId: 1 },
      {},
    ];
    for (const change of changes) {
      clock.advance(1000);
      const response = await put(language.id, change);
      const updatedAt = new Date(clock.now()).toISOString();
      expect(response.body, JSON.stringify(change)).toEqual({
        success: true,
        language: { ...language, ...change, updatedAt, version: expect.any(String) },
      });
      language = response.body.language;
    }
    expect((await all())[1]).toEqual({ ...language, suggestedParentId, booksCount: 0, filesCount: 0 });
  });

  it("removes the domain if it is empty", async () => {
    const { create, put } = await start();
    const { id } = (await create({ code: "pt-BR", customDomain: "livros.example.org" })).body;
    expect((await put(id, { customDomain: "" })).body.language).toMatchObject({ customDomain: null });
  });

  it("derives the direction from a new code unless it was set explicitly", async () => {
    const { create, put } = await start();
    const { id } = (await create({ code: "en" })).body;
    expect((await put(id, { code: "AR" })).body.language).toMatchObject({ code: "ar", direction: "rtl" });
    expect((await put(id, { code: "fa", direction: "ltr" })).body.language).toMatchObject({
      code: "fa",
      direction: "ltr",
    });
    expect((await put(id, { code: "he" })).body.language).toMatchObject({ code: "he", direction: "ltr" });
  });

  it("rejects a code or a domain of another language, and accepts its own", async () => {
    const { create, put, all } = await start();
    await create({ code: "es", customDomain: "libros.example.org" });
    const { id } = (await create({ code: "pt-BR", customDomain: "livros.example.org" })).body;
    const before = await all();
    expectProblem(await put(id, { code: "ES", name: "Changed" }), 409, { code: "language_code_taken" });
    expectProblem(await put(id, { customDomain: "Libros.example.org", name: "Changed" }), 409, {
      code: "custom_domain_taken",
    });
    expect(await all()).toEqual(before);
    expect((await put(id, { code: "pt-br", customDomain: "LIVROS.example.org" })).status).toBe(200);
    await put(id, { code: "pt" });
    expect((await create({ code: "PT-BR" })).status).toBe(201);
    expectProblem(await create({ code: "PT" }), 409);
  });

  it("finds a language by its decimal number only", async () => {
    const { client, create, put, all } = await start();
    await create();
    const before = await all();
    for (const id of [
      "ar",
      "0",
      "2",
      "-1",
      "1.0",
      "1e0",
      "0x1",
      "%201",
      "１",
      "2147483648",
      "9007199254740993",
    ]) {
      expectProblem(await client.put(`${LANGUAGES}/${encodeURI(id)}`, { name: "Changed" }), 404);
      expectProblem(await client.get(`${LANGUAGES}/${encodeURI(id)}`), 404);
      expectProblem(await client.delete(`${LANGUAGES}/${encodeURI(id)}`), 404);
    }
    expect(await all()).toEqual(before);
    expect((await put(1, {})).status).toBe(200);
  });
});
