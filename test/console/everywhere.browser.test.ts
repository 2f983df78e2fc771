/** What works on every page of the console: the palette, the keys, the session and the time zone. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { ANY_TITLE, logIn, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const palette = (page: Page) => page.getByRole("combobox", { name: "Page or book" });

describe.skipIf(CHROMIUM === undefined)("on every page (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("the palette leads to a page and to a book by keyboard alone", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.keyboard.press("Control+k");
    await expect.poll(() => hasFocus(page, palette(page))).toBe(true);
    await page.keyboard.type("chan");
    await page.getByRole("option", { name: /Channels/, selected: true }).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await heading(page, "Channels").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await expect.poll(() => hasFocus(page, palette(page))).toBe(true);
    await page.keyboard.type("script");
    await page.getByRole("option", { name: /كتاب/ }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor();
    await expect.poll(() => page.locator("h1").textContent()).toBe(ANY_TITLE);
  });

  it("the palette opens by mouse, and has only pages that the user may see", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("viewer");
    const page = await openConsole(browser, { ...scene, email }, "books");
    await page.getByRole("button", { name: "Go to" }).click();
    const options = page.getByRole("dialog").getByRole("option");
    await options.first().waitFor();
    const names = await options.allTextContents();
    expect(names).toContain("LanguagesPages");
    expect(names).not.toContain("UsersPages");
    await options.filter({ hasText: "Languages" }).click();
    await heading(page, "Languages").waitFor();
  });

  it("a slash leads to the search, and is a slash in a text", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    const search = page.getByRole("searchbox");
    await search.waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => hasFocus(page, search)).toBe(true);
    await page.keyboard.type("a/?");
    await expect.poll(() => search.inputValue()).toBe("a/?");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("a question mark lists the keys, and Escape leads back", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "languages");
    await page.keyboard.press("?");
    await page.getByRole("cell", { name: "Ctrl+K" }).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("a session that ends in several tabs is begun again by one log-in", async () => {
    const scene = await startConsole();
    const first = await openConsole(browser, scene, `books/${scene.well.id}`);
    const second = await first.context().newPage();
    await second.goto(`${scene.base}books/${scene.well.id}`);
    const field = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });
    await field(second).fill("Typed in the second tab");
    await field(first).fill("Typed in the first tab");
    await first.context().clearCookies();
    for (const page of [second, first]) {
      await field(page).press("Control+s");
      await page.getByRole("dialog").waitFor();
    }
    await logIn(first, scene.email);
    for (const page of [first, second]) await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => field(second).inputValue()).toBe("Typed in the second tab");
  });

  it("a session whose end is noticed by a look at the window leaves what was typed, however often one looks", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.fill("Typed before the end");
    await page.context().clearCookies();
    let refusals = 0;
    page.on("response", (response) => {
      if (response.url().endsWith("/api/auth/session") && response.status() === 401) refusals += 1;
    });
    const look = () => page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => look().then(() => refusals)).toBeGreaterThan(1);
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await logIn(page, scene.email);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => title.inputValue()).toBe("Typed before the end");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
  });

  it("a session whose end is noticed by a part that opens leaves what was typed before", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.fill("Typed before the end");
    await page.clock.install();
    await page.clock.fastForward(11_000);
    await page.context().clearCookies();
    // Another part may notice it before, and cover the button.
    await page.getByRole("button", { name: "Edit Spanish", exact: true }).dispatchEvent("click");
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await expect.poll(() => title.first().inputValue()).toBe("Typed before the end");
  });

  it("Escape closes only the dialog on top, and not that of a session that has ended", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "channels");
    await page.getByRole("button", { name: "Add a channel", exact: true }).click();
    const form = page.getByRole("dialog", { name: "Add a channel" });
    const name = form.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Newsletter");
    await page.context().clearCookies();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await page.keyboard.press("Escape");
    await logIn(page, scene.email);
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor({ state: "detached" });
    await expect.poll(() => name.inputValue()).toBe("Newsletter");
    await name.press("Escape");
    await page.getByRole("dialog", { name: "Leave" }).getByRole("button", { name: "Leave" }).click();
    await form.waitFor({ state: "detached" });
  });

  it("times are those of the chosen time zone", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "account", { timezoneId: "UTC" });
    const time = page.getByRole("row").nth(1).getByRole("cell").nth(1);
    await time.waitFor();
    const before = await time.textContent();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Pacific/Kiritimati");
    await expect.poll(() => time.textContent()).not.toBe(before);
    const after = await time.textContent();
    await page.reload();
    await expect.poll(() => time.textContent()).toBe(after);
  });
});
