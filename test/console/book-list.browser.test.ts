/** The list of books in the console: filters, selection, and what is done with many books at once. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { ANY_TITLE, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus, pressUntil } from "../support/keyboard.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(CHROMIUM === undefined)("the list of books (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function startWithPublications() {
    const scene = await startConsole();
    const admin = await scene.admin();
    const countPublished = async () => {
      const { body } = await admin.get("/api/admin/books?channel=website&publishedIn=es");
      return body.pagination.total;
    };
    return { ...scene, admin, countPublished };
  }

  it("publishes a language of the selected books on a channel after a preview, and undoes it", async () => {
    const scene = await startWithPublications();
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("checkbox", { name: "Select The Deep Well" }).click();
    await button(page, "Publish").click();
    await page.getByRole("combobox", { name: "Channel" }).selectOption("Website");
    await page.getByRole("combobox", { name: "Language" }).last().selectOption("Spanish");
    await button(page, "Preview").click();
    await page.getByText("1 book changes; 0 stay as they are.").waitFor();
    expect(await scene.countPublished()).toBe(0);
    await button(page, "Apply").click();
    await page.getByText("1 book was changed.").waitFor();
    expect(await scene.countPublished()).toBe(1);
    await button(page, "Undo").click();
    await expect.poll(scene.countPublished).toBe(0);
  });

  it("says of each book why it can't be published", async () => {
    const scene = await startWithPublications();
    await scene.admin.delete(`/api/admin/books/${scene.well.id}`);
    const page = await openConsole(browser, scene, "books?status=archived");
    await page.getByRole("checkbox", { name: "Select The Deep Well" }).click();
    await button(page, "Publish").click();
    await button(page, "Preview").click();
    await page.getByText("This book is archived. Restore it first.").waitFor();
    await expect.poll(() => button(page, "Apply").isDisabled()).toBe(true);
  });

  it("sets the series of books, and gives each its former one back, by keyboard alone", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const former = { name: "Wells", position: 3 };
    await admin.patch(`/api/admin/books/${scene.well.id}`, { series: former });
    const readSeries = async () => {
      const { body } = await admin.get("/api/admin/books");
      return body.books.map(({ series }: { series: unknown }) => series);
    };
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
    await page.keyboard.press("Control+a");
    await pressUntil(page, "Tab", button(page, "Set series"));
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page, page.getByRole("textbox", { name: "Series" }))).toBe(true);
    await page.keyboard.type("Water");
    await page.keyboard.press("Enter");
    await page.getByText("2 books change; 0 stay as they are.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("2 books were changed.").waitFor();
    expect(await readSeries()).toEqual([
      { name: "Water", position: null },
      { name: "Water", position: null },
    ]);
    // Under the pointer it stays.
    await button(page, "Undo").hover();
    await pressUntil(page, "Tab", button(page, "Undo"));
    await page.keyboard.press("Enter");
    await expect.poll(readSeries).toEqual([former, null]);
  });

  it("tags all books of a list with several pages, and undoes it, by keyboard alone", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const items = Array.from({ length: 58 }, (_, index) => ({ titleEn: `Book ${index}` }));
    for (const item of items) await scene.make.book(item.titleEn);
    const countTagged = async () => (await admin.get("/api/admin/books?tag=summer")).body.pagination.total;
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.getByText("50 books selected").waitFor();
    await pressUntil(page, "Tab", button(page, "Select all 60 books of this list"));
    await page.keyboard.press("Enter");
    await page.getByText("60 books selected").waitFor();
    await pressUntil(page, "Shift+Tab", button(page, "Change tags"));
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page, page.getByRole("textbox", { name: "Tags" }))).toBe(true);
    await page.keyboard.type("summer");
    await page.keyboard.press("Enter");
    await button(page, "Remove summer").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("60 books change; 0 stay as they are.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("60 books were changed.").waitFor();
    expect(await countTagged()).toBe(60);
    await button(page, "Undo").focus();
    await page.keyboard.press("Enter");
    await expect.poll(countTagged).toBe(0);
  });

  it("keeps the selection from page to page of one list, and drops it with another filter", async () => {
    const scene = await startConsole();
    for (let index = 0; index < 50; index += 1) await scene.make.book(`Book ${index}`);
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("checkbox", { name: "Select The Deep Well" }).click();
    await button(page, "Next page").click();
    await page.getByText("Page 2 of 2").waitFor();
    await page.getByRole("checkbox", { name: "Select Book 49" }).click();
    await page.getByText("2 books selected").waitFor();
    await page.getByRole("combobox", { name: "Status" }).selectOption("All");
    await page.getByText("books selected").waitFor({ state: "detached" });
  });

  it("stays with its selection when it can't be read again, and says so", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    const box = page.getByRole("checkbox", { name: "Select The Deep Well" });
    await box.click();
    await page.route(/\/api\/admin\/books\?/, (route) => route.fulfill({ status: 500, json: {} }));
    // Ten seconds later, a window that is looked at again reads again.
    await page.clock.install();
    await page.clock.fastForward(11_000);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("alert").getByText("The server is busy").waitFor();
    await expect.poll(() => box.isChecked()).toBe(true);
    await page.unroute(/\/api\/admin\/books\?/);
    await button(page, "Try again").click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await expect.poll(() => box.isChecked()).toBe(true);
  });

  it("finds the books that lack something in a language, with the filter in the address", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await button(page, "More filters").click();
    await page.getByRole("combobox", { name: "What is missing" }).selectOption("Translation");
    await page.getByText("Choose the language in which it is missing.").waitFor();
    await page.getByRole("combobox", { name: "Missing in" }).selectOption("Spanish");
    await page.waitForURL(/missing=translation&missingIn=es/);
    await page.getByText("1 book", { exact: true }).waitFor();
    await page.getByRole("link", { name: ANY_TITLE }).waitFor();
    await page.reload();
    await page.getByText("1 book", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: "Missing in" }).inputValue()).toBe("es");
  });

  it("combines channel, tag and language of readers", async () => {
    const scene = await startWithPublications();
    const { id } = await scene.make.channel("Radio");
    const { body } = await scene.admin.get("/api/admin/languages");
    const es = body.languages.find(({ code }: { code: string }) => code === "es");
    await scene.make.publish(scene.well.id, id, es.id);
    const page = await openConsole(browser, scene, "books");
    await button(page, "More filters").click();
    await page.getByRole("combobox", { name: "Published on" }).selectOption("Radio");
    await page.getByRole("combobox", { name: "Readers find it in" }).selectOption("Spanish");
    await page.getByRole("textbox", { name: "Tag" }).fill("WATER");
    await page.waitForURL(/tag=WATER/);
    await page.getByText("1 book", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Published on" }).selectOption("Website");
    await page.getByText("No book matches these filters.").waitFor();
    await button(page, "Clear the filters").click();
    await page.getByText("2 books", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Tag" }).inputValue()).toBe("");
  });

  it.each(["link", "browser"])(
    "leads back to the row of the book by the %s, in the same list",
    async (way) => {
      const scene = await startConsole();
      for (let index = 0; index < 60; index += 1) await scene.make.book(`Book ${index}`);
      const page = await openConsole(browser, scene, "books?search=book");
      await button(page, "Next page").click();
      const link = page.getByRole("link", { name: "Book 55" });
      await link.click();
      await page.getByRole("heading", { level: 1, name: "Book 55" }).waitFor();
      if (way === "browser") await page.goBack();
      else await page.getByRole("link", { name: "All books" }).click();
      await page.waitForURL(/books\?search=book&page=2/);
      await link.waitFor();
      await expect.poll(() => hasFocus(page, link)).toBe(true);
    },
  );
});
