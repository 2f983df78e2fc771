/** The public list of languages. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";

it("GET /api/languages returns the active languages in which a book is published, by name, with the number of books", async () => {
  const { app, client: admin, api, make } = await startWithAdmin();
  expect((await api.get("/api/languages")).body).toEqual({ languages: [] });

  const parent = await make.language("es", { name: "Spanish", nativeName: "Español" });
  const child = await make.language("es-MX", { name: "Mexican Spanish", parentId: parent.id });
  const arabic = await make.language("ar", {
    name: "Arabic",
    nativeName: "العربية",
    customDomain: "kutub.example.org",
  });
  await make.language("fr", { name: "French" });
  const { book } = await make.published("One", "es");
  const other = await make.published("Two", "es");
  await make.textFile(other.book.id, "ar", "اثنان");

  const counts = async () => {
    const { languages } = (await api.get("/api/languages")).body;
    return languages.map(({ code, booksCount }: Record<string, unknown>) => [code, booksCount]);
  };
  const response = await api.get("/api/languages");
  expect(response.status).toBe(200);
  expect(response.body.languages).toEqual([
    {
      id: arabic.id,
      code: "ar",
      name: "Arabic",
      nativeName: "العربية",
      direction: "rtl",
      parentCode: null,
      customDomain: "kutub.example.org",
      booksCount: 1,
    },
    {
      id: child.id,
      code: "es-MX",
      name: "Mexican Spanish",
      nativeName: "Native es-MX",
      direction: "ltr",
      parentCode: "es",
      customDomain: null,
      booksCount: 2,
    },
    expect.objectContaining({ code: "es", parentCode: null, booksCount: 2 }),
  ]);

  await make.override(child.id, book.id, false);
  expect(await counts()).toEqual([
    ["ar", 1],
    ["es-MX", 1],
    ["es", 2],
  ]);
  await setActive(app, other.book.id, 0);
  expect(await counts()).toEqual([["es", 1]]);
  await admin.put(`/api/admin/languages/${parent.id}`, { isActive: 0 });
  expect(await counts()).toEqual([]);
});
