/** One book in the console: its languages with files, channels and covers, its readers, its neighbours and its history. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, openWell, startConsole, useBrowser } from "../support/console-scene.ts";
import { createPicture } from "../support/covers.ts";
import { pressUntil } from "../support/keyboard.ts";
import { openRowMenu } from "../support/row-menu.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const title = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });

async function choose(page: Page, opener: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  const entry = await openRowMenu(page, opener, opener.endsWith("Arabic") ? "Arabic" : "Spanish");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), entry.click()]);
  await chooser.setFiles(file);
}

const textFile = (name: string, text: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

/** A file that is dragged from elsewhere to the heading of the page's languages. */
async function startDrag(page: Page, name: string, text: string) {
  const file = join(createTempFolder(), name);
  await writeFile(file, text);
  const session = await page.context().newCDPSession(page);
  const box = await page.getByRole("heading", { name: "Languages and files" }).boundingBox();
  if (!box) throw new Error("the page has no languages");
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  return (type: "dragEnter" | "dragOver" | "drop") =>
    session.send("Input.dispatchDragEvent", {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data,
    });
}

describe.skipIf(CHROMIUM === undefined)("the page of a book (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  const openBook = () => openWell(browser);

  describe("channels", () => {
    it("shows on which channels readers find a language", async () => {
      const { page, read } = await openBook();
      await button(page, "Publish in Spanish on Website").click();
      await page.getByText("On these channels: Website.").waitFor();
      await button(page, "Undo").click();
      await expect.poll(async () => (await read()).publications).toEqual([]);
      await page.getByText("It is on no channel in this language").waitFor();
    });

    it("shows what a sub-language has from its parent, and offers no change of it", async () => {
      const scene = await startConsole();
      const admin = await scene.admin();
      const languages = (await admin.get("/api/admin/languages")).body.languages;
      const es = languages.find(({ code }: { code: string }) => code === "es");
      await scene.make.language("es-MX", { parentId: es.id });
      const [channel] = (await admin.get("/api/admin/channels")).body.channels;
      await scene.make.publish(scene.well.id, channel.id, es.id);
      await admin.post(`/api/admin/books/${scene.well.id}/translations`, {
        languageCode: "es-MX",
        title: "El pozo",
      });
      const page = await openConsole(browser, scene, `books/${scene.well.id}`);
      await page.getByText("Website (as Spanish)").waitFor();
      await expect.poll(() => page.getByRole("button", { name: /^Publish in Mexican/ }).count()).toBe(0);
    });
  });

  describe("readers", () => {
    const asReader = (page: Page) => page.getByRole("combobox", { name: "As a reader of" });

    it("sees why readers of a language don't find the book, and mends it", async () => {
      const { page, admin, well } = await openBook();
      await page.getByText("Readers of this language find this book.").waitFor();
      await asReader(page).selectOption("Arabic");
      await page.waitForURL(/readers=ar/);
      await page.getByText("There is no file in this language.").waitFor();
      await page.getByRole("combobox", { name: "Add a language" }).selectOption("ar");
      await button(page, "Add").click();
      await choose(page, "Add a file in Arabic", textFile("bir.txt", "bir"));
      await page.getByText("Readers of this language find this book.").waitFor();
      await page.getByText("They see the English title.").waitFor();
      expect((await admin.get(`/api/admin/books/${well.id}`)).body.publishedLanguages).toEqual(["ar", "es"]);
    });

    it("names every reason: an archived book, an inactive language and a missing file", async () => {
      const { page, admin, well } = await openBook();
      const { body } = await admin.get("/api/admin/languages");
      const ar = body.languages.find(({ code }: { code: string }) => code === "ar");
      await admin.patch(`/api/admin/languages/${ar.id}`, { isActive: false });
      await admin.delete(`/api/admin/books/${well.id}`);
      await asReader(page).selectOption("Arabic");
      await page.getByText("The book is archived. Restore it above.").waitFor();
      await page.getByText("There is no file in this language.").waitFor();
      await page.getByRole("link", { name: "Make it active on the page of languages" }).click();
      await page.getByRole("heading", { level: 1, name: "Languages" }).waitFor();
    });

    it("shows a book again that is hidden in a sub-language", async () => {
      const scene = await startConsole();
      const { body } = await (await scene.admin()).get("/api/admin/languages");
      const es = body.languages.find(({ code }: { code: string }) => code === "es");
      const { id } = await scene.make.language("es-MX", { parentId: es.id });
      await scene.make.override(id, scene.well.id, false);
      const page = await openConsole(browser, scene, `books/${scene.well.id}?readers=es-MX`);
      await page.getByText("The book is hidden in this sub-language.").waitFor();
      await page.getByRole("link", { name: "Show it on the page of languages" }).click();
      await button(page, "Books in Mexican Spanish").click();
      const decision = page.getByRole("combobox", { name: "In this language: The Deep Well" });
      await expect.poll(() => decision.inputValue()).toBe("hide");
      await decision.selectOption("As in the parent");
      await page.getByText("Readers find it", { exact: true }).waitFor();
      expect((await scene.api.get("/api/books?languageCode=es-MX")).body.books).toHaveLength(1);
    });

    it("leads from the row of a language to what its readers see", async () => {
      const { page } = await openBook();
      await (await openRowMenu(page, "What readers see")).click();
      await page.waitForURL(/readers=es#readers/);
      await expect.poll(() => asReader(page).inputValue()).toBe("es");
    });
  });

  it("leads back to the list from which it was opened, also after another choice of readers", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books?tag=water");
    await page.getByRole("link", { name: "The Deep Well" }).click();
    await page.getByRole("combobox", { name: "As a reader of" }).selectOption("Arabic");
    await page.waitForURL(/readers=ar/);
    await page.getByRole("link", { name: "All books" }).click();
    await page.waitForURL(/books\?tag=water$/);
  });

  it("takes a number only with its series, and lets a series be removed with its number", async () => {
    const { page, read } = await openBook();
    const series = page.getByRole("textbox", { name: "Series", exact: true });
    await page.getByRole("spinbutton", { name: "Number in the series" }).fill("3");
    await button(page, "Save").click();
    await page.getByText("Name the series of this number.").waitFor();
    await expect.poll(() => series.getAttribute("aria-invalid")).toBe("true");
    await series.fill("Wells");
    await button(page, "Save").click();
    await expect.poll(async () => (await read()).book.series).toEqual({ name: "Wells", position: 3 });
    await series.fill("");
    await button(page, "Save").click();
    await expect.poll(async () => (await read()).book.series).toBe(null);
  });

  describe("files", () => {
    it("replaces a file, whose id and links stay", async () => {
      const { page, read } = await openBook();
      const [before] = (await read()).files;
      await choose(page, "Replace book.txt", textFile("book.txt", "Otra vez"));
      await page.getByText("book.txt was replaced.").waitFor();
      const [after] = (await read()).files;
      expect(after.id).toBe(before.id);
      expect(after.sha256).not.toBe(before.sha256);
    });

    it("takes a file of another format that is dropped on a language", async () => {
      const { page, read } = await openBook();
      const cell = page
        .getByRole("row", { name: /Spanish/ })
        .getByRole("cell")
        .nth(0);
      const transfer = await page.evaluateHandle(
        "(() => { const data = new DataTransfer(); data.items.add(new File(['<p>Uno</p>'], 'uno.html')); return data; })()",
      );
      await cell.dispatchEvent("dragover", { dataTransfer: transfer });
      await cell.dispatchEvent("drop", { dataTransfer: transfer });
      await page.getByText("uno.html was added.").waitFor();
      await expect.poll(() => page.getByText("1 of 1 file is examined.").count()).toBe(0);
      await expect.poll(() => page.getByText("Drop files to add them to this book").count()).toBe(0);
      await page.getByRole("columnheader", { name: "HTML" }).waitFor();
      expect((await read()).files.map(({ fileType }: { fileType: string }) => fileType).sort()).toEqual([
        "html",
        "txt",
      ]);
    });

    it("are taken by the whole page of the book, which says so", async () => {
      const { page, read } = await openBook();
      const drag = await startDrag(page, "uno.html", "<p>Uno</p>");
      await drag("dragEnter");
      await drag("dragOver");
      await page.getByText("Drop files to add them to this book").waitFor();
      expect(await findAccessibilityErrors(page)).toEqual([]);
      await drag("drop");
      await page.getByText("Drop files to add them to this book").waitFor({ state: "detached" });
      await page.getByText("1 of 1 file is examined.").waitFor();
      await page.getByRole("combobox", { name: "Language of uno.html" }).selectOption("Spanish");
      await button(page, "Store 1 file").click();
      await page.getByText("1 file was stored.").waitFor();
      const fileTypes = async () =>
        (await read()).files.map(({ fileType }: { fileType: string }) => fileType).sort();
      expect(await fileTypes()).toEqual(["html", "txt"]);
    });

    it("removes a file only after a word about what that means", async () => {
      const { page, read } = await openBook();
      await (await openRowMenu(page, "Remove the file book.txt")).click();
      await page.getByText("It can't be undone.").waitFor();
      expect((await read()).files).toHaveLength(1);
      await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
      await page.getByText("The file was removed.").waitFor();
      expect((await read()).files.filter(({ isActive }: { isActive: number }) => isActive)).toEqual([]);
    });

    it("sees the reason where the service rejects a file", async () => {
      const { page } = await openBook();
      await choose(page, "Replace book.txt", { ...textFile("book.txt", ""), buffer: Buffer.alloc(0) });
      await page.getByText("book.txt wasn't stored").waitFor();
    });
  });

  it("adds a translation with its credits and its cover in one place", async () => {
    const { page, read } = await openBook();
    await page.getByRole("combobox", { name: "Add a language" }).selectOption("ar");
    await button(page, "Add").click();
    await button(page, "Edit Arabic").click();
    const dialog = page.getByRole("dialog");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      dialog.getByRole("button", { name: "Choose a cover" }).click(),
    ]);
    const buffer = await createPicture("green");
    await chooser.setFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer });
    await dialog.getByRole("img", { name: "Cover in Arabic" }).waitFor();
    await dialog.getByRole("textbox", { name: "Title" }).fill("البئر العميقة");
    for (const [index, name] of ["أنا", "بن"].entries()) {
      await dialog.getByRole("button", { name: "Add an author" }).click();
      await dialog.getByRole("textbox", { name: `Author ${index + 1}` }).fill(name);
    }
    await dialog.getByRole("textbox", { name: "Licence" }).fill("CC-BY-4.0");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const { translations, covers } = await read();
    expect(translations).toContainEqual(
      expect.objectContaining({ languageCode: "ar", authors: ["أنا", "بن"], license: "CC-BY-4.0" }),
    );
    expect(covers.map(({ languageCode }: { languageCode: string }) => languageCode)).toEqual(["ar"]);
  });

  describe("neighbours", () => {
    async function openSecond() {
      const scene = await startConsole();
      for (let index = 0; index < 60; index += 1) await scene.make.book(`Book ${index}`, { tags: ["row"] });
      const page = await openConsole(browser, scene, "books?tag=row");
      await page.getByRole("link", { name: "Book 49", exact: true }).click();
      return { ...scene, page };
    }

    const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

    it("leads to the books before and after in the list, across its pages", async () => {
      const { page } = await openSecond();
      await heading(page, "Book 49").waitFor();
      await page.getByRole("link", { name: "Next book" }).click();
      await heading(page, "Book 50").waitFor();
      await page.getByRole("link", { name: "Previous book" }).click();
      await heading(page, "Book 49").waitFor();
      await page.getByRole("link", { name: "Next book" }).click();
      await heading(page, "Book 50").waitFor();
      await page.getByRole("link", { name: "All books" }).click();
      await page.waitForURL(/tag=row&page=2/);
    });

    it("saves and goes on by keyboard, also when the book leaves the list by that", async () => {
      const { page, admin } = await openSecond();
      await heading(page, "Book 49").waitFor();
      await button(page, "Remove row").click();
      await pressUntil(page, "Tab", button(page, "Save and next"));
      await page.keyboard.press("Enter");
      await heading(page, "Book 50").waitFor();
      expect((await (await admin()).get("/api/admin/books?tag=row")).body.pagination.total).toBe(59);
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    });
  });

  it("is archived and restored, each with an undo", async () => {
    const { page, read } = await openBook();
    const isActive = async () => (await read()).book.isActive;
    await button(page, "Archive").click();
    await page.getByText("The book was archived.").waitFor();
    expect(await isActive()).toBe(0);
    await button(page, "Undo").click();
    await button(page, "Archive").waitFor();
    await button(page, "Archive").click();
    await button(page, "Restore").click();
    await page.getByText("The book was restored.").waitFor();
    expect(await isActive()).toBe(1);
    await button(page, "Undo").last().click();
    await expect.poll(isActive).toBe(0);
  });

  it("shows who changed what, before and after", async () => {
    const { page } = await openBook();
    await title(page).fill("The Deeper Well");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    await button(page, "Show the history").click();
    await page.locator("ins", { hasText: "Deeper" }).waitFor();
    await page.getByRole("combobox", { name: "Changes of" }).selectOption("Translation: Spanish");
  });
});
