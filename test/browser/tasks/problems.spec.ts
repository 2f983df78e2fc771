/** Values that the service rejects, in the console: at their fields, and in its language. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, testOn } from "../fixtures.ts";
import { go } from "../support/go.ts";
import { button, field } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";

const test = testOn(WELL);

test("stand at their fields, which keep what was typed", async ({ open }) => {
  const page = await open("channels");
  await button(page, "Add a channel").click();
  await field(page, "Name").fill("Newsletter");
  const address = page.getByRole("textbox", { name: "Web address" });
  await address.fill("not an address");
  await page.keyboard.press("Enter");
  await expect(page.locator("[aria-invalid=true]")).toBeVisible();
  await expect(address).toHaveValue("not an address");
});

test("say in Arabic what is in the way, or stand at their fields with the numbers of the sentence", async ({
  scene,
  open,
}) => {
  const { well, any } = scene;
  const page = await open(`books/${well.id}`, { locale: "ar" });
  const slug = field(page, "الاسم في الرابط");
  await slug.fill(any.slug);
  await button(page, "حفظ").click();
  await expect(page.getByText("هذا الاسم في الرابط مستعمل لكتاب آخر.")).toBeVisible();
  await slug.fill("Not A Slug");
  await button(page, "إضافة مؤلف").click();
  await page.keyboard.insertText("أ");
  await page.evaluate("document.activeElement.removeAttribute('maxlength')");
  await page.keyboard.insertText("ب".repeat(250));
  await page.keyboard.press("Control+s");
  await expect(page.getByText("ليس هذا بالشكل المطلوب")).toBeVisible();
  await expect(page.getByText(/الحد الأقصى: (200|٢٠٠) حرف/)).toBeVisible();
  const { body } = await (await scene.admin()).get(`/api/admin/books/${well.id}`);
  expect(body.book.slug).toBe(well.slug);
  await expect(slug).toHaveValue("Not A Slug");
});

test("say in Arabic why a book of many can't be changed, and why a file is left out", async ({
  scene,
  open,
  folder,
}) => {
  await (await scene.admin()).delete(`/api/admin/books/${scene.well.id}`);
  const page = await open("books?status=archived", { locale: "ar" });
  await page.locator("#content tbody input[type=checkbox]").click();
  await page.locator("section[aria-label]:has([role=status]) button").nth(2).click();
  await page.locator("[role=dialog] button[type=submit]").click();
  await expect(page.getByText("الكتاب مؤرشف. استعده أولًا.")).toBeVisible();
  await go(page, `${scene.base}import`);
  await mkdir(join(folder, "en"));
  for (const name of ["tree.en.txt", "tree.txt"]) await writeFile(join(folder, "en", name), `The ${name}`);
  await page.locator("input[webkitdirectory]").setInputFiles(folder);
  const other = `\u2068${basename(folder)}/en/tree.en.txt\u2069`;
  await expect(page.getByText(`للكتاب ملف آخر بهذه اللغة والصيغة: ${other}`).first()).toBeVisible();
});
