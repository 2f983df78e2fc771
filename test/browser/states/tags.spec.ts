/** The tags of a book in its form. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { keepBook } from "../support/kept.ts";
import { button } from "../support/locators.ts";
import { BOOK, beginSession } from "../support/records.ts";

const test = testOnStandIn();

const field = (page: Page) => page.getByRole("textbox", { name: /^(Tags|الوسوم)$/ });
const remove = (page: Page, tag: string) =>
  page.getByRole("button", { name: new RegExp(`^(Remove|إزالة) ${tag}$`) });

for (const locale of ["en-US", "ar"])
  test(`are added, removed and saved by keyboard alone in ${locale}`, async ({ api, open }) => {
    const { book } = keepBook(api);
    book.change({ tags: ["water"] });
    const page = await open(BOOK, { locale });
    await field(page).focus();
    await page.keyboard.type("deep,بئر،");
    await expect(remove(page, "بئر")).toBeVisible();
    await page.keyboard.type(" Water of life");
    await page.keyboard.press("Enter");
    await expect(remove(page, "Water of life")).toBeVisible();
    await page.keyboard.press("Backspace");
    await expect(remove(page, "Water of life")).toHaveCount(0);
    await expect(field(page)).toBeFocused();
    await page.keyboard.type("deep,");
    await expect(remove(page, "deep")).toHaveCount(1);
    await remove(page, "water").focus();
    await page.keyboard.press("Space");
    await expect(field(page)).toBeFocused();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    expect(book.now.tags).toEqual(["water"]);
    // Also what isn't finished yet.
    await page.keyboard.type("2026");
    await page.keyboard.press("Control+s");
    await expect.poll(() => book.now.tags).toEqual(["deep", "بئر", "2026"]);
  });

test("stay in the form when they can't be saved, are joined with those of others, and are shown once", async ({
  api,
  open,
}) => {
  const { book } = keepBook(api);
  book.change({ tags: ["water"] });
  const page = await open(BOOK);
  await test.step("an error stands at them", async () => {
    const long = "x".repeat(150);
    await field(page).fill(long);
    await button(page, "Save").click();
    await expect(page.getByText("must be at most 100 characters long")).toBeVisible();
    expect(book.now.tags).toEqual(["water"]);
    await expect(field(page)).toHaveValue(long);
    await field(page).fill("2026");
    await button(page, "Save").click();
    await expect(remove(page, "2026")).toBeVisible();
    await expect(field(page)).toHaveValue("");
    await expect.poll(() => book.now.tags).toEqual(["water", "2026"]);
  });
  await test.step("somebody else has saved others meanwhile", async () => {
    await field(page).fill("mine");
    book.change({ tags: ["water", "theirs"] });
    await page.keyboard.press("Control+s");
    await page.getByRole("combobox", { name: "Keep of Tags" }).selectOption("theirs");
    await button(page, "Join and save").click();
    await expect(remove(page, "theirs")).toBeVisible();
    await expect(remove(page, "mine")).toHaveCount(0);
    await expect(field(page)).toHaveValue("");
    await expect.poll(() => book.now.tags).toEqual(["water", "theirs"]);
  });
  await test.step("the service has one twice", async () => {
    book.change({ tags: ["water", "deep", "water"] });
    await page.reload();
    await field(page).fill("2027");
    await expect(remove(page, "water")).toHaveCount(1);
    await page.keyboard.press("Control+s");
    await expect.poll(() => book.now.tags).toEqual(["water", "deep", "2027"]);
  });
});

test("are only shown to those who may not change them", async ({ api, open }) => {
  beginSession(api, { role: "viewer" });
  const page = await open(BOOK);
  await expect(page.getByText("folk tales", { exact: true })).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  await expect(remove(page, "folk tales")).toHaveCount(0);
  expect(await findAccessibilityErrors(page)).toEqual([]);
});
