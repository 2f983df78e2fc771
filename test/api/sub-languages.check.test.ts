/** What readers of a sub-language get: what is its own, what it inherits, and what overrides take away. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { linkTo, linkToAll, listEvents } from "../support/reader.ts";

const LANGUAGES = "/api/admin/languages";

/** Spanish, and Mexican Spanish below it. */
async function start(variables: Readonly<Record<string, string>> = {}) {
  const { app, client, api, make } = await startWithAdmin(variables);
  const parent = await make.language("es", { name: "Spanish" });
  const child = await make.language("es-MX", { name: "Mexican", parentId: parent.id });
  const put = (languageId: number, bookId: string, isVisible: boolean | null) =>
    client.put(`${LANGUAGES}/${languageId}/books`, { overrides: [{ bookId, isVisible }] });
  const override = (bookId: string, isVisible: boolean | null) => make.override(child.id, bookId, isVisible);
  const change = async (id: number, fields: object) =>
    expect((await client.put(`${LANGUAGES}/${id}`, fields)).status).toBe(200);
  const inLanguage = async (code: string, query = "") => {
    const response = await api.get(`/api/books?languageCode=${code}${query}`);
    return response.body.books.map(({ slug }: { slug: string }) => slug);
  };
  return { ...app, client, parent, child, put, override, change, inLanguage };
}

/** The books of the ZIP of a language: their names in it, and what they hold. */
async function zipOf({ api }: Pick<TestApp, "api">, code: string): Promise<[string, string][]> {
  const { body } = await api.get(await linkToAll(api, code));
  return (await readZip(body)).map(({ name, bytes }) => [name, bytes.toString()]);
}

const overridesOf = ({ container: { database } }: Pick<TestApp, "container">) =>
  database.read.selectFrom("book_visibility").select(["languageId", "bookId", "isVisible"]).execute();

