/** The tags of a book in its form. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const field = (page: Page) => page.getByRole("textbox", { name: /^(Tags|الوسوم)$/ });
const remove = (page: Page, tag: string) =>
  page.getByRole("button", { name: new RegExp(`^(Remove|إزالة) ${tag}$`) });

describe.skipIf(CHROMIUM === undefined)("tags (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook(locale: string) {
    const scene = await startConsole();
    const admin = await scene.admin();
    const readTags = async () => (await admin.get(`/api/admin/books/${scene.well.id}`)).body.book.tags;
    const page = await openConsole(browser, scene, `books/${scene.well.id}`, { locale });
    await field(page).waitFor();
    return { ...scene, admin, page, readTags };
  }

  it.each(["en-US", "ar"])("are added, removed and saved by keyboard alone in %s", async (locale) => {
    const { page, readTags } = await openBook(locale);
    await field(page).focus();
    await page.keyboard.type("deep,بئر،");
    await remove(page, "بئر").waitFor();
    await page.keyboard.type(" Water of life");
    await page.keyboard.press("Enter");
    await remove(page, "Water of life").waitFor();
    await page.keyboard.press("Backspace");
    await remove(page, "Water of life").waitFor({ state: "detached" });
    await expect.poll(() => hasFocus(page, field(page))).toBe(true);
    await page.keyboard.type("deep,");
    await expect.poll(() => remove(page, "deep").count()).toBe(1);
    await remove(page, "water").focus();
    await page.keyboard.press("Space");
    await expect.poll(() => hasFocus(page, field(page))).toBe(true);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await expect.poll(readTags).toEqual(["water"]);
    // Also what isn't finished yet.
    await page.keyboard.type("2026");
    await page.keyboard.press("Control+s");
    await expect.poll(readTags).toEqual(["deep", "بئر", "2026"]);
  });

  it("stay in the form when they can't be saved, and the error stands at them", async () => {
    const { page, readTags } = await openBook("en-US");
    await field(page).fill("x".repeat(150));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("must be at most 100 characters long").waitFor();
    await expect.poll(readTags).toEqual(["water"]);
    await expect.poll(() => field(page).inputValue()).toBe("x".repeat(150));
    await field(page).fill("2026");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await remove(page, "2026").waitFor();
    await expect.poll(() => field(page).inputValue()).toBe("");
    await expect.poll(readTags).toEqual(["water", "2026"]);
  });

  it("are joined with those that somebody else saved meanwhile", async () => {
    const { page, admin, well, readTags } = await openBook("en-US");
    await field(page).fill("mine");
    await admin.patch(`/api/admin/books/${well.id}`, { tags: ["water", "theirs"] });
    await page.keyboard.press("Control+s");
    await page.getByRole("combobox", { name: "Keep of Tags" }).selectOption("theirs");
    await page.getByRole("button", { name: "Join and save" }).click();
    await remove(page, "theirs").waitFor();
    await expect.poll(() => remove(page, "mine").count()).toBe(0);
    await expect.poll(() => field(page).inputValue()).toBe("");
    await expect.poll(readTags).toEqual(["water", "theirs"]);
  });

  it("are shown once, also one that the service has twice", async () => {
    const { page, admin, base, well, readTags } = await openBook("en-US");
    await admin.patch(`/api/admin/books/${well.id}`, { tags: ["water", "deep", "water"] });
    await expect.poll(readTags).toEqual(["water", "deep", "water"]);
    await page.goto(`${base}books/${well.id}`);
    await field(page).fill("2026");
    await expect.poll(() => remove(page, "water").count()).toBe(1);
    await page.keyboard.press("Control+s");
    await expect.poll(readTags).toEqual(["water", "deep", "2026"]);
  });

  it("are only shown to those who may not change them", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("viewer");
    const page = await openConsole(browser, { ...scene, email }, `books/${scene.well.id}`);
    await page.getByText("water", { exact: true }).waitFor();
    await expect.poll(() => field(page).count()).toBe(0);
    await expect.poll(() => remove(page, "water").count()).toBe(0);
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });
});
