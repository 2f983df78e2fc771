/** Filters above lists: they can be kept under a name, and a range of days holds from page to page. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { logIn, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const entry = (page: Page, name: string) => page.getByRole("menuitem", { name });
const choice = (page: Page, name: string) => page.getByRole("menuitemradio", { name });
const saved = (page: Page) => page.getByRole("button", { name: /^Saved filters/ });
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

async function save(page: Page, name: string): Promise<void> {
  await saved(page).click();
  await entry(page, "Save these filters").click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function logOut(page: Page): Promise<void> {
  await page.locator("header").getByRole("button").last().click();
  await entry(page, "Log out").click();
  await page.locator("input[type=email]").waitFor();
}

describe.skipIf(CHROMIUM === undefined)("filters (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("are saved under a name, chosen again, renamed and deleted, by keyboard too", async () => {
    const page = await openConsole(browser, await startConsole(), "books?missing=cover");
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
    await saved(page).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page, entry(page, "Save these filters"))).toBe(true);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page, page.getByRole("textbox", { name: "Name" }))).toBe(true);
    await page.keyboard.type("Without cover");
    await page.keyboard.press("Enter");
    await button(page, "Saved filters: Without cover").waitFor();
    await expect.poll(() => hasFocus(page, saved(page))).toBe(true);
    await page.getByRole("searchbox").fill("nothing like this");
    await button(page, "Saved filters").waitFor();
    await saved(page).click();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await choice(page, "Without cover").click();
    await button(page, "Saved filters: Without cover").waitFor();
    expect(queryOf(page)).toEqual({ missing: "cover" });
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");
    await saved(page).click();
    await expect.poll(() => choice(page, "Without cover").getAttribute("aria-checked")).toBe("true");
    await entry(page, "Rename or delete").click();
    await page.getByRole("textbox", { name: "Name of Without cover" }).fill("Bare");
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await button(page, "Save").click();
    await button(page, "Saved filters: Bare").waitFor();
    await saved(page).click();
    await entry(page, "Rename or delete").click();
    await button(page, "Delete Bare").click();
    await button(page, "Save").click();
    await button(page, "Saved filters").waitFor();
    await saved(page).click();
    await entry(page, "Save these filters").waitFor();
    await expect.poll(() => page.getByRole("menuitemradio").count()).toBe(0);
  });

  it("stay when their user logs out, and aren't another user's", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("editor");
    const page = await openConsole(browser, scene, "books?status=archived");
    await save(page, "Archived ones");
    await logOut(page);
    await logIn(page, email);
    await button(page, "Saved filters").click();
    await entry(page, "Save these filters").waitFor();
    await expect.poll(() => page.getByText("Archived ones").count()).toBe(0);
    await page.keyboard.press("Escape");
    await logOut(page);
    await logIn(page, scene.email);
    await button(page, "Saved filters: Archived ones").waitFor();
  });

  it("survive a memory of the browser that holds something else", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books?status=archived");
    await save(page, "Archived ones");
    await page.evaluate(`for (const key of Object.keys(localStorage)) localStorage.setItem(key, "{broken")`);
    await page.reload();
    await button(page, "Saved filters").waitFor();
    await save(page, "Once more");
    await button(page, "Saved filters: Once more").waitFor();
  });

  it("with a range that is relative to today keep it so", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    const page = await openConsole(browser, scene, "downloads?timezone=UTC");
    await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Last 7 days" });
    await page.waitForURL(/range=last7Days/);
    await save(page, "This week");
    await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Last month" });
    await page.getByText("No download matches these filters.").waitFor();
    await saved(page).click();
    await choice(page, "This week").click();
    await page.getByText("6 downloads").waitFor();
    expect(queryOf(page)).toEqual({ range: "last7Days", timezone: "UTC" });
  });

  it("keep their range and time zone on the way to other pages with one", async () => {
    const scene = await startConsole();
    await addReaders(scene);
    const page = await openConsole(browser, scene, "", { timezoneId: "UTC" });
    await page.waitForURL(/range=last30Days&timezone=UTC/);
    const link = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
    await link("Downloads").click();
    await page.getByRole("heading", { level: 1, name: "Downloads" }).waitFor();
    await page.getByText("6 downloads").waitFor();
    expect(queryOf(page)).toEqual({});
    await link("Overview").click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Africa/Nairobi");
    await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Today" });
    await page.waitForURL(/range=today/);
    const kept = { range: "today", timezone: "Africa/Nairobi" };
    for (const name of ["Downloads", "Books", "Contacts", "Audit log", "Overview"]) {
      await link(name).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      expect(queryOf(page)).toEqual(name === "Books" ? {} : kept);
    }
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  });
});