describe("a sub-language", () => {
  it("inherits each text that it lacks: a description, too, rather than the English one", async () => {
    const { api, client, make } = await start();
    const { book } = await make.published("The Well", "es");
    await client.put(`/api/admin/books/${book.id}`, { description: "In English." });
    const inMexico = async () => {
      const [{ title, description }] = (await api.get("/api/books?languageCode=es-MX")).body.books;
      const { translations } = (await api.get(`/api/books/${book.slug}`)).body;
      const texts = { languageCode: "es-MX", title, description, direction: "ltr" };
      expect(translations).toContainEqual(expect.objectContaining(texts));
      return [title, description];
    };
    const translate = (languageCode: string, texts: object) =>
      client.post(`/api/admin/books/${book.id}/translations`, { languageCode, ...texts });
    expect(await inMexico()).toEqual(["The Well", "In English."]);
    await translate("es", { title: "El pozo", description: "En español." });
    expect(await inMexico()).toEqual(["El pozo", "En español."]);
    await translate("es-MX", { title: "El pozo mexicano" });
    expect(await inMexico()).toEqual(["El pozo mexicano", "En español."]);
    await translate("es-MX", { title: "El pozo mexicano", description: "En mexicano." });
    expect(await inMexico()).toEqual(["El pozo mexicano", "En mexicano."]);
    await translate("es-MX", { title: "El pozo mexicano", description: "" });
    expect(await inMexico()).toEqual(["El pozo mexicano", "En español."]);
    await translate("es", { title: "El pozo", description: "" });
    expect(await inMexico()).toEqual(["El pozo mexicano", "In English."]);
  });

  it("delivers its own files, else those of its parent, and nothing that is hidden", async () => {
    const app = await start();
    const { api, make, client, override } = app;
    const inherited = await make.published("Inherited", "es", "heredado");
    const replaced = await make.published("Replaced", "es", "de España");
    const own = await make.textFile(replaced.book.id, "es-MX", "de México");
    const hidden = await make.published("Hidden", "es", "oculto");
    const ownHidden = await make.published("Own Hidden", "es-MX", "oculto también");
    await client.post(`/api/admin/books/${inherited.book.id}/translations`, {
      languageCode: "es",
      title: "Heredado",
    });
    for (const { book } of [hidden, ownHidden]) await override(book.id, false);
    await override(inherited.book.id, true);

    expect(await zipOf(app, "es-MX")).toEqual([
      ["01 - Heredado [es-MX].txt", "heredado"],
      ["02 - Replaced [es-MX].txt", "de México"],
    ]);
    expect((await zipOf(app, "es")).map(([, text]) => text)).toEqual(["heredado", "de España", "oculto"]);
    const texts = async (slug: string) =>
      (await api.get(await linkTo(api, { slug, languageCode: "ES-mx" }))).body;
    expect(String(await texts("inherited"))).toBe("heredado");
    expect(String(await texts("replaced"))).toBe("de México");

    const submit = (request: object) =>
      api.post("/api/download/submit", { contact, languageCode: "es-MX", ...request });
    expectProblem(await submit({ slug: "hidden" }), 404, { code: "not_published" });
    expectProblem(await submit({ slug: "own-hidden" }), 404, { code: "book_not_found" });
    // What its own file stands in for isn't there beside it.
    const { id: bookId } = replaced.book;
    expect((await submit({ bookId, fileId: own.id })).status).toBe(200);
    expectProblem(await submit({ bookId, fileId: replaced.file.id }), 404, { code: "file_not_found" });
  });

  it("is published on a channel if it or its parent is, unless an override hides the book", async () => {
    const app = await start();
    const { make, parent, child, override, inLanguage } = app;
    const web = (await make.channel("web")).id;
    const kids = (await make.channel("kids")).id;
    const { book: one } = await make.published("One", "es");
    const { book: two } = await make.published("Two", "es");
    await make.publish(one.id, web, parent.id);
    await make.publish(two.id, web, child.id);
    await make.publish(two.id, kids, parent.id);
    const shown = async () => [
      await inLanguage("es", "&channel=web"),
      await inLanguage("es-MX", "&channel=web"),
      await inLanguage("es", "&channel=kids"),
      await inLanguage("es-MX", "&channel=kids"),
    ];
    expect(await shown()).toEqual([["one"], ["one", "two"], ["two"], ["two"]]);
    await override(two.id, false);
    expect(await shown()).toEqual([["one"], ["one"], ["two"], []]);
    // To show a book is not to publish it.
    for (const { id } of [one, two]) await override(id, true);
    expect(await shown()).toEqual([["one"], ["one", "two"], ["two"], ["two"]]);
  });

  it("is independent while its parent is inactive, on every path", async () => {
    const app = await start();
    const { api, make, parent, change } = app;
    const { book } = await make.published("The Well", "es", "pozo");
    await change(parent.id, { isActive: 0 });
    expect((await api.get(`/api/books/${book.slug}`)).body.languages).toEqual(["es-MX"]);
    const { languages } = (await api.get("/api/languages")).body;
    expect(languages).toMatchObject([{ code: "es-MX", parentCode: "es", booksCount: 1 }]);
    const link = await linkTo(api, { slug: book.slug, languageCode: "es-MX" });
    expect(String((await api.get(link)).body)).toBe("pozo");
    expect(await zipOf(app, "es-MX")).toEqual([["01 - The Well [es-MX].txt", "pozo"]]);
    for (const path of ["submit", "submit-all"]) {
      const asked = await api.post(`/api/download/${path}`, {
        contact,
        languageCode: "es",
        ...(path === "submit" && { slug: book.slug }),
      });
      expectProblem(asked, 404, { code: "language_not_found" });
    }
  });

  it("is found by its own domain, regardless of case and port", async () => {
    const { api, make, child, parent, change, override } = await start();
    await change(parent.id, { customDomain: "libros.example.org" });
    await change(child.id, { customDomain: "mx.libros.example.org" });
    const { book } = await make.published("One", "es");
    await make.published("Two", "es-MX");
    const shown = async (headers: Record<string, string>, query = "") => {
      const { language, books } = (await api.get(`/api/books${query}`, headers)).body;
      return [language?.code, ...books.map(({ slug }: { slug: string }) => slug)];
    };
    for (const Host of ["mx.libros.example.org", "MX.Libros.Example.ORG", "mx.libros.example.org:8443"]) {
      expect(await shown({ Host })).toEqual(["es-MX", "one", "two"]);
      expect(await shown({ Host }, "?languageCode=ES")).toEqual(["es", "one"]);
    }
    expect(await shown({ Host: "libros.example.org" })).toEqual(["es", "one"]);
    const forwarded = { Host: "libros.example.org", "X-Forwarded-Host": "mx.libros.example.org" };
    expect(await shown(forwarded)).toEqual(["es", "one"]);
    await override(book.id, false);
    expect(await shown({ Host: "mx.libros.example.org" })).toEqual(["es-MX", "two"]);
  });

  it("isn't found by a forwarded domain, even from a trusted proxy", async () => {
    const headers = { Host: "10.0.0.7:3000", "X-Forwarded-Host": "MX.libros.example.org" };
    for (const TRUST_PROXY of ["0", "1", "loopback"]) {
      const { api, child, change } = await start({ TRUST_PROXY });
      await change(child.id, { customDomain: "mx.libros.example.org" });
      expect((await api.get("/api/books", headers)).body.language).toBeNull();
    }
  });

  it("isn't available while it is inactive, regardless of its overrides", async () => {
    const { api, make, child, change, override } = await start();
    await change(child.id, { customDomain: "mx.libros.example.org" });
    const { book } = await make.published("The Well", "es");
    await override(book.id, true);
    const request = { slug: book.slug, languageCode: "es-MX" };
    const links = [await linkTo(api, request), await linkToAll(api, "es-MX")];
    await change(child.id, { isActive: 0 });
    expectProblem(await api.get("/api/books?languageCode=es-MX"), 404, { code: "language_not_found" });
    const byHost = (await api.get("/api/books", { Host: "mx.libros.example.org" })).body;
    expect(byHost).toMatchObject({ language: null, books: [{ languages: ["es"] }] });
    const details = (await api.get(`/api/books/${book.slug}`)).body;
    expect(details).toMatchObject({ languages: ["es"], translations: [{ languageCode: "es" }] });
    expect(details.files).toMatchObject([{ languageCode: "es" }]);
    expect((await api.get("/api/languages")).body.languages).toMatchObject([{ code: "es" }]);
    expectProblem(await api.post("/api/download/submit", { contact, ...request }), 404);
    expectProblem(await api.post("/api/download/submit-all", { contact, languageCode: "es-MX" }), 404);
    for (const link of links) expectProblem(await api.get(link), 404, { code: "file_unavailable" });
  });
});

