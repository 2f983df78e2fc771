/** A book as readers of a language get it, the reasons why they don't, and what its deletion would remove. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { createPicture, putCover } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";

const BOOKS = "/api/admin/books";

async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const mexican = await app.make.language("es-MX", { parentId: spanish.id });
  const { book, file } = await app.make.published("The Well", "es");
  const path = `${BOOKS}/${book.id}`;
  const preview = async (languageCode: string) =>
    (await client.get(`${path}/preview?languageCode=${languageCode}`)).body;
  return { ...app, client, spanish, mexican, book, file, path, preview };
}

it("a published book is shown as the public list has it", async () => {
  const { api, client, path, preview } = await start();
  expect((await preview("es")).remarks).toEqual(["no_translation", "no_cover"]);
  await client.post(`${path}/translations`, { languageCode: "es", title: "El pozo" });
  await putCover(client, path.split("/").at(-1) ?? "", "default", await createPicture("red"));
  for (const code of ["es", "es-MX", "ES-mx"]) {
    const listed = (await api.get(`/api/books?languageCode=${code}`)).body.books;
    expect(await preview(code), code).toEqual({ book: listed[0], reasons: [], remarks: [] });
  }
});

it("each reason is named why readers don't find a book", async () => {
  const { client, make, book, file, mexican, path, preview } = await start();
  const reasons = async (code: string) => {
    const { book: shown, reasons } = await preview(code);
    expect(shown).toBeNull();
    return reasons;
  };
  await make.language("ar", { isActive: 0 });
  expect(await reasons("ar")).toEqual(["language_inactive", "no_file"]);
  await make.override(mexican.id, book.id, false);
  expect(await reasons("es-MX")).toEqual(["hidden"]);
  expect((await preview("es")).reasons).toEqual([]);
  await client.patch(`${path}/files/${file.id}`, { isActive: 0 });
  expect(await reasons("es")).toEqual(["no_file"]);
  await client.delete(path);
  expect(await reasons("es-MX")).toEqual(["archived", "no_file", "hidden"]);
});

it("a preview needs a known book and a known language", async () => {
  const { client, path } = await start();
  expectProblem(await client.get(`${path}/preview?languageCode=fr`), 404, { code: "language_not_found" });
  expectProblem(await client.get(`${BOOKS}/unknown/preview?languageCode=es`), 404, {
    code: "book_not_found",
  });
  expectProblem(await client.get(`${path}/preview`), 400, { errors: ["languageCode invalid_type"] });
  expectProblem(await client.get(`${path}/preview?languageCode=?&other=1`), 400, {
    errors: ["languageCode invalid_language_code", "other unknown_field"],
  });
});

it("the impact of a deletion is that of the preview on the book", async () => {
  const { client, path } = await start();
  const impact = await client.get(`${path}/deletion-impact`);
  expect([impact.status, impact.body]).toEqual([200, (await client.get(`${path}?preview=delete`)).body]);
  expect(impact.body.impact).toMatchObject({ files: 1, localFiles: 1, translations: 0 });
  expectProblem(await client.get(`${BOOKS}/unknown/deletion-impact`), 404, { code: "book_not_found" });
  expectProblem(await client.get(`${path}/deletion-impact?all=1`), 400, { errors: ["all unknown_field"] });
});
