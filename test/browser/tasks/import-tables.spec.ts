/** Spreadsheets in the console: alone, pasted, with columns and cells that aren't right, and saved with what was corrected. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { createTitledEpub, writeFiles, zipOf } from "../../support/book-files.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { findErrors } from "../../support/looks.ts";
import { expect, testOn } from "../fixtures.ts";
import { chooseFile } from "../support/choose-file.ts";
import { button, chooseFolder, leftOut, newest, storeAll } from "../support/import-page.ts";
import { EMPTY } from "../support/scenes.ts";
import type { Served } from "../support/template.ts";

const test = testOn(EMPTY);

const listBooks = async ({ admin }: Served): Promise<unknown[]> => {
  const { body } = await (await admin()).get("/api/admin/books?limit=200&status=all");
  return body.books.map(({ titleEn, filesCount }: Record<string, unknown>) => [titleEn, filesCount]).sort();
};

/** As Ctrl+V does of what a spreadsheet program has copied. */
async function paste(page: Page, rows: readonly (readonly string[])[]): Promise<void> {
  const text = rows.map((cells) => `${cells.join("\t")}\n`).join("");
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);
}

const ROWS = [
  ["Título", "title_en", "Sprache", "Regal"],
  ["El pozo", "Well", "es", "1"],
  ["Kuyu", "Moon", "Turkisch?", "2"],
];

test("a pasted table has its columns named once, and its wrong cells corrected", async ({ scene, open }) => {
  const page = await open("import");
  const columns = page.getByRole("region", { name: "3 columns aren't known" });
  await test.step("by hand, the first time", async () => {
    await paste(page, ROWS);
    await expect(columns).toBeVisible();
    await columns.getByRole("combobox", { name: "Título" }).selectOption("title");
    await columns.getByRole("combobox", { name: "Sprache" }).selectOption("language");
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await columns.getByRole("button", { name: "Use these columns" }).click();
    await expect(columns).toHaveCount(0);
  });
  await test.step("a wrong cell is open, and corrected where it is named", async () => {
    const cell = page.getByRole("textbox", { name: /^Line 3, .*language/ });
    await expect(cell).toHaveValue("Turkisch?");
    await expect(button(page, "Store texts of 1 book")).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await cell.fill("tr");
    await page.keyboard.press("Enter");
    await expect(cell).toHaveCount(0);
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Save as a spreadsheet").click(),
    ]);
    expect([saved.suggestedFilename(), await readFile(await saved.path(), "utf8")]).toEqual([
      "pasted.csv",
      "\uFEFFtitle,title_en,language\r\nEl pozo,Well,es\r\nKuyu,Moon,tr\r\n",
    ]);
    await storeAll(page, "Store texts of 2 books");
    expect(await listBooks(scene)).toEqual([
      ["Moon", 0],
      ["Well", 0],
    ]);
  });
  await test.step("the next time, this browser knows the columns", async () => {
    await page.reload();
    await expect(page.getByText("Or paste a table")).toBeVisible();
    await expect(newest(page)).toBeVisible();
    await paste(page, [ROWS[0] ?? [], ["La colina", "Hill", "es", "3"]]);
    await storeAll(page, "Store texts of 1 book");
    expect(await listBooks(scene)).toHaveLength(3);
  });
});

test("a spreadsheet alone, whose columns all have other names, is asked for in Arabic on a phone", async ({
  open,
  folder,
}) => {
  const page = await open("import", { locale: "ar", viewport: { width: 360, height: 740 } });
  await writeFile(join(folder, "list.csv"), "Naslov;Jezik\nBunar;hr\n");
  await chooseFile(button(page, "اختر ملفات"), join(folder, "list.csv"));
  const columns = page.getByRole("region", { name: /^أعمدة غير معروفة/ });
  await columns.getByRole("combobox", { name: "Naslov" }).selectOption("title_en");
  await columns.getByRole("button", { name: "استخدم هذه الأعمدة" }).click();
  // Without a title of the edition or a file, nothing is described.
  await expect(columns).toBeVisible();
  expect(await findErrors(page)).toEqual([]);
});

