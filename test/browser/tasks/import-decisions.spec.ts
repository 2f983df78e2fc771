/** What somebody decides of an import before it starts: what readers get. */
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { findErrors } from "../../support/looks.ts";
import { expect, testOn } from "../fixtures.ts";
import { button, chooseFolder, makeTales } from "../support/import-page.ts";
import { EMPTY } from "../support/scenes.ts";
import type { Served } from "../support/template.ts";

const test = testOn(EMPTY);

const listBooks = async ({ admin }: Served, fields: readonly string[]): Promise<unknown[]> => {
  const { body } = await (await admin()).get("/api/admin/books?limit=200&status=all");
  return body.books.map((book: Record<string, unknown>) => fields.map((field) => book[field])).sort();
};

test("what readers get is said, and new books are archived until they are restored", async ({
  scene,
  open,
  folder,
}) => {
  const library = await makeTales(folder, 3);
  const page = await open("import");
  const choice = page.getByRole("checkbox", { name: /^Archive new books/ });
  await chooseFolder(page, library);
  await test.step("files that aren't stored count for nothing", async () => {
    await expect(page.getByText("3 new books become public in 2 languages.")).toBeVisible();
    for (const name of ["tale-1", "tale-2", "tale-3"])
      await page.getByRole("checkbox", { name: `Store tales/bo/${name}.epub` }).uncheck();
    await expect(page.getByText("3 new books become public in 1 language.")).toBeVisible();
    for (const name of ["tale-2", "tale-3"])
      await page.getByRole("checkbox", { name: `Store tales/es/${name}.epub` }).uncheck();
    await expect(page.getByText("1 new book becomes public in 1 language.")).toBeVisible();
    await expect(choice).not.toBeChecked();
    await button(page, "Store 1 file").click();
    await expect(page.getByText("1 file was stored.")).toBeVisible();
    expect(await listBooks(scene, ["slug", "isActive"])).toEqual([["tale-1", 1]]);
  });
  await test.step("what is left after a failure is archived as well, and known books stay public", async () => {
    for (const path of ["bo/tale-1", "bo/tale-2", "es/tale-3"])
      await page.getByRole("checkbox", { name: `Store tales/${path}.epub` }).check();
    await expect(page.getByText("2 new books become public in 2 languages.")).toBeVisible();
    await choice.check();
    await expect(page.getByText(/^2 new books will be archived: readers get none of them/)).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    const json = { status: 409, code: "x", detail: "It doesn't fit." };
    await page.route("**/api/admin/books/bulk", (route) => route.fulfill({ status: 409, json }), {
      times: 3,
    });
    await button(page, "Store 3 files").click();
    await expect(page.getByText("3 files failed.")).toBeVisible();
    await page.getByRole("link", { name: "Languages" }).click();
    await page.getByRole("link", { name: "Import" }).click();
    await expect(choice).toBeChecked();
    await button(page, "Store 3 files").click();
    await expect(page.getByText("4 files were stored.")).toBeVisible();
    await expect(choice).toHaveCount(0);
    expect(await listBooks(scene, ["slug", "isActive", "filesCount"])).toEqual([
      ["tale-1", 1, 2],
      ["tale-2", 0, 1],
      ["tale-3", 0, 1],
    ]);
  });
});

test("what readers get is said in Arabic on a phone", async ({ open, folder }) => {
  const page = await open("import", { locale: "ar", viewport: { width: 360, height: 740 } });
  await chooseFolder(page, await makeTales(folder, 2), "اختر مجلدًا");
  await expect(page.getByText("كتب جديدة ستصبح متاحة للقراء: كتابان، في لغتين.")).toBeVisible();
  await page.getByRole("checkbox", { name: /^أرشِف الكتب الجديدة/ }).check();
  await expect(page.getByText(/ولا يراها القراء حتى تُستعاد: كتابان\.$/)).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
});
