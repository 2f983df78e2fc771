/** The list of books in the console: filters, selection, and what is done with many books at once. */
import type { Page } from "@playwright/test";
import { pressUntil } from "../../support/keyboard.ts";
import { expect, testOn } from "../fixtures.ts";
import { button, link } from "../support/locators.ts";
import { ANY_TITLE, TWO_PAGES, WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);
const testOnTwoPages = testOn(TWO_PAGES);

const box = (page: Page, title: string) => page.getByRole("checkbox", { name: `Select ${title}` });
const combobox = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });

/** Presses a button that is reached by Tab, or by another key. */
async function pressByKeyboard(page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab") {
  await pressUntil(page, key, button(page, name));
  await page.keyboard.press("Enter");
}

/** Applies what the preview says. */
async function apply(page: Page, preview: string, done: string, readUnchanged: () => Promise<void>) {
  await button(page, "Preview").click();
  await expect(page.getByText(preview)).toBeVisible();
  await readUnchanged();
  await button(page, "Apply").click();
  await expect(page.getByText(done)).toBeVisible();
}

/** @returns how many active books a filter finds */
const countBooks = async ({ admin }: WellScene, filter: string): Promise<number> =>
  (await (await admin()).get(`/api/admin/books?${filter}`)).body.pagination.total;

test("publishes selected books after a preview, and undoes it, or says why it can't", async ({
  scene,
  open,
}) => {
  const countPublished = () => countBooks(scene, "channel=website&publishedIn=es");
  const page = await open("books");
  await box(page, "The Deep Well").click();
  await button(page, "Publish").click();
  await combobox(page, "Channel").selectOption("Website");
  await combobox(page, "Language").last().selectOption("Spanish");
  await apply(page, "1 book changes; 0 stay as they are.", "1 book was changed.", async () =>
    expect(await countPublished()).toBe(0),
  );
  expect(await countPublished()).toBe(1);
  await button(page, "Undo").click();
  await expect.poll(countPublished).toBe(0);
  await (await scene.admin()).delete(`/api/admin/books/${scene.well.id}`);
  await page.goto(`${scene.base}books?status=archived`);
  await box(page, "The Deep Well").click();
  await button(page, "Publish").click();
  await button(page, "Preview").click();
  await expect(page.getByText("This book is archived. Restore it first.")).toBeVisible();
  await expect(button(page, "Apply")).toBeDisabled();
});

test("adds tags to selected books, archives a range of rows, and undoes both exactly", async ({
  scene,
  open,
}) => {
  const client = await scene.admin();
  const readTags = () =>
    Promise.all(
      [scene.well, scene.any].map(
        async ({ id }) => (await client.get(`/api/admin/books/${id}`)).body.book.tags,
      ),
    );
  const former = [["water"], []];
  const page = await open("books");
  await page.getByRole("checkbox", { name: "Select all books of this page" }).click();
  await button(page, "Change tags").click();
  await page.getByRole("textbox", { name: "Tags" }).fill("water, 2026");
  await apply(page, "2 books change; 0 stay as they are.", "2 books were changed.", async () =>
    expect(await readTags()).toEqual(former),
  );
  expect(await readTags()).toEqual([
    ["water", "2026"],
    ["water", "2026"],
  ]);
  await button(page, "Undo").click();
  await expect.poll(readTags).toEqual(former);
  await page.reload();
  await box(page, "The Deep Well").click();
  await box(page, ANY_TITLE).click({ modifiers: ["Shift"] });
  await page.getByRole("region", { name: "Selected books" }).getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("2 books were changed.")).toBeVisible();
  expect(await countBooks(scene, "status=active")).toBe(0);
  await button(page, "Undo").click();
  await expect.poll(() => countBooks(scene, "status=active")).toBe(2);
});

test("sets the series of books, and gives each its former one back, by keyboard", async ({ scene, open }) => {
  const client = await scene.admin();
  const former = { name: "Wells", position: 3 };
  await client.patch(`/api/admin/books/${scene.well.id}`, { series: former });
  const readSeries = async () =>
    (await client.get("/api/admin/books")).body.books.map(({ series }: { series: unknown }) => series);
  const page = await open("books");
  await expect(link(page, "The Deep Well")).toBeVisible();
  await page.keyboard.press("Control+a");
  await pressByKeyboard(page, "Set series");
  await expect(page.getByRole("textbox", { name: "Series" })).toBeFocused();
  await page.keyboard.type("Water");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 books change; 0 stay as they are.")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 books were changed.")).toBeVisible();
  const water = { name: "Water", position: null };
  expect(await readSeries()).toEqual([water, water]);
  // Under the pointer it stays.
  await button(page, "Undo").hover();
  await pressByKeyboard(page, "Undo");
  await expect.poll(readSeries).toEqual([former, null]);
});

