/** One book in the console: what readers of each language find, its details, its neighbours and its archive. */
import type { Page } from "@playwright/test";
import { pressUntil } from "../../support/keyboard.ts";
import { openRowMenu } from "../../support/row-menu.ts";
import { expect, testOn } from "../fixtures.ts";
import { chooseFile } from "../support/choose-file.ts";
import { button, field, heading, link } from "../support/locators.ts";
import { TWO_PAGES, WELL, type WellScene } from "../support/scenes.ts";
import { openWell } from "../support/well.ts";

const test = testOn(WELL);
const testOnTwoPages = testOn(TWO_PAGES);

const asReader = (page: Page) => page.getByRole("combobox", { name: "As a reader of" });

const textFile = (name: string, text: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

async function idOfLanguage({ admin }: WellScene, code: string): Promise<number> {
  const { body } = await (await admin()).get("/api/admin/languages");
  return body.languages.find((language: { code: string }) => language.code === code).id;
}

async function addLanguage(page: Page, name: string) {
  await page.getByRole("combobox", { name: "Add a language" }).selectOption(name);
  await button(page, "Add").click();
}

test("shows what readers of a language find, and what is missing until they do", async ({ scene, open }) => {
  const { page, read } = await openWell(scene, open);
  const isFound = page.getByText("Readers of this language find this book.");
  await expect(isFound).toBeVisible();
  await test.step("on which channels", async () => {
    await button(page, "Publish in Spanish on Website").click();
    await expect(page.getByText("On these channels: Website.")).toBeVisible();
    await button(page, "Undo").click();
    await expect.poll(async () => (await read()).publications).toEqual([]);
    await expect(page.getByText("It is on no channel in this language")).toBeVisible();
  });
  await test.step("a language and its file", async () => {
    await asReader(page).selectOption("Arabic");
    await expect(page).toHaveURL(/readers=ar/);
    await expect(page.getByText("There is no file in this language.")).toBeVisible();
    await addLanguage(page, "Arabic");
    await chooseFile(await openRowMenu(page, "Add a file in Arabic", "Arabic"), textFile("bir.txt", "bir"));
    await expect(isFound).toBeVisible();
    await expect(page.getByText("They see the English title.")).toBeVisible();
    expect((await read()).publishedLanguages).toEqual(["ar", "es"]);
  });
  await (await openRowMenu(page, "What readers see")).click();
  await expect(page).toHaveURL(/readers=es#readers/);
  await expect(asReader(page)).toHaveValue("es");
});

test("sets when readers get it, in the time of the browser, and names the date everywhere", async ({
  scene,
  open,
}) => {
  const { page, read } = await openWell(scene, open);
  const from = page.getByLabel("Readers get it from");
  await from.fill("2099-04-01T12:00");
  await button(page, "Save").click();
  const publishAt = await page.evaluate(() => new Date("2099-04-01T12:00").toISOString());
  await expect.poll(async () => (await read()).book.publishAt).toBe(publishAt);
  await expect(page.getByText("It begins later: see its dates.")).toBeVisible();
  await test.step("an end before it is an error of its field", async () => {
    await page.getByLabel("Readers get it until").fill("2098-01-01T12:00");
    await button(page, "Save").click();
    await expect(page.getByLabel("Readers get it until")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Readers get it until").fill("");
  });
  await test.step("the list", async () => {
    await link(page, "All books").click();
    await expect(page.getByRole("row", { name: /Well/ }).getByText(/^from .*2099/)).toBeVisible();
  });
});

test("names every reason why readers don't find it: archive, language and file", async ({ scene, open }) => {
  const { page, client, path } = await openWell(scene, open);
  await client.patch(`/api/admin/languages/${await idOfLanguage(scene, "ar")}`, { isActive: false });
  await client.delete(path);
  await asReader(page).selectOption("Arabic");
  await expect(page.getByText("The book is archived. Restore it above.")).toBeVisible();
  await expect(page.getByText("There is no file in this language.")).toBeVisible();
  await link(page, "Make it active on the page of languages").click();
  await expect(heading(page, "Languages")).toBeVisible();
});

test("has in a sub-language what its parent has, unless it is hidden there", async ({ scene, open }) => {
  const { make, well, api } = scene;
  const client = await scene.admin();
  const parentId = await idOfLanguage(scene, "es");
  const ownNames = { name: undefined, nativeName: undefined };
  const { id } = await make.language("es-MX", { ...ownNames, parentId });
  const [channel] = (await client.get("/api/admin/channels")).body.channels;
  await make.publish(well.id, channel.id, parentId);
  await client.post(`/api/admin/books/${well.id}/translations`, { languageCode: "es-MX", title: "El pozo" });
  await make.override(id, well.id, false);
  const page = await open(`books/${well.id}?readers=es-MX`);
  await expect(page.getByText("Website (as Spanish)")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Publish in Mexican/ })).toHaveCount(0);
  await expect(page.getByText("The book is hidden in this sub-language.")).toBeVisible();
  await link(page, "Show it on the page of languages").click();
  await button(page, "Books in Mexican Spanish").click();
  const decision = page.getByRole("combobox", { name: "In this language: The Deep Well" });
  await expect(decision).toHaveValue("hide");
  await decision.selectOption("As in the parent");
  await expect(page.getByText("Readers find it", { exact: true })).toBeVisible();
  expect((await api.get("/api/books?languageCode=es-MX")).body.books).toHaveLength(1);
});

test("takes a number only with its series, and shows who changed what", async ({ scene, open }) => {
  const { page, read } = await openWell(scene, open);
  const series = field(page, "Series");
  await page.getByRole("spinbutton", { name: "Number in the series" }).fill("3");
  await button(page, "Save").click();
  await expect(page.getByText("Name the series of this number.")).toBeVisible();
  await expect(series).toHaveAttribute("aria-invalid", "true");
  await series.fill("Wells");
  await button(page, "Save").click();
  await expect.poll(async () => (await read()).book.series).toEqual({ name: "Wells", position: 3 });
  await series.fill("");
  await field(page, "Title").fill("The Deeper Well");
  await page.keyboard.press("Control+s");
  await expect
    .poll(async () => (await read()).book)
    .toMatchObject({ series: null, titleEn: "The Deeper Well" });
  await button(page, "Show the history").click();
  await expect(page.locator("ins", { hasText: "Deeper" })).toBeVisible();
  await page.getByRole("combobox", { name: "Changes of" }).selectOption("Translation: Spanish");
});

test("is archived and restored with its file, each with an undo", async ({ scene, open }) => {
  const { page, read } = await openWell(scene, open);
  const readActive = async () => {
    const { book, files } = await read();
    return [book.isActive, files[0].isActive];
  };
  await button(page, "Archive").click();
  await expect(page.getByText("The book was archived.")).toBeVisible();
  await expect(page.getByText("This book is archived")).toBeVisible();
  expect((await readActive())[0]).toBe(0);
  await button(page, "Undo").click();
  await expect(page.getByText("This book is archived")).toBeHidden();
  expect(await readActive()).toEqual([1, 1]);
  await button(page, "Archive").click();
  await button(page, "Restore").click();
  await expect(page.getByText("The book was restored.")).toBeVisible();
  expect(await readActive()).toEqual([1, 1]);
  await button(page, "Undo").last().click();
  await expect.poll(async () => (await readActive())[0]).toBe(0);
});

test("is added with a translation, its credits and a file", async ({ scene, open }) => {
  const page = await open("books");
  await button(page, "Add a book").click();
  await field(page, "Title in English").fill("Stars");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Stars")).toBeVisible();
  await addLanguage(page, "Spanish");
  await button(page, "Edit Spanish").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Title" }).fill("Estrellas");
  for (const [index, name] of ["أنا", "بن"].entries()) {
    await dialog.getByRole("button", { name: "Add an author" }).click();
    await dialog.getByRole("textbox", { name: `Author ${index + 1}` }).fill(name);
  }
  await dialog.getByRole("textbox", { name: "Licence" }).fill("CC-BY-4.0");
  await page.keyboard.press("Enter");
  // It has a button of the same name.
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("cell", { name: /Estrellas/ })).toBeVisible();
  await chooseFile(await openRowMenu(page, "Add a file in Spanish"), textFile("estrellas.txt", "Uno, dos"));
  await expect(page.getByText("estrellas.txt was added.")).toBeVisible();
  const { body } = await scene.api.get("/api/books?languageCode=es&search=estrellas");
  expect(body.books).toHaveLength(1);
  const details = (await (await scene.admin()).get(`/api/admin/books/${body.books[0].id}`)).body;
  const translation = { languageCode: "es", authors: ["أنا", "بن"], license: "CC-BY-4.0" };
  expect(details.translations).toContainEqual(expect.objectContaining(translation));
});