const WRONG_ROWS = [
  "slug,title_en,language,title,file,isbn,license",
  "well,Well,es,El pozo,well.txt,,",
  "moon,Moon,Turkisch?,Kuyu,,,",
  "hill,Hill,es,La colina,missing.txt,,",
  "sea,Sea,es,El mar,sea.pdf,,",
  "sun,Sun,es,#REF!,,,",
  `tree,Tree,es,El árbol,,${"9".repeat(40)},`,
  "star,,es,,,,CC0-1.0",
];

test("what is wrong with rows and files is said in Arabic, before the import and after it", async ({
  open,
  folder,
}) => {
  const library = join(folder, "wrong");
  const zip = await zipOf({ "one.epub": await createTitledEpub("One", "es") });
  writeFiles(library, {
    "catalogue.csv": WRONG_ROWS.join("\n"),
    "well.txt": "El pozo.",
    "sea.pdf": "No es un PDF.",
    "packed.zip": zip,
    "notes.xyz": "?",
  });
  const page = await open("import", { locale: "ar" });
  const expectArabic = async (texts: readonly string[], count: number) => {
    expect(texts.filter((text) => !/\p{Script=Arabic}/u.test(text))).toEqual([]);
    expect(texts.length).toBeGreaterThanOrEqual(count);
  };
  await chooseFolder(page, library, "اختر مجلدًا");
  const cells = page.getByRole("region", { name: /^خلايا يجب تصحيحها/ });
  await expect(cells.getByRole("textbox")).toHaveCount(4);
  await expectArabic(await cells.locator(".mantine-TextInput-description").allTextContents(), 4);
  const reasons = page.getByRole("region", { name: /^متروك/ }).locator("p[dir=auto]");
  await expect(reasons.first()).toBeVisible();
  await expectArabic(await reasons.allTextContents(), 6);
  const inEnglish = page.getByText(/It contains|The file is|There is no/);
  await expect(inEnglish).toHaveCount(0);
  await test.step("by the names of files, too", async () => {
    await page.getByRole("combobox", { name: "الفهرس" }).selectOption("");
    await expect(cells).toHaveCount(0);
    await expectArabic(await reasons.allTextContents(), 2);
    await expect(inEnglish).toHaveCount(0);
    await page.getByRole("combobox", { name: "الفهرس" }).selectOption({ index: 0 });
    await expect(cells).toBeVisible();
  });
  await button(page, "تخزين ملف واحد").click();
  const result = page.getByRole("article").first();
  await expect(result.getByText("تم", { exact: true })).toBeVisible();
  await expectArabic(await result.getByRole("listitem").locator("p[dir=auto]").allTextContents(), 6);
});

test("books that were put together are one, and the spreadsheet of them makes the same", async ({
  scene,
  open,
  folder,
}) => {
  const library = join(folder, "books");
  await mkdir(library);
  await writeFile(join(library, "pozo.epub"), await createTitledEpub("El pozo", "es"));
  await writeFile(join(library, "well.epub"), await createTitledEpub("Well", "en"));
  writeFiles(library, { "notes.txt": "Notas.", "more.txt": "Más.", "pozo.es.txt": "Otra." });
  const page = await open("import");
  await chooseFolder(page, library);
  await test.step("the language of one is given to those like it", async () => {
    await page.getByRole("combobox", { name: "Language of books/more.txt" }).selectOption("es");
    await button(page, "Also for 1 file like it").click();
    await expect(page.getByRole("combobox", { name: "Language of books/notes.txt" })).toHaveValue("es");
    await expect(button(page, "Store 5 files")).toBeVisible();
  });
  await test.step("the book of the other is typed", async () => {
    await page.getByRole("textbox", { name: "Book of books/pozo.epub" }).fill("Well");
    await page.getByRole("checkbox", { name: "Store books/notes.txt" }).uncheck();
  });
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Save as a spreadsheet").click(),
  ]);
  const text = await readFile(await saved.path(), "utf8");
  await storeAll(page, "Store 4 files");
  const made = [
    ["El pozo", 1],
    ["More", 1],
    ["Well", 2],
  ];
  expect(await listBooks(scene)).toEqual(made);
  await expect(newest(page).getByText(/^\d+ files? (?:was|were) left out/)).toBeVisible();
  await test.step("with it, nothing is left to do", async () => {
    await writeFile(join(library, "catalogue.csv"), text);
    await chooseFolder(page, library);
    await expect(leftOut(page).getByText("No imported book of the catalogue names it.")).toBeVisible();
    await expect(button(page, "Store")).toBeDisabled();
  });
});
