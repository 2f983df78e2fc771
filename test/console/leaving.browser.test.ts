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
});