testOnTwoPages(
  "leads to its neighbours in the list, across pages, and back to the list",
  async ({ open }) => {
    const page = await open("books?tag=row");
    await link(page, "Book 52").click();
    await expect(heading(page, "Book 52")).toBeVisible();
    await link(page, "Next book").click();
    await expect(heading(page, "Book 53")).toBeVisible();
    await link(page, "Previous book").click();
    await expect(heading(page, "Book 52")).toBeVisible();
    await link(page, "Next book").click();
    await expect(heading(page, "Book 53")).toBeVisible();
    await asReader(page).selectOption("Arabic");
    await expect(page).toHaveURL(/readers=ar/);
    await link(page, "All books").click();
    await expect(page).toHaveURL(/books\?tag=row&page=2$/);
  },
);

testOnTwoPages(
  "is saved, and the next one opened, by keyboard, also when it leaves the list by that",
  async ({ scene, open }) => {
    const page = await open("books?tag=row");
    await link(page, "Book 52").click();
    await expect(heading(page, "Book 52")).toBeVisible();
    await button(page, "Remove row").click();
    await pressUntil(page, "Tab", button(page, "Save and next"));
    await page.keyboard.press("Enter");
    await expect(heading(page, "Book 53")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const { body } = await (await scene.admin()).get("/api/admin/books?tag=row");
    expect(body.pagination.total).toBe(57);
  },
);
