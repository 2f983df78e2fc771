/** One published book in the language that is asked for. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";

it("book details have title, description and cover of the requested language, else of its parent, else the English ones", async () => {
  const { api, make, admin } = await startApp();
  const spanish = await make.language("es");
  await make.language("es-MX", { parentId: spanish.id });
  const { book } = await make.published("The Deep Well", "es");
  const client = await admin();
  const translation = { languageCode: "es", title: "El pozo", description: "Hondo." };
  await client.post(`/api/admin/books/${book.id}/translations`, translation);
  const texts = async (query: string) => {
    const { status, body } = await api.get(`/api/books/${book.slug}${query}`);
    expect([status, body.files.length], query).toEqual([200, 2]);
    return [body.title, body.description, body.languageCode, body.coverUrl];
  };
  const cover = `/api/books/${book.slug}/cover`;
  const english = ["The Deep Well", "", null, cover];
  expect(await texts("")).toEqual(english);
  expect(await texts("?languageCode=ES")).toEqual(["El pozo", "Hondo.", "es", `${cover}?languageCode=es`]);
  expect(await texts("?languageCode=es-mx")).toEqual([
    "El pozo",
    "Hondo.",
    "es-MX",
    `${cover}?languageCode=es-MX`,
  ]);
  expect(await texts("?languageCode=sw")).toEqual(english);
  // What is kept follows the catalogue.
  await client.post(`/api/admin/books/${book.id}/translations`, { ...translation, title: "Pozo" });
  expect((await texts("?languageCode=es"))[0]).toBe("Pozo");
});
