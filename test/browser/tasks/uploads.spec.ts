/** Uploads of folders in the console, checked in the service afterwards. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTitledEpub } from "../../support/book-files.ts";
import { expect, testOn } from "../fixtures.ts";
import { storeAll } from "../support/import-page.ts";
import { button } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";

const test = testOn(WELL);

/** Adds so many books in a language, in a folder of that. */
async function addBooks(folder: string, code: string, books: number): Promise<void> {
  await mkdir(join(folder, code));
  for (let book = 1; book <= books; book += 1) {
    const content = await createTitledEpub(`Tale ${book} in ${code}`, code);
    await writeFile(join(folder, code, `tale-${book}.epub`), content);
  }
}

test("store what was corrected, and leave out what was taken out and what can't be a book", async ({
  scene,
  open,
  folder,
}) => {
  const root = join(folder, "tales");
  await mkdir(root);
  await addBooks(root, "es", 2);
  await writeFile(join(root, "notes.epub"), "Not an EPUB");
  const page = await open("import");
  const box = (name: string, path: string) =>
    page.getByRole("textbox", { name: `${name} of tales/es/${path}` });
  await page.locator("input[webkitdirectory]").setInputFiles(root);
  await expect(page.getByText("3 of 3 files are examined.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /notes\.epub/ })).not.toBeChecked();
  await expect(page.getByRole("combobox", { name: "Format of tales/es/tale-1.epub" })).toHaveValue("epub");
  await box("Title", "tale-1.epub").fill("Un cuento");
  await page.getByRole("combobox", { name: "Language of tales/es/tale-1.epub" }).selectOption("ar");
  await box("Book", "tale-1.epub").fill("A corrected tale");
  await button(page, "Remove all files").click();
  await expect(page.getByText("What you corrected and didn't store is lost.")).toBeVisible();
  await button(page, "Cancel").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Store tales/es/tale-2.epub" }).uncheck();
  await storeAll(page, "Store 1 file");
  const { body } = await (await scene.admin()).get("/api/admin/books?search=tale&limit=200");
  expect(body.books).toMatchObject([{ slug: "a-corrected-tale", filesCount: 1 }]);
  const published = await scene.api.get("/api/books?languageCode=ar&search=tale");
  expect(published.body.books[0]).toMatchObject({ title: "Un cuento", titleEn: "A corrected tale" });
});

test("add files to the book on which they are dropped", async ({ scene, open, folder }) => {
  for (const code of ["es", "ar"]) await addBooks(folder, code, 1);
  const page = await open(`books/${scene.any.id}`);
  await page.locator("input[webkitdirectory]").setInputFiles(folder);
  await button(page, "Store 2 files").click();
  await expect(page.getByText("2 files were stored.")).toBeVisible();
  const { body } = await (await scene.admin()).get(`/api/admin/books/${scene.any.id}`);
  const codes = body.files.map(({ languageCode }: { languageCode: string }) => languageCode);
  expect(codes.toSorted()).toEqual(["ar", "es"]);
});
