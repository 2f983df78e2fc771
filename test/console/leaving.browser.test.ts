/** Nothing typed is lost by one slip: the ways out of a form ask before, those of a dialog and the log-out as well. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const question = (page: Page) => page.getByRole("dialog", { name: "Leave", exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

async function logOut(page: Page) {
  await page.locator("header").getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
}

/** Whether the browser would ask before the window closes. */
const keepsWindow = (page: Page) =>
  page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");

/** The form of a new channel, from the page of the books. */
async function openForm(page: Page) {
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await button(page, "Add a channel").click();
  const form = page.getByRole("dialog", { name: "Add a channel" });
  return { form, name: form.getByRole("textbox", { name: "Name", exact: true }) };
}

describe.skipIf(CHROMIUM === undefined)("leaving (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("a log-out asks before what was typed is lost", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.fill("Typed");
    await logOut(page);
    await question(page).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await button(page, "Stay").click();
    await question(page).waitFor({ state: "detached" });
    await expect.poll(() => title.inputValue()).toBe("Typed");
    await logOut(page);
    await question(page).getByRole("button", { name: "Leave", exact: true }).click();
    await heading(page, "Log in").waitFor();
    await page.reload();
    await heading(page, "Log in").waitFor();
  });

  it("a log-out that doesn't reach the server is none, and says so", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.route("**/api/auth/logout", (route) => route.abort(), { times: 1 });
    await logOut(page);
    await page.getByText("The server can't be reached.").waitFor();
    await heading(page, "Books").waitFor();
    await logOut(page);
    await heading(page, "Log in").waitFor();
  });

  it("a log-out after the end of the session shows the log-in", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.context().clearCookies();
    await logOut(page);
    await heading(page, "Log in").waitFor();
  });

  it("of the form in a dialog by Escape, ✕, Cancel and Back asks once something was typed", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    const { form, name } = await openForm(page);
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await button(page, "Add a channel").click();
    await name.fill("Newsletter");
    expect(await keepsWindow(page)).toBe(true);
    const ways = [
      () => page.keyboard.press("Escape"),
      () => form.getByRole("button", { name: "Close" }).click(),
      () => form.getByRole("button", { name: "Cancel" }).click(),
      () => page.goBack(),
    ];
    for (const leave of ways) {
      await leave();
      await question(page).waitFor();
      expect(await findAccessibilityErrors(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await question(page).waitFor({ state: "detached" });
      await expect.poll(() => name.inputValue()).toBe("Newsletter");
    }
    await page.goBack();
    await question(page).getByRole("button", { name: "Leave", exact: true }).click();
    await heading(page, "Books").waitFor();
    expect(await keepsWindow(page)).toBe(false);
  });

  it("of the form in a dialog after it was saved asks nothing", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    const { form, name } = await openForm(page);
    await name.fill("Newsletter");
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    expect(await keepsWindow(page)).toBe(false);
    await button(page, "Add a channel").click();
    await form.waitFor();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  it("of a page and of a dialog over it with something typed in both asks once", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("link", { name: "The Deep Well" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Typed behind");
    await button(page, "Edit Spanish").click();
    await page.getByRole("dialog").getByLabel("Title", { exact: true }).fill("El pozo");
    await page.goBack();
    await question(page).waitFor();
    // The browser has gone back and comes here again first, which nobody answers faster than.
    await page.waitForURL(`${scene.base}books/${scene.well.id}`);
    await page.waitForTimeout(200);
    await question(page).getByRole("button", { name: "Leave", exact: true }).click();
    await heading(page, "Books").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("of a new key by Back asks until it is stored", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("link", { name: "API keys", exact: true }).click();
    await button(page, "Make a key").click();
    await page.getByLabel("Purpose", { exact: true }).fill("Website");
    await page.keyboard.press("Enter");
    const key = page.getByRole("textbox", { name: "Key", exact: true });
    await key.waitFor();
    expect(await keepsWindow(page)).toBe(true);
    await page.goBack();
    await question(page).getByText("The key is shown only now.").waitFor();
    await button(page, "Stay").click();
    await question(page).waitFor({ state: "detached" });
    await key.waitFor();
    await button(page, "I have stored the key").click();
    await key.waitFor({ state: "detached" });
    expect(await keepsWindow(page)).toBe(false);
  });
});
