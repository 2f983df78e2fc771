/** What somebody decides of an import before it starts: what readers get, which books are known ones, and which files are stored twice. */
import { join } from "node:path";
import { createPdf, createTitledEpub, writeFiles } from "../../support/book-files.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { findErrors } from "../../support/looks.ts";
import { expect, testOn } from "../fixtures.ts";
import { button, chooseFolder, leftOut, makeTales, newest, storeAll } from "../support/import-page.ts";
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
    await storeAll(page, "Store 1 file");
    expect(await listBooks(scene, ["slug", "isActive"])).toEqual([["tale-1", 1]]);
  });
  await test.step("what is left is archived, and known books stay public", async () => {
    await chooseFolder(page, library);
    for (const path of ["es/tale-2", "bo/tale-3"])
      await page.getByRole("checkbox", { name: `Store tales/${path}.epub` }).uncheck();
    await expect(page.getByText("2 new books become public in 2 languages.")).toBeVisible();
    await choice.check();
    await expect(page.getByText(/^2 new books will be archived: readers get none of them/)).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.route("**/start", (route) => route.fulfill({ status: 409, json: RUNNING }), { times: 1 });
    await button(page, "Store 3 files").click();
    await expect(page.getByText("An import of the user is running.")).toBeVisible();
    await storeAll(page, "Store 3 files");
    await expect(newest(page).getByText("New books are archived.")).toBeVisible();
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

/** Of the start of an import. */
const RUNNING = { status: 409, code: "import_running", detail: "An import of the user is running." };

/** Books of the library, and a folder with their names, their bytes and its own copies. @returns the folder */
async function makeKnown({ admin, make }: Served, folder: string): Promise<string> {
  const client = await admin();
  await make.language("es", { name: undefined, nativeName: undefined });
  const sea = await createTitledEpub("El mar", "es");
  const stored = {
    Well: await createTitledEpub("El pozo", "es"),
    Moon: await createTitledEpub("La luna", "es"),
    Sea: sea,
  };
  for (const [title, bytes] of Object.entries(stored)) {
    const { id } = await make.book(title);
    await client.upload("post", `/api/admin/books/${id}/files`, {
      fields: { languageCode: "es" },
      file: { name: `${title}.epub`, bytes },
    });
  }
  const hill = await createTitledEpub("La colina", "es");
  const library = join(folder, "books");
  writeFiles(library, {
    "es/well.epub": await createTitledEpub("La fuente", "es"),
    "es/moon.epub": await createTitledEpub("El satélite", "es"),
    "es/moon.pdf": await createPdf({ info: { Title: "El satélite" } }),
    "fr/sea.epub": sea,
    "es/hill.epub": hill,
    "es/the hill.epub": hill,
  });
  return library;
}

test("books are known ones or others, and known files are stored again, as somebody says", async ({
  scene,
  open,
  folder,
}) => {
  const page = await open("import");
  await chooseFolder(page, await makeKnown(scene, folder));
  const questions = page.getByRole("region", { name: "The same book, or another?" });
  const question = (path: string) => questions.getByRole("radiogroup", { name: path });
  const tick = (path: string) => page.getByRole("checkbox", { name: `Store books/${path}` });
  const row = (path: string) => page.getByRole("row").filter({ has: tick(path) });
  await test.step("without a word, they are left out, with the reasons", async () => {
    await expect(button(page, "Store 1 file")).toBeVisible();
    for (const path of ["es/well.epub", "es/moon.epub", "es/moon.pdf", "fr/sea.epub", "es/the hill.epub"])
      await expect(tick(path)).not.toBeChecked();
    await expect(row("fr/sea.epub")).toContainText("The same file is also in the book “\u2068Sea\u2069”, as");
    await expect(row("es/the hill.epub")).toContainText(/the same file as \u2068books\/es\/hill\.epub\u2069/);
    await expect(leftOut(page).getByText(/^It is the same file as/)).toBeVisible();
    await expect(
      leftOut(page).getByText("Its book could be one of the library. Say above whether it is."),
    ).toHaveCount(3);
    await expect(question("books/es/well.epub").getByRole("radio", { checked: true })).toHaveCount(0);
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
  await test.step("answers and ticks make another plan", async () => {
    await button(page, "All are other books").click();
    await expect(button(page, "Store 4 files")).toBeVisible();
    await expect(page.getByText("3 new books become public in 1 language.")).toBeVisible();
    await question("books/es/well.epub")
      .getByRole("radio", { name: /^It is “.Well.”$/ })
      .check();
    await expect(row("es/well.epub")).toContainText(
      "The book has another file there, which this one would replace.",
    );
    await expect(button(page, "Store 3 files")).toBeVisible();
    await tick("es/the hill.epub").check();
    await tick("fr/sea.epub").check();
    await expect(button(page, "Store 5 files")).toBeVisible();
    await expect(page.getByText("3 new books become public in 1 language.")).toBeVisible();
  });
  await test.step("a file that differs replaces the one of the book", async () => {
    await tick("es/well.epub").check();
    await expect(button(page, "Store 6 files")).toBeVisible();
    await expect(row("es/well.epub")).toContainText("The book has another file there");
    await storeAll(page, "Store 6 files");
    expect(await listBooks(scene, ["slug", "filesCount"])).toEqual([
      ["hill", 1],
      ["moon", 1],
      ["moon-2", 2],
      ["sea", 2],
      ["the-hill", 1],
      ["well", 1],
    ]);
    const client = await scene.admin();
    const { body: found } = await client.get("/api/admin/books?search=Sea&status=all");
    const { body } = await client.get(`/api/admin/books/${found.books[0].id}`);
    expect(body.translations).toContainEqual(
      expect.objectContaining({ languageCode: "fr", title: "El mar" }),
    );
  });
});

test("books that could be known ones are asked for in Arabic on a phone", async ({ scene, open, folder }) => {
  const page = await open("import", { locale: "ar", viewport: { width: 360, height: 740 } });
  await chooseFolder(page, await makeKnown(scene, folder), "اختر مجلدًا");
  const questions = page.getByRole("region", { name: "الكتاب نفسه أم كتاب آخر؟" });
  await questions.getByRole("button", { name: "كلها الكتب نفسها" }).click();
  await expect(questions.getByRole("radio", { name: /Well/ })).toBeChecked();
  await expect(page.getByText("للكتاب ملف آخر في هذا الموضع، وسيحل هذا محله.").first()).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
});
