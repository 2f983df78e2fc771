/** Reports on a language that was deleted and made again: its downloads are those of one language. */
import { expect, it } from "vitest";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { linkTo } from "../support/reader.ts";

async function download(app: TestApp, slug: string, ...names: string[]): Promise<void> {
  for (const name of names)
    await linkTo(app.api, {
      slug,
      languageCode: "my",
      contact: { email: `${name}@example.org`, firstName: name },
    });
}

const rowsOf = async (admin: Client, query = "") =>
  (await admin.get(`/api/admin/analytics/by-language${query}`)).body.data;

const remove = (admin: Client, id: number) =>
  admin.delete(`/api/admin/languages/${id}?mode=preserve_analytics`);

it("by-language has one row for each code, with the contacts of both counted once", async () => {
  const { app, client: admin } = await startWithAdmin();
  const first = await app.make.language("my", { name: "Burmese", legacyDownloadCount: 7 });
  const { book } = await app.make.published("Tree", "my");
  const { book: spanish } = await app.make.published("Well", "es");
  const contact = { email: "ana@example.org", firstName: "Ana" };
  await linkTo(app.api, { slug: spanish.slug, languageCode: "es", contact });
  await download(app, book.slug, "ana", "ben");
  expect((await remove(admin, first.id)).status).toBe(200);
  expect(await rowsOf(admin)).toMatchObject([
    { languageId: first.id, languageCode: "my", totalDownloads: 2, uniqueContacts: 2, legacyDownloads: 0 },
    { languageCode: "es", totalDownloads: 1, uniqueContacts: 1 },
  ]);

  const again = await app.make.language("my", { name: "Myanmar", legacyDownloadCount: 5 });
  expect(again.id).not.toBe(first.id);
  expect(await rowsOf(admin)).toMatchObject([
    { languageId: again.id, totalDownloads: 2 },
    { languageCode: "es" },
  ]);
  await app.make.textFile(book.id, "my", "again");
  await download(app, book.slug, "ben", "cem", "cem");
  const burmese = {
    languageId: again.id,
    languageCode: "my",
    languageName: "Myanmar",
    totalDownloads: 5,
    totalBooks: 5,
    uniqueContacts: 3,
    redeemed: 0,
    legacyDownloads: 5,
  };
  expect(await rowsOf(admin)).toEqual([burmese, expect.objectContaining({ languageCode: "es" })]);
  const { topLanguages } = (await admin.get("/api/admin/analytics/summary")).body;
  expect(
    topLanguages.filter(({ languageCode }: { languageCode: string }) => languageCode === "my"),
  ).toHaveLength(1);
  expect(await rowsOf(admin, `?languageId=${again.id}`)).toMatchObject([
    { totalDownloads: 3, uniqueContacts: 2 },
  ]);

  expect((await remove(admin, again.id)).status).toBe(200);
  expect(await rowsOf(admin)).toMatchObject([
    {
      languageId: again.id,
      languageName: "Myanmar",
      totalDownloads: 5,
      uniqueContacts: 3,
      legacyDownloads: 0,
    },
    { languageCode: "es" },
  ]);
});