testOnTwoPages(
  "keeps the selection from page to page of one list, and drops it with another filter",
  async ({ open }) => {
    const page = await open("books");
    await box(page, "The Deep Well").click();
    await button(page, "Next page").click();
    await expect(page.getByText("Page 2 of 2")).toBeVisible();
    await box(page, "Book 55").click();
    await expect(page.getByText("2 books selected")).toBeVisible();
    await combobox(page, "Status").selectOption("All");
    await expect(page.getByText("books selected")).toHaveCount(0);
  },
);

testOnTwoPages(
  "tags all books of a list with several pages, and undoes it, by keyboard",
  async ({ scene, open }) => {
    const countTagged = () => countBooks(scene, "tag=summer");
    const page = await open("books");
    await expect(link(page, "The Deep Well")).toBeVisible();
    await page.keyboard.press("Control+a");
    await expect(page.getByText("50 books selected")).toBeVisible();
    await pressByKeyboard(page, "Select all 60 books of this list");
    await expect(page.getByText("60 books selected")).toBeVisible();
    await pressByKeyboard(page, "Change tags", "Shift+Tab");
    await expect(page.getByRole("textbox", { name: "Tags" })).toBeFocused();
    await page.keyboard.type("summer");
    await page.keyboard.press("Enter");
    await expect(button(page, "Remove summer")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("60 books change; 0 stay as they are.")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("60 books were changed.")).toBeVisible();
    expect(await countTagged()).toBe(60);
    await button(page, "Undo").focus();
    await page.keyboard.press("Enter");
    await expect.poll(countTagged).toBe(0);
  },
);

testOnTwoPages(
  "is at the row of the book again after a way back by the link, or by the browser",
  async ({ open }) => {
    const page = await open("books?search=book");
    await button(page, "Next page").click();
    const row = link(page, "Book 57");
    for (const goBack of [() => link(page, "All books").click(), () => page.goBack()]) {
      await row.click();
      await expect(page.getByRole("heading", { level: 1, name: "Book 57" })).toBeVisible();
      await goBack();
      await expect(page).toHaveURL(/books\?search=book&page=2/);
      await expect(row).toBeVisible();
      await expect(row).toBeFocused();
    }
  },
);

test("finds books that lack something in a language, with the filter in the address", async ({ open }) => {
  const page = await open("books");
  await button(page, "More filters").click();
  await combobox(page, "What is missing").selectOption("Translation");
  await expect(page.getByText("Choose the language in which it is missing.")).toBeVisible();
  await combobox(page, "Missing in").selectOption("Spanish");
  await expect(page).toHaveURL(/missing=translation&missingIn=es/);
  await expect(page.getByText("1 book", { exact: true })).toBeVisible();
  await expect(link(page, ANY_TITLE)).toBeVisible();
  await page.reload();
  await expect(page.getByText("1 book", { exact: true })).toBeVisible();
  await expect(combobox(page, "Missing in")).toHaveValue("es");
});

test("finds books by channel, tag and language of readers together", async ({ scene, open }) => {
  const { id } = await scene.make.channel("Radio");
  const { body } = await (await scene.admin()).get("/api/admin/languages");
  const es = body.languages.find(({ code }: { code: string }) => code === "es");
  await scene.make.publish(scene.well.id, id, es.id);
  const page = await open("books");
  const tag = page.getByRole("textbox", { name: "Tag" });
  await button(page, "More filters").click();
  await combobox(page, "Published on").selectOption("Radio");
  await combobox(page, "Readers find it in").selectOption("Spanish");
  await tag.fill("WATER");
  await expect(page).toHaveURL(/tag=WATER/);
  await expect(page.getByText("1 book", { exact: true })).toBeVisible();
  await combobox(page, "Published on").selectOption("Website");
  await expect(page.getByText("No book matches these filters.")).toBeVisible();
  await button(page, "Clear the filters").click();
  await expect(page.getByText("2 books", { exact: true })).toBeVisible();
  await expect(tag).toHaveValue("");
});
