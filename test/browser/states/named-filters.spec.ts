/** Filters above lists: they can be kept under a name, and a range of days holds from page to page. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import { logIn } from "../support/log-in.ts";
import { admitUser } from "../support/records.ts";

const test = testOnStandIn();

const OTHER_USER = "01a1fb60-1a34-772b-a309-dba157e20a99";

const entry = (page: Page, name: string) => page.getByRole("menuitem", { name });
const choice = (page: Page, name: string) => page.getByRole("menuitemradio", { name });
const saved = (page: Page) => page.getByRole("button", { name: /^Saved filters/ });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const range = (page: Page) => page.getByRole("combobox", { name: "Range" });
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

async function save(page: Page, name: string): Promise<void> {
  await saved(page).click();
  await entry(page, "Save these filters").click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

async function logOut(page: Page): Promise<void> {
  await page.locator("header").getByRole("button").last().click();
  await entry(page, "Log out").click();
  await expect(page.locator("input[type=email]")).toBeVisible();
}

test("are saved under a name, chosen again, renamed and deleted, by keyboard too", async ({ open }) => {
  const page = await open("books?missing=cover");
  await test.step("save, by keyboard", async () => {
    await expect(page.getByRole("link", { name: "The Deep Well" })).toBeVisible();
    await saved(page).focus();
    await page.keyboard.press("Enter");
    await expect(entry(page, "Save these filters")).toBeFocused();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
    await page.keyboard.type("Without cover");
    await page.keyboard.press("Enter");
    await expect(button(page, "Saved filters: Without cover")).toBeVisible();
    await expect(saved(page)).toBeFocused();
  });
  await test.step("choose", async () => {
    await page.getByRole("searchbox").fill("nothing like this");
    await expect(button(page, "Saved filters")).toBeVisible();
    await saved(page).click();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await choice(page, "Without cover").click();
    await expect(button(page, "Saved filters: Without cover")).toBeVisible();
    expect(queryOf(page)).toEqual({ missing: "cover" });
    await expect(page.getByRole("searchbox")).toHaveValue("");
    await saved(page).click();
    await expect(choice(page, "Without cover")).toHaveAttribute("aria-checked", "true");
  });
  await test.step("rename and delete", () => renameAndDelete(page));
});

/** A filter that is chosen, with the menu open. */
async function renameAndDelete(page: Page): Promise<void> {
  await entry(page, "Rename or delete").click();
  await page.getByRole("textbox", { name: "Name of Without cover" }).fill("Bare");
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await button(page, "Save").click();
  await expect(button(page, "Saved filters: Bare")).toBeVisible();
  await saved(page).click();
  await entry(page, "Rename or delete").click();
  await button(page, "Delete Bare").click();
  await button(page, "Save").click();
  await expect(button(page, "Saved filters")).toBeVisible();
  await saved(page).click();
  await expect(entry(page, "Save these filters")).toBeVisible();
  await expect(page.getByRole("menuitemradio")).toHaveCount(0);
}

test("stay when their user logs out, aren't another user's, and can be saved again after the memory was broken", async ({
  api,
  open,
}) => {
  const page = await open("books?status=archived");
  await save(page, "Archived ones");
  await test.step("another user", async () => {
    await logOut(page);
    admitUser(api, { role: "editor", id: OTHER_USER });
    await logIn(page, "ben@example.org");
    await button(page, "Saved filters").click();
    await expect(entry(page, "Save these filters")).toBeVisible();
    await expect(page.getByText("Archived ones")).toHaveCount(0);
    await page.keyboard.press("Escape");
  });
  await test.step("the first one again", async () => {
    await logOut(page);
    admitUser(api, {});
    await logIn(page, "ben@example.org");
    await expect(button(page, "Saved filters: Archived ones")).toBeVisible();
  });
  await test.step("a memory of the browser that holds something else", async () => {
    await page.evaluate(`for (const key of Object.keys(localStorage)) localStorage.setItem(key, "{broken")`);
    await page.reload();
    await expect(button(page, "Saved filters")).toBeVisible();
    await save(page, "Once more");
    await expect(button(page, "Saved filters: Once more")).toBeVisible();
  });
});

test("with a range that is relative to today keep it so", async ({ api, open }) => {
  const example = api.example("get /api/admin/analytics/downloads");
  api.on("get /api/admin/analytics/downloads", ({ query }) => {
    const isWeek = query.get("startDate") === "2026-03-04" && query.get("endDate") === "2026-03-10";
    const downloads = isWeek ? example.downloads : [];
    return { downloads, pagination: { ...example.pagination, total: isWeek ? 6 : 0 } };
  });
  const page = await open("downloads?timezone=UTC");
  await page.clock.setFixedTime("2026-03-10T12:00:00Z");
  await range(page).selectOption({ label: "Last 7 days" });
  await expect(page).toHaveURL(/range=last7Days/);
  await save(page, "This week");
  await range(page).selectOption({ label: "Last month" });
  await expect(page.getByText("No download matches these filters.")).toBeVisible();
  await saved(page).click();
  await choice(page, "This week").click();
  await expect(page.getByText("6 downloads")).toBeVisible();
  expect(queryOf(page)).toEqual({ range: "last7Days", timezone: "UTC" });
});

test("keep their range and time zone on the way to other pages with one", async ({ open }) => {
  const page = await open("", { timezoneId: "UTC" });
  const link = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
  await expect(page).toHaveURL(/range=last30Days&timezone=UTC/);
  await link("Downloads").click();
  await expect(heading(page, "Downloads")).toBeVisible();
  await expect(page.getByText("120 downloads")).toBeVisible();
  expect(queryOf(page)).toEqual({});
  await link("Overview").click();
  await expect(heading(page, "Overview")).toBeVisible();
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("Africa/Nairobi");
  await range(page).selectOption({ label: "Today" });
  await expect(page).toHaveURL(/range=today/);
  const kept = { range: "today", timezone: "Africa/Nairobi" };
  for (const name of ["Downloads", "Books", "Contacts", "Audit log", "Overview"]) {
    await link(name).click();
    await expect(heading(page, name)).toBeVisible();
    expect(queryOf(page)).toEqual(name === "Books" ? {} : kept);
  }
  await page.goBack();
  await expect(heading(page, "Audit log")).toBeVisible();
});
