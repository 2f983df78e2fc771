/** What the services of tests have at the beginning. */
import { expect } from "@playwright/test";
import { addReaders } from "../../support/console-readers.ts";
import { stockLibrary } from "../../support/library.ts";
import type { TestApp } from "../../support/service.ts";
import { type Served, Template } from "./template.ts";

/** Neither books nor languages. */
export const EMPTY = new Template(async () => ({}));

/** With every kind of script, a direction of its own, and markup that must stay text. */
export const ANY_TITLE = "<script>alert(1)</script> كتاب 本 ห้อง བོད་ ספר देवनागरी &amp; \u202Eright to left";

type SceneOf<T> = T extends Template<infer Data> ? Data : never;

async function addWell({ make }: TestApp) {
  // With the names that the service fills in: corrected ones are shown in every language.
  const ownNames = { name: undefined, nativeName: undefined };
  await make.language("es", ownNames);
  await make.language("ar", { ...ownNames, direction: "rtl" });
  const well = await make.book("The Deep Well", {
    tags: ["water"],
    translations: [{ languageCode: "es", title: "El pozo profundo" }],
  });
  await make.textFile(well.id, "es", "Había una vez");
  const any = await make.book(ANY_TITLE);
  await make.channel("Website");
  return { well, any };
}

/** Two books, two languages and a channel. */
export const WELL = new Template(addWell);

/** And `Book 3` to `Book 60` at these places: a list of two pages. */
export const TWO_PAGES = new Template(async (app) => {
  const books = await addWell(app);
  const more = Array.from({ length: 58 }, (_, index) => ({ titleEn: `Book ${index + 3}`, tags: ["row"] }));
  await (await app.admin()).post("/api/admin/books/bulk", { books: more });
  return books;
});

/** For functions of tests that take the whole scene. */
export type WellScene = Served & Awaited<ReturnType<typeof addWell>>;

/** And readers: one who allows marketing, one with a conflict, one who said nothing. */
export const READERS = new Template(async (app) => {
  const books = await addWell(app);
  return { ...books, readers: await addReaders({ ...app, ...books }) };
});

/** And for the pages of administrators: a key, changes in the audit log, and a report of the doctor with findings. */
export const ADMINISTRATION = new Template(async (app) => {
  const books = await addWell(app);
  const client = await app.admin();
  await client.post("/api/admin/api-keys", { name: "Website", scopes: ["view_books", "submit_downloads"] });
  const change = { titleEn: "The Deeper Well", tags: ["water", "folk tales"], description: "About a well." };
  await client.put(`/api/admin/books/${books.well.id}`, change);
  await examine(app);
  return { ...books, readers: await addReaders({ ...app, ...books }) };
});

export type AdministrationScene = Served & SceneOf<typeof ADMINISTRATION>;

/** The library of support/library.ts, beside the well. */
export const LIBRARY = new Template(async (app) => ({
  ...(await addWell(app)),
  ...(await stockLibrary(app)),
}));

/** Lets the doctor examine the service. @returns once the report is there */
export async function examine({ admin }: Pick<TestApp, "admin">): Promise<void> {
  const client = await admin();
  const { headers } = await client.post("/api/admin/doctor/runs", {});
  const readStatus = async () => (await client.get(String(headers.location))).body.status;
  await expect.poll(readStatus).toBe("done");
}
