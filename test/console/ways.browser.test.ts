/** Where the ways of the console lead: back, to the last page, to the top, and where the focus is afterwards. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

describe.skipIf(CHROMIUM === undefined)("the ways of the console (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  /** With so many more books. */
  async function startWithBooks(count: number) {
    const scene = await startConsole();
    const books = Array.from({ length: count }, (_, index) => ({ titleEn: `Book ${index + 1}` }));
    await (await scene.admin()).post("/api/admin/books/bulk", { books });
    return scene;
  }

  it("lead from a last page whose books are gone to the one that is the last then", async () => {
    const page = await openConsole(browser, await startWithBooks(49), "books?page=2");
    await page.getByRole("checkbox", { name: "Select Book 49" }).click();
    await button(page, "Archive").click();
    await page.getByText("50 books", { exact: true }).waitFor();
    await page.waitForURL(/books$/);
    await link(page, "Book 48").waitFor();
    await expect.poll(() => hasFocus(page, heading(page, "Books"))).toBe(true);
  });

  it("lead back to the page of a list, and in a new list to its top", async () => {
    const page = await openConsole(browser, await startWithBooks(60), "books");
    await button(page, "Next page").click();
    await link(page, "Book 60").waitFor();
    await page.goBack();
    await link(page, "Book 1").waitFor();
    await page.waitForURL(/books$/);
    await link(page, "Book 40").click();
    await heading(page, "Book 40").waitFor();
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await link(page, "Book 40").waitFor();
    await expect.poll(() => page.evaluate("scrollY")).not.toBe(0);
    // It is in the cache now.
    await link(page, "Book 40").click();
    await heading(page, "Book 40").waitFor();
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  });

  it("lead from a deleted book to the filtered list, and from an erased contact to one that doesn't name it", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    await (await scene.admin()).delete(`/api/admin/books/${scene.well.id}`);
    const page = await openConsole(browser, scene, "books?status=archived");
    await link(page, "The Deep Well").click();
    await button(page, "Delete for good").click();
    await page.getByRole("dialog").getByRole("textbox").fill("The Deep Well");
    await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
    await page.waitForURL(/books\?status=archived$/);
    await page.goto(`${scene.base}contacts?search=sara`);
    await link(page, "Sara Núñez").click();
    await button(page, "Erase").click();
    await page.getByRole("dialog").getByRole("textbox").fill("sara@example.org");
    await page.getByRole("dialog").getByRole("button", { name: "Erase" }).click();
    await page.waitForURL(/contacts$/);
  });

  it("say that a sub-language has more books than are listed, and that none is found", async () => {
    const scene = await startWithBooks(99);
    const { id: parentId } = await scene.make.language("fr");
    await scene.make.language("fr-CA", { parentId });
    const page = await openConsole(browser, scene, "languages");
    await button(page, "Books in Canadian French").click();
    await page.getByText("The first 100 of 101 books. Search for the others.").waitFor();
    await page.getByRole("dialog").getByRole("searchbox").fill("nothing like this");
    await page.getByText("No book has these words in its title.").waitFor();
  });
});
