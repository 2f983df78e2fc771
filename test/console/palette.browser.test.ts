/** What the palette does besides leading to pages and books: contacts, filters that have a name, and actions. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { type ConsoleScene, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const box = (page: Page) => page.getByRole("dialog").getByRole("combobox");
const option = (page: Page, name: string) => page.getByRole("dialog").getByRole("option", { name });

async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect.poll(() => hasFocus(page, box(page))).toBe(true);
  await page.keyboard.type(words);
}

const openAs = async (browser: Parameters<typeof openConsole>[0], scene: ConsoleScene, role: "viewer") => {
  const { email } = await scene.make.user(role);
  return openConsole(browser, { ...scene, email }, "books");
};

describe.skipIf(CHROMIUM === undefined)("the palette (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("opens the form of a new record on its page, and gives the focus back", async () => {
    const page = await openConsole(browser, await startConsole(), "books");
    await find(page, "add chan");
    await option(page, "Add a channel").waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await heading(page, "Channels").waitFor();
    const dialog = page.getByRole("dialog", { name: "Add a channel" });
    await dialog.waitFor();
    const { x, width } = (await dialog.boundingBox()) ?? { x: 0, width: 0 };
    expect(Math.abs(x + width / 2 - (page.viewportSize()?.width ?? 0) / 2)).toBeLessThan(10);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goBack();
    await heading(page, "Books").waitFor();
    await page.goForward();
    await heading(page, "Channels").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it.each([
    ["add a book", "Add a book"],
    ["add lang", "Add a language"],
    ["make key", "Make a key"],
    ["add user", "Add a user"],
  ])("leads by %j to the form %j", async (words, form) => {
    const page = await openConsole(browser, await startConsole(), "account");
    await find(page, words);
    await option(page, words === "make key" ? "Make an API key" : form).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: form }).waitFor();
  });

  it("runs the doctor", async () => {
    const page = await openConsole(browser, await startConsole(), "books");
    await find(page, "run doctor");
    await page.keyboard.press("Enter");
    await heading(page, "Doctor").waitFor();
    await page.waitForURL(/job=/);
    await page.getByRole("table").first().waitFor();
  });

  it("finds contacts by name and address, and asks for them only when somebody types", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    const page = await openConsole(browser, scene, "books");
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/contacts?") && asked.push(request.url()));
    await find(page, "s");
    await page.getByText("The Deep Well").first().waitFor();
    expect(asked).toEqual([]);
    await page.keyboard.type("ara@");
    await option(page, "Sara Núñez").waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await expect.poll(() => page.getByRole("group", { name: "Contacts" }).count()).toBe(1);
    await page.keyboard.press("Enter");
    await heading(page, "Sara Núñez").waitFor();
  });

  it("doesn't open what the words before found: Enter waits for what these find", async () => {
    const scene = await startConsole();
    await scene.make.book("Deep Sea");
    const page = await openConsole(browser, scene, "account");
    await find(page, "deep");
    await option(page, "The Deep Well").waitFor();
    await page.keyboard.type(" sea");
    await page.keyboard.press("Enter");
    await heading(page, "Deep Sea").waitFor();
  });

  it("keeps the option that the arrows reached when others come before it", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    await scene.make.book("Sara's Well");
    const page = await openConsole(browser, scene, "account");
    const { promise: isReached, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/\/books\?search=sara/, async (route) => {
      await isReached;
      await route.continue();
    });
    await find(page, "sara");
    await option(page, "Sara Núñez").waitFor();
    await page.keyboard.press("ArrowDown");
    letGo();
    await option(page, "Sara's Well").waitFor();
    await page.keyboard.press("Enter");
    await heading(page, "Sara Núñez").waitFor();
  });

  it("neither offers nor reads what the user may not see", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    const page = await openAs(browser, scene, "viewer");
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/contacts") && asked.push(request.url()));
    await find(page, "sara");
    await page.getByText("Nothing has all of these words.").waitFor();
    await box(page).fill("");
    await option(page, "Log out").waitFor();
    const names = await page.getByRole("dialog").getByRole("option").allTextContents();
    expect(names.filter((name) => /^(Add|Make|Import|Run)/.test(name))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("changes colours and language, and logs out", async () => {
    const page = await openConsole(browser, await startConsole(), "books", { colorScheme: "light" });
    await find(page, "dark");
    await page.keyboard.press("Enter");
    await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
    await find(page, "العربية");
    await page.keyboard.press("Enter");
    await page.locator("html[dir=rtl]").waitFor();
    await find(page, "English");
    await page.keyboard.press("Enter");
    await page.locator("html[dir=ltr]").waitFor();
    await find(page, "log out");
    await page.keyboard.press("Enter");
    await page.locator("input[type=password]").waitFor();
  });

  it("offers what can be done on a book, and filters that have a name", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books?missing=cover");
    await page.getByRole("button", { name: "Saved filters" }).click();
    await page.getByRole("menuitem", { name: "Save these filters" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("without cover");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Saved filters: without cover" }).waitFor();
    await page.getByRole("link", { name: "The Deep Well" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("The Deepest Well");
    await find(page, "save and next");
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(scene.any.id));
    await page.getByRole("link", { name: "Previous book" }).waitFor();
    await find(page, "previous");
    await page.keyboard.press("Enter");
    await heading(page, "The Deepest Well").waitFor();
    await find(page, "archive");
    await page
      .getByRole("group", { name: "On this page" })
      .getByRole("option", { name: "Archive" })
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("The book was archived.").waitFor();
    await find(page, "books without");
    await option(page, "Books: without cover").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/books\?missing=cover/);
  });
});
