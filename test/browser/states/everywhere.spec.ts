/** What works on every page of the console: keys, the session and the time zone. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { keepBook } from "../support/kept.ts";
import { field, link } from "../support/locators.ts";
import { logIn } from "../support/log-in.ts";
import { BOOK, endSession } from "../support/records.ts";

const test = testOnStandIn();

const title = (page: Page) => field(page, "Title");
const ended = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

test("a question mark lists the keys, and a slash leads to the search, but is a slash in a text", async ({
  open,
}) => {
  const page = await open("languages");
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("?");
  await expect(page.getByRole("cell", { name: "Ctrl+K" })).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await link(page, "Books").click();
  const search = page.getByRole("searchbox");
  await expect(search).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("a/?");
  await expect(search).toHaveValue("a/?");
  await expect(dialog).toHaveCount(0);
});

test("a session that ends in several tabs is begun again by one log-in", async ({ api, open }) => {
  const first = await open(BOOK);
  const second = await first.context().newPage();
  await second.goto(api.base + BOOK);
  await title(second).fill("Typed in the second tab");
  await title(first).fill("Typed in the first tab");
  endSession(api);
  for (const page of [second, first]) {
    await title(page).press("Control+s");
    await expect(ended(page)).toBeVisible();
  }
  await logIn(first, "anna@example.org");
  for (const page of [first, second]) await expect(ended(page)).toHaveCount(0);
  await expect(title(second)).toHaveValue("Typed in the second tab");
});

test("a session whose end is noticed by a look at the window, or by a part that opens, leaves what was typed", async ({
  api,
  open,
}) => {
  const { book } = keepBook(api);
  const page = await open(BOOK);
  await test.step("a look, however often one looks", async () => {
    await title(page).fill("Typed before the end");
    let refusals = 0;
    page.on("response", (response) => {
      if (response.url().endsWith("/api/auth/session") && response.status() === 401) refusals += 1;
    });
    endSession(api);
    const look = () => page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => look().then(() => refusals)).toBeGreaterThan(1);
    await expect(ended(page)).toBeVisible();
    await logIn(page, "anna@example.org");
    await expect(ended(page)).toHaveCount(0);
    await expect(title(page)).toHaveValue("Typed before the end");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    expect(book.now.titleEn).toBe("Typed before the end");
  });
  await test.step("a part that opens", async () => {
    await title(page).fill("Typed before it opens");
    await page.clock.install();
    await page.clock.fastForward(11_000);
    endSession(api);
    // Another part may notice it before, and cover the button.
    await page.getByRole("button", { name: "Edit Spanish", exact: true }).dispatchEvent("click");
    await expect(ended(page)).toBeVisible();
    await expect(title(page).first()).toHaveValue("Typed before it opens");
  });
});

test("Escape closes only the dialog on top, and not that of a session that has ended", async ({
  api,
  open,
}) => {
  const page = await open("channels");
  await page.getByRole("button", { name: "Add a channel", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Add a channel" });
  const name = field(form, "Name");
  await name.fill("Newsletter");
  endSession(api);
  await page.keyboard.press("Enter");
  await expect(ended(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await logIn(page, "anna@example.org");
  await expect(ended(page)).toHaveCount(0);
  await expect(name).toHaveValue("Newsletter");
  await name.press("Escape");
  await page.getByRole("dialog", { name: "Leave" }).getByRole("button", { name: "Leave" }).click();
  await expect(form).toHaveCount(0);
});

test("times are those of the chosen time zone, also after a reload", async ({ open }) => {
  const page = await open("account", { timezoneId: "UTC" });
  const session = page.getByRole("row").nth(1);
  await expect(session).toContainText("8:15 AM");
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("Pacific/Kiritimati");
  await expect(session).toContainText("10:15 PM");
  await page.reload();
  await expect(session).toContainText("10:15 PM");
});
