/** Authors and contributors in the console, on the page of a book and in the form of a language. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const role = (page: Page, line: number) =>
  page.getByRole("combobox", { name: `Role of contributor ${line}` });

describe.skipIf(CHROMIUM === undefined)("people of a book (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook(options = {}) {
    const scene = await startConsole();
    const admin = await scene.admin();
    const path = `/api/admin/books/${scene.well.id}`;
    const page = await openConsole(browser, scene, `books/${scene.well.id}`, options);
    const read = async () => (await admin.get(path)).body;
    const readEdition = async () => (await read()).translations[0];
    return { ...scene, admin, page, path, read, readEdition };
  }

  it("are added to an edition with their roles, by keyboard alone", async () => {
    const { page, readEdition } = await openBook();
    await button(page, "Edit Spanish").press("Enter");
    for (const [index, [name, as]] of [
      ["Ben Okoro", "translator"],
      ["نور", "narrator"],
    ].entries()) {
      await button(page, "Add a contributor").press("Enter");
      await expect.poll(() => hasFocus(page, field(page, `Contributor ${index + 1}`))).toBe(true);
      await page.keyboard.type(name ?? "");
      await page.keyboard.press("Tab");
      await page.keyboard.type(as ?? "");
    }
    // An empty line is nobody.
    await button(page, "Add a contributor").press("Enter");
    await button(page, "Save").last().press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await readEdition()).contributors).toEqual([
      { name: "Ben Okoro", role: "translator" },
      { name: "نور", role: "narrator" },
    ]);
    await button(page, "Edit Spanish").click();
    await expect.poll(() => field(page, "Contributor 2").inputValue()).toBe("نور");
    await expect.poll(() => role(page, 2).inputValue()).toBe("narrator");
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });

  it("are put into another order and removed; the focus stays with the line", async () => {
    const { page, admin, path, readEdition } = await openBook();
    const contributors = ["One", "Two", "Three"].map((name) => ({ name, role: "editor" }));
    await admin.post(`${path}/translations`, { languageCode: "es", title: "El pozo", contributors });
    await page.reload();
    await button(page, "Edit Spanish").click();
    await button(page, "Move Contributor 3 up").press("Enter");
    await expect.poll(() => hasFocus(page, button(page, "Move Contributor 2 up"))).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page, field(page, "Contributor 1"))).toBe(true);
    await expect.poll(() => field(page, "Contributor 1").inputValue()).toBe("Three");
    await button(page, "Remove Contributor 2").press("Enter");
    await expect.poll(() => hasFocus(page, button(page, "Remove Contributor 2"))).toBe(true);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page, button(page, "Add a contributor"))).toBe(true);
    await button(page, "Save").last().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await readEdition()).contributors).toEqual([]);
  });

  it("keep what was typed and show what the service rejects at the field", async () => {
    const { page, readEdition } = await openBook();
    await button(page, "Edit Spanish").click();
    await button(page, "Add a contributor").click();
    await button(page, "Add a contributor").click();
    await field(page, "Contributor 1").fill("Ben Okoro");
    await role(page, 2).fill("translator");
    await button(page, "Save").last().click();
    await expect.poll(() => field(page, "Contributor 2").getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => field(page, "Contributor 1").getAttribute("aria-invalid")).toBe(null);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await field(page, "Contributor 2").fill("Ana");
    await button(page, "Save").last().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await readEdition()).contributors).toHaveLength(2);
  });

  it("are authors of the book, whose names can have commas", async () => {
    const { page, admin, path, read } = await openBook();
    await admin.patch(path, { authors: ["Okoro, Ben", "Núñez, Ana"] });
    await page.reload();
    await button(page, "Move Author 2 up").click();
    await button(page, "Add an author").click();
    await page.keyboard.type("King, Martin Luther, Jr.");
    await page.keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await read()).book.authors).toEqual(["Núñez, Ana", "Okoro, Ben", "King, Martin Luther, Jr."]);
  });

  it("of two editors are joined as one field", async () => {
    const { page, admin, path, read } = await openBook();
    await field(page, "Title").fill("The Deeper Well");
    await admin.patch(path, { authors: ["Ana", "Ben"] });
    await button(page, "Save").click();
    await page.getByText("Someone else saved this while you typed").waitFor();
    await page.getByRole("cell", { name: "Ana Ben" }).waitFor();
    await button(page, "Join and save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await read()).book).toMatchObject({ titleEn: "The Deeper Well", authors: ["Ana", "Ben"] });
    await expect.poll(() => field(page, "Author 2").inputValue()).toBe("Ben");
  });

  it("have Arabic names for their roles", async () => {
    const { page } = await openBook({ locale: "ar" });
    await button(page, "عدّل الإسبانية").click();
    await button(page, "إضافة مساهم").click();
    await page.locator("option[value=translator][label=مترجم]").first().waitFor({ state: "attached" });
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });

  it("of a language stand beside its files and channels", async () => {
    const { page, read } = await openBook();
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      dialog.getByRole("button", { name: "Add a file in Spanish" }).click(),
    ]);
    await chooser.setFiles({ name: "uno.html", mimeType: "text/html", buffer: Buffer.from("<p>Uno</p>") });
    await dialog.getByText("uno.html").waitFor();
    await dialog.getByRole("button", { name: "Publish in Spanish on Website" }).click();
    await dialog.getByRole("button", { name: "Publish in Spanish on Website", pressed: true }).waitFor();
    const { files, publications } = await read();
    expect([files.length, publications.length]).toEqual([2, 1]);
  });
});