describe("the overrides of a language", () => {
  it("stay if it gets another parent", async () => {
    const { make, child, change, override, inLanguage } = await start();
    const other = await make.language("pt");
    const { book: one } = await make.published("One", "es");
    await make.textFile(one.id, "pt", "um");
    await make.published("Two", "pt");
    await override(one.id, false);
    await change(child.id, { parentId: other.id });
    expect(await inLanguage("es-MX")).toEqual(["two"]);
  });

  it.each(["is removed", "is deleted"])(
    "have no effect once its parent %s, and apply again with the next parent",
    async (how) => {
      const app = await start();
      const { api, client, make, parent, child, put, change, override, inLanguage } = app;
      const { book: one } = await make.published("One", "es-MX", "uno");
      await make.textFile(one.id, "es", "uno de España");
      await make.published("Two", "es-MX", "dos");
      await override(one.id, false);
      const link = await linkTo(api, { slug: "two", languageCode: "es-MX" });
      expect(await inLanguage("es-MX")).toEqual(["two"]);

      if (how === "is deleted") await client.delete(`${LANGUAGES}/${parent.id}`);
      else await change(child.id, { parentId: null });
      expect(await inLanguage("es-MX")).toEqual(["one", "two"]);
      expect((await api.get("/api/books/one")).body.languages).toContain("es-MX");
      const { languages } = (await api.get("/api/languages")).body;
      expect(languages).toContainEqual(
        expect.objectContaining({ code: "es-MX", parentCode: null, booksCount: 2 }),
      );
      expect((await zipOf(app, "es-MX")).map(([, text]) => text)).toEqual(["uno", "dos"]);
      expect((await api.get(await linkTo(api, { slug: "one", languageCode: "es-MX" }))).status).toBe(200);
      expect((await api.get(link)).status).toBe(200);
      for (const response of [
        await client.get(`${LANGUAGES}/${child.id}/books`),
        await put(child.id, one.id, null),
      ]) {
        expectProblem(response, 400, { code: "not_a_sub_language" });
      }

      const next = await make.language("pt");
      await change(child.id, { parentId: next.id });
      expect(await inLanguage("es-MX")).toEqual(["two"]);
      await override(one.id, null);
      expect(await inLanguage("es-MX")).toEqual(["one", "two"]);
    },
  );

  it("have no effect on a language that inherits from it later", async () => {
    const { make, child, change, override, inLanguage } = await start();
    const { book } = await make.published("One", "es-MX");
    await override(book.id, false);
    await change(child.id, { parentId: null });
    await make.language("es-419", { parentId: child.id });
    expect([await inLanguage("es-MX"), await inLanguage("es-419")]).toEqual([["one"], ["one"]]);
  });

  it.each(["preserve_analytics", "delete_all"])(
    "are deleted with it, and nothing of its parent is: %s",
    async (mode) => {
      const app = await start();
      const { api, client, make, parent, child, override, inLanguage } = app;
      const { book: one } = await make.published("One", "es", "uno");
      const { book: two } = await make.published("Two", "es", "dos");
      const sibling = await make.language("es-AR", { parentId: parent.id });
      await override(one.id, false);
      await make.override(sibling.id, two.id, false);
      for (const languageCode of ["es", "es-MX"]) await linkTo(api, { slug: "two", languageCode });
      const response = await client.delete(`${LANGUAGES}/${child.id}`, { mode });
      expect(response.status).toBe(200);
      expect(await overridesOf(app)).toEqual([{ languageId: sibling.id, bookId: two.id, isVisible: 0 }]);
      const impactOf = async (id: string) =>
        (await client.get(`/api/admin/books/${id}?preview=delete`)).body.impact.visibilityOverrides;
      expect([await impactOf(one.id), await impactOf(two.id)]).toEqual([0, 1]);
      expect([await inLanguage("es"), await inLanguage("es-AR")]).toEqual([["one", "two"], ["one"]]);
      const codes = (await listEvents(app)).map(({ languageCode }) => languageCode);
      expect(codes).toEqual(mode === "delete_all" ? ["es"] : ["es", "es-MX"]);
    },
  );

  it("are kept while the book is archived", async () => {
    const app = await start();
    const { make, override, inLanguage } = app;
    const { book } = await make.published("One", "es");
    await override(book.id, false);
    await setActive(app, book.id, 0);
    await setActive(app, book.id, 1);
    expect([await inLanguage("es"), await inLanguage("es-MX")]).toEqual([["one"], []]);
  });
});
