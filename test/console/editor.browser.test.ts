/** What an editor does beside the tasks that are shown by mouse and by keyboard, checked in the service afterwards. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { ANY_TITLE, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { openRowMenu } from "../support/row-menu.ts";

const title = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });

describe.skipIf(CHROMIUM === undefined)("an editor (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("archives a book, undoes it, and finds its file active as before", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByText("This book is archived").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("This book is archived").waitFor({ state: "detached" });
    const { body } = await (await scene.admin()).get(`/api/admin/books/${scene.well.id}`);
    expect(body.book.isActive).toBe(1);
    expect(body.files[0].isActive).toBe(1);
  });

  it("adds a tag to the selected books after a preview, and undoes it exactly", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const readTags = async () => {
      const ids = [scene.well.id, scene.any.id];
      return Promise.all(ids.map(async (id) => (await admin.get(`/api/admin/books/${id}`)).body.book.tags));
    };
    await expect.poll(readTags).toEqual([["water"], []]);
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("checkbox", { name: "Select all books of this page" }).click();
    await page.getByRole("button", { name: "Change tags" }).click();
    await page.getByRole("textbox", { name: "Tags" }).fill("water, 2026");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("2 books change; 0 stay as they are.").waitFor();
    await expect.poll(readTags).toEqual([["water"], []]);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("2 books were changed.").waitFor();
    await expect.poll(readTags).toEqual([
      ["water", "2026"],
      ["water", "2026"],
    ]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(readTags).toEqual([["water"], []]);
  });

  it("archives the books between two rows that are selected with Shift, and undoes it", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const countActive = async () => (await admin.get("/api/admin/books?status=active")).body.pagination.total;
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("checkbox", { name: "Select The Deep Well" }).click();
    await page.getByRole("checkbox", { name: `Select ${ANY_TITLE}` }).click({ modifiers: ["Shift"] });
    await page
      .getByRole("region", { name: "Selected books" })
      .getByRole("button", { name: "Archive" })
      .click();
    await page.getByText("2 books were changed.").waitFor();
    expect(await countActive()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(countActive).toBe(2);
  });

  it("deletes an archived book for good only after the title was typed", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    await admin.delete(`/api/admin/books/${scene.well.id}`);
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    await page.getByRole("button", { name: "Delete for good" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete for good" });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await page.getByRole("dialog").getByRole("textbox").fill("The Deep Well");
    await confirm.click();
    await page.waitForURL(/books$/);
    expect((await admin.get(`/api/admin/books/${scene.well.id}`)).status).toBe(404);
  });

  it("adds a book, a translation and a file", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("button", { name: "Add a book" }).click();
    await page.getByRole("textbox", { name: "Title in English" }).fill("Stars");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Stars" }).waitFor();
    await page.getByRole("combobox", { name: "Add a language" }).selectOption("es");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Edit Spanish" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Estrellas");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: /Estrellas/ }).waitFor();
    // It has a button of the same name.
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const entry = await openRowMenu(page, "Add a file in Spanish");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), entry.click()]);
    await chooser.setFiles({
      name: "estrellas.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Uno, dos"),
    });
    await page.getByText("estrellas.txt was added.").waitFor();
    const published = await scene.api.get("/api/books?languageCode=es&search=estrellas");
    expect(published.body.books).toHaveLength(1);
  });

  it("sees the reason where the service rejects a value", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "channels");
    await page.getByRole("button", { name: "Add a channel" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Newsletter");
    await page.getByRole("textbox", { name: "Web address" }).fill("not an address");
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Web address" });
    await page.locator("[aria-invalid=true]").waitFor();
    await expect.poll(() => field.inputValue()).toBe("not an address");
  });

  it("keeps what was typed when the book can't be read again", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.fill("The Deeper Well");
    await page.route(`**/api/admin/books/${scene.well.id}`, (route) =>
      route.fulfill({ status: 500, json: {} }),
    );
    // Ten seconds later, a window that is looked at again reads again.
    await page.clock.install();
    await page.clock.fastForward(11_000);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("alert").getByText("The server is busy").waitFor();
    await expect.poll(() => title.inputValue()).toBe("The Deeper Well");
  });

  it("is asked before unsaved changes are lost", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    await title(page).fill("Unsaved");
    await page.getByRole("link", { name: "Languages" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await expect.poll(() => title(page).inputValue()).toBe("Unsaved");
  });

  it("who may only look is offered no change", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("viewer");
    const page = await openConsole(browser, { ...scene, email }, `books/${scene.well.id}`);
    await page.getByRole("cell", { name: /El pozo profundo/ }).waitFor();
    await page.getByRole("definition").getByText("The Deep Well").waitFor();
    await expect.poll(() => page.locator("#content").locator("button, input, textarea").count()).toBe(0);
  });
});
