/** What is archived, switched off or hidden is nowhere to be had, also not by a link from before. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { linkTo, linkToAll } from "../support/reader.ts";

interface Scene {
  app: TestApp;
  admin: Awaited<ReturnType<TestApp["admin"]>>;
  /** Mexican Spanish, which inherits from Spanish. */
  childId: number;
  parentId: number;
  bookId: string;
  fileId: string;
}

/** Each takes the book away from readers of Mexican Spanish, who inherit it from Spanish. */
const WAYS: Record<string, (scene: Scene) => Promise<unknown>> = {
  "the book is archived": ({ app, bookId }) => setActive(app, bookId, 0),
  "the language is switched off": ({ admin, childId }) =>
    admin.put(`/api/admin/languages/${childId}`, { isActive: 0 }),
  "the sub-language hides the book": ({ app, childId, bookId }) => app.make.override(childId, bookId, false),
  "the file is switched off": ({ admin, bookId, fileId }) =>
    admin.patch(`/api/admin/books/${bookId}/files/${fileId}`, { isActive: 0 }),
  "the file is deleted": ({ admin, bookId, fileId }) =>
    admin.delete(`/api/admin/books/${bookId}/files/${fileId}`),
  "the file moves to another language": ({ admin, bookId, fileId }) =>
    admin.patch(`/api/admin/books/${bookId}/files/${fileId}`, { languageCode: "fr" }),
  "the language stops inheriting": ({ admin, childId }) =>
    admin.put(`/api/admin/languages/${childId}`, { parentId: null }),
  "the language is deleted": ({ admin, childId }) => admin.delete(`/api/admin/languages/${childId}`),
  "the parent is deleted": ({ admin, parentId }) => admin.delete(`/api/admin/languages/${parentId}`),
};

async function scene(): Promise<Scene> {
  const app = await startApp();
  const { make } = app;
  const parent = await make.language("es");
  const child = await make.language("es-MX", { parentId: parent.id });
  await make.language("fr");
  const { book, file } = await make.published("The Well", "es", "pozo");
  const ids = { childId: child.id, parentId: parent.id, bookId: book.id, fileId: file.id };
  return { app, admin: await app.admin(), ...ids };
}

describe.each(Object.entries(WAYS))("a book when %s", (_, takeAway) => {
  it("is neither listed, nor offered, nor delivered, nor in a ZIP", async () => {
    const it = await scene();
    const { api, make } = it.app;
    const request = { slug: "the-well", languageCode: "es-MX" };
    const link = await linkTo(api, request);
    const allLink = await linkToAll(api, "es-MX");
    expect((await api.get(link)).body.toString()).toBe("pozo");
    expect((await api.get(allLink)).status).toBe(200);

    await takeAway(it);

    const list = await api.get("/api/books?languageCode=es-MX");
    expect(list.status === 404 || list.body.books.length === 0).toBe(true);
    const details = await api.get("/api/books/the-well");
    const languages = details.status === 404 ? [] : details.body.languages;
    expect(languages).not.toContain("es-MX");
    const { bookId, fileId } = it;
    for (const named of [
      request,
      { ...request, fileType: "txt" },
      { ...request, slug: undefined, bookId, fileId },
    ])
      expectProblem(await api.post("/api/download/submit", { ...named, contact }), 404);
    expectProblem(await api.post("/api/download/submit-all", { languageCode: "es-MX", contact }), 404);
    expectProblem(await api.get(link), 404, { code: "file_unavailable" });
    expect((await api.head(link)).status).toBe(404);
    expectProblem(await api.get(allLink), 404, { code: "file_unavailable" });

    // Another book in the language is delivered, and alone.
    if (list.status === 404) return;
    const { book } = await make.published("Another", "es-MX", "otro");
    expect((await api.get(`/api/books/${book.slug}`)).status).toBe(200);
    expect((await readZip((await api.get(allLink)).body)).map(({ bytes }) => bytes.toString())).toEqual([
      "otro",
    ]);
  });
});

it("a book that is published again is available by earlier links, too", async () => {
  const { app, bookId } = await scene();
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "es-MX" });
  await setActive(app, bookId, 0);
  expect((await app.api.get(link)).status).toBe(404);
  await setActive(app, bookId, 1);
  expect((await app.api.get(link)).body.toString()).toBe("pozo");
});
